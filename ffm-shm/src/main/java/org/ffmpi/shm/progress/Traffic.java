// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.function.LongPredicate;
import org.ffmpi.shm.account.AccountBuilder;

/**
 * A rank's messages under way, which progress polls, and ends when peers depart. There is one implementation, so that
 * the JIT compiler inlines its methods. Called with the rank's lock held.
 */
public interface Traffic {
  /**
   * Polls all messages, a bounded amount of work.
   *
   * @return number of things moved
   */
  int poll();

  /**
   * Polls all messages and also the expensive sources; for threads that are about to sleep.
   *
   * @return number of things moved
   */
  int pollThoroughly();

  /**
   * Returns whether anything is under way in some contexts. Walks all queues; for rare calls.
   *
   * @param contexts accepts their matching contexts
   * @return false when no send or receive of theirs waits, and no payload of any message is coming in
   */
  boolean isUnderWay(LongPredicate contexts);

  /**
   * Lists everything that is under way, and the amounts moved so far.
   *
   * @param into the account
   */
  void list(AccountBuilder into);

  /**
   * Returns the source of a peer's messages.
   *
   * @param peer a rank
   * @return the source, or null before the first message
   */
  Source from(int peer);

  /**
   * Returns whether all messages of a departed peer have come, or lie in memory that this rank can read. A peer on
   * another node sends a note after its last message.
   *
   * @param peer the departed rank
   * @return false while some of it may be on its way
   */
  boolean hasAllOf(int peer);

  /**
   * Consumes the last messages of a departed peer and the completions that it stored. Bounded.
   *
   * @param peer the departed rank
   */
  void drainDeparted(int peer);

  /**
   * Ends receives of collective calls where other ranks make another call, whose messages never match.
   *
   * @param now whether to look even if the last look was a moment ago
   * @return number of ended receives
   */
  int failMismatched(boolean now);

  /**
   * Checks the words in shared memory by which this rank and its peers find each other's records. For threads that are
   * about to sleep: a corrupt word may keep both sides asleep.
   *
   * @throws org.ffmpi.base.MpiException ERR_INTERN for an impossible word
   */
  void verify();

  /**
   * Ends the operations that only departed peers could complete.
   *
   * @param departures the departed peers
   * @param asked whether a thread waits for completions. Then all receives end that no rank can satisfy, otherwise only
   *     those from dead peers, because a program may still cancel a receive or send to itself
   */
  void failAfter(Departures departures, boolean asked);

  /**
   * Ends the operations of broken channels, in a job that outlives its dead.
   *
   * @param broken the broken channels
   */
  void failBroken(BrokenChannels broken);
}
