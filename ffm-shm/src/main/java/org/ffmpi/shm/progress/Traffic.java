// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.function.LongPredicate;
import org.ffmpi.shm.state.StateBuilder;

/**
 * All messages that a rank has under way, as progress sees them: something to poll, and to end when peers depart. One
 * implementation, so that the JIT compiler inlines its methods. Called with the rank's lock held.
 */
public interface Traffic {
  /**
   * Moves everything that can move, a bounded amount.
   *
   * @return how many things moved
   */
  int poll();

  /**
   * Moves everything that can move, and looks also where looks are dear: for threads that are about to sleep.
   *
   * @return how many things moved
   */
  int pollThoroughly();

  /**
   * Returns whether anything is under way in some contexts. Looks at everything, for calls that are made seldom.
   *
   * @param contexts accepts their matching contexts
   * @return false when no send and no receive of theirs is waiting, and no payload of any message is coming in
   */
  boolean isUnderWay(LongPredicate contexts);

  /**
   * Lists everything that is under way, and how much has moved so far.
   *
   * @param into gets it
   */
  void list(StateBuilder into);

  /**
   * Returns what comes from a peer.
   *
   * @param peer a rank
   * @return its source, or null before its first message
   */
  Source from(int peer);

  /**
   * Returns whether all that a departed peer has sent is here, or lies in memory that this rank can read. A peer on
   * another node says so itself, after everything else.
   *
   * @param peer the departed rank
   * @return false while some of it may be on its way
   */
  boolean hasAllOf(int peer);

  /**
   * Takes in what a departed peer has left behind: messages that it sent and completions that it stored. Bounded.
   *
   * @param peer the departed rank
   */
  void settle(int peer);

  /**
   * Ends receives of collective calls in which other ranks call something else, so that their messages never match.
   *
   * @return how many receives ended
   */
  int failMismatched();

  /**
   * Checks the words in shared memory by which this rank and its peers find each other's records. For threads that are
   * about to sleep: what nobody correct has written there may keep both sides asleep.
   *
   * @throws org.ffmpi.base.MpiException ERR_INTERN when a word cannot be
   */
  void verify();

  /**
   * Ends the operations that only departed peers could complete.
   *
   * @param departures which peers have departed
   * @param asked whether a thread waits for completions: then all receives end that no rank can satisfy. Otherwise only
   *     those of dead peers, because a program may still cancel a receive or send to itself
   */
  void failAfter(Departures departures, boolean asked);

  /**
   * Ends the operations that can go on no more, in a job that outlives its dead.
   *
   * @param broken in which contexts
   */
  void failBroken(BrokenChannels broken);
}
