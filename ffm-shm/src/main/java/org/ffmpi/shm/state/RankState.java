// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.state;

import java.util.List;

/**
 * What one rank says about its waits. Lists are bounded: the counts say how many there are. Ranks are numbered as in
 * the job.
 *
 * @param waits the threads that have waited for long, the one that has waited longest first
 * @param traffic how much the rank has moved
 * @param queues how long its queues are
 * @param sends sends whose receive has not matched, or that wait for room
 * @param receives posted receives
 * @param unexpected messages that have come and that no receive has matched
 * @param communicators the rank's communicators
 */
public record RankState(
    List<Wait> waits, Traffic traffic, Queues queues, List<Message> sends, List<Message> receives,
    List<Message> unexpected, List<Communicator> communicators) {
  /** Most bytes of a name, in UTF-8; longer ones are cut. */
  public static final int NAME_BYTES = StateLayout.NAME_BYTES;

  /** A rank that waits for nothing. */
  public static final RankState NONE =
      new RankState(
          List.of(), new Traffic(0, 0, 0, 0, 0), new Queues(0, 0, 0, 0), List.of(), List.of(), List.of(), List.of());

  /** What is waited for; the order is that of {@code WaitNote.Kind}. */
  public enum Kind {
    /** Something unknown. */
    OTHER,
    /** A receive of what the rank sends. */
    SEND,
    /** A message that a receive is posted for. */
    RECEIVE,
    /** A message that a probe looks for. */
    PROBE,
    /** The first of several operations. */
    ANY,
    /** Another rank's part in a collective call. */
    COLLECTIVE,
    /** The end of all sends. */
    FLUSH
  }

  /**
   * One thread's wait.
   *
   * @param call the call as the standard names it, or empty
   * @param kind what is waited for
   * @param peer the other rank, or ANY_SOURCE
   * @param tag the message's tag, or the number of the collective call
   * @param context matching context, or -1
   * @param bytes length of the message or of a contribution, or -1
   * @param collective ordinal of the collective operation, or -1
   * @param root its root, or -1
   * @param since when the wait began, by the machine's monotonic clock in nanoseconds
   */
  public record Wait(
      String call, Kind kind, int peer, int tag, long context, long bytes, int collective, int root, long since) {}

  /**
   * How much a rank has moved; it stands still while nothing moves.
   *
   * @param moves polls of long waits that found something
   * @param sent records that went into rings; a long message has several
   * @param received records that came out of rings
   * @param sentBytes bytes that went through rings and pipes, beside what fits into envelopes
   * @param receivedBytes the same for the other direction, and what was copied out of other ranks' memory
   */
  public record Traffic(long moves, long sent, long received, long sentBytes, long receivedBytes) {}

  /**
   * Lengths of queues.
   *
   * @param sends sends that have not ended
   * @param receives posted receives
   * @param unexpected unexpected messages
   * @param unexpectedBytes the bytes of them that are kept at this rank
   */
  public record Queues(int sends, int receives, int unexpected, long unexpectedBytes) {}

  /**
   * A message, or a receive of one.
   *
   * @param peer the other rank, or ANY_SOURCE
   * @param tag the tag, or ANY_TAG
   * @param context matching context
   * @param bytes the length; of a receive, what fits
   */
  public record Message(int peer, int tag, long context, long bytes) {}

  /**
   * A communicator.
   *
   * @param context its number
   * @param begun how many collective calls the rank has begun on it
   * @param own how many of these are the library's own, beside those that the program has called
   * @param size its number of ranks
   * @param name its name, possibly empty
   */
  public record Communicator(long context, int begun, int own, int size, String name) {}

  /**
   * Returns the rank's communicator with a number.
   *
   * @param context the number
   * @return the communicator, or null when it is not listed
   */
  public Communicator communicator(long context) {
    for (Communicator c : communicators) {
      if (c.context() == context) {
        return c;
      }
    }
    return null;
  }
}
