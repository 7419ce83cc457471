// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.account;

import java.util.List;
import org.ffmpi.spi.EpochSource;

/**
 * The account of one rank about its waits. Lists are bounded; the counts have the true numbers. Ranks are numbered as
 * in the job.
 *
 * @param waits the long waits of threads, the longest first
 * @param traffic the amounts that the rank has moved
 * @param queues the lengths of its queues
 * @param sends sends whose receive has not matched, or that wait for room
 * @param receives posted receives
 * @param unexpected unexpected messages
 * @param communicators the rank's communicators
 * @param epochs the open epochs of its windows
 * @param place the place of the program while it is in no call and others wait; {@link Place#UNKNOWN} otherwise
 */
public record RankAccount(
    List<Wait> waits, Traffic traffic, Queues queues, List<Message> sends, List<Message> receives,
    List<Message> unexpected, List<Communicator> communicators, List<Epoch> epochs, Place place) {
  /** Most bytes of a name, in UTF-8; longer ones are cut. */
  public static final int NAME_BYTES = AccountLayout.NAME_BYTES;

  /** Most bytes of the line of a wait, in UTF-8; longer ones are cut. */
  public static final int LINE_BYTES = AccountLayout.LINE_BYTES;

  /** The account of a rank without waits. */
  public static final RankAccount NONE =
      new RankAccount(
          List.of(), new Traffic(0, 0, 0, 0, 0), new Queues(0, 0, 0, 0), List.of(), List.of(), List.of(), List.of(),
          List.of(), Place.UNKNOWN);

  /** Subjects of waits, in the order of {@code WaitNote.Kind}. */
  public enum Kind {
    /** An unknown subject. */
    OTHER,
    /** The receive of a message that the rank sends. */
    SEND,
    /** A message for a posted receive. */
    RECEIVE,
    /** A message for a probe. */
    PROBE,
    /** The first of several operations. */
    ANY,
    /** Another rank's part in a collective call. */
    COLLECTIVE,
    /** The end of all sends. */
    FLUSH,
    /** The lock of a rank's part of a window. */
    LOCK,
    /** A rank's post of its part of a window. */
    POST,
    /** The ends of access epochs to the rank's part of a window. */
    COMPLETES
  }

  /**
   * One thread's wait.
   *
   * @param call the MPI name of the call, that of a method which the standard does not have, or empty
   * @param line the line of the program that makes the call, or empty; words about the call that it completes may
   *     follow
   * @param kind the subject
   * @param peer the other rank, or ANY_SOURCE
   * @param tag the message's tag, the number of the collective call, or the detail of {@code WaitNote.epoch}
   * @param context matching context, or -1
   * @param bytes length of the message or of a contribution, or -1
   * @param collective ordinal of the collective operation, or -1
   * @param root its root, or -1
   * @param since time of its begin, by the machine's monotonic clock in nanoseconds
   */
  public record Wait(
      String call, String line, Kind kind, int peer, int tag, long context, long bytes, int collective, int root,
      long since) {}

  /**
   * The amounts that a rank has moved, which are constant while nothing moves.
   *
   * @param moves polls of long waits that moved something
   * @param sent records that went into rings; a long message has several
   * @param received records that came out of rings
   * @param sentBytes bytes through rings and pipes, without inline payload
   * @param receivedBytes the same in the other direction, and bytes copied out of other ranks' memory
   */
  public record Traffic(long moves, long sent, long received, long sentBytes, long receivedBytes) {}

  /**
   * Lengths of queues.
   *
   * @param sends sends that have not ended
   * @param receives posted receives
   * @param unexpected unexpected messages
   * @param unexpectedBytes their bytes that are stored at this rank
   */
  public record Queues(int sends, int receives, int unexpected, long unexpectedBytes) {}

  /**
   * A message, or a receive of one.
   *
   * @param peer the other rank, or ANY_SOURCE
   * @param tag the tag, or ANY_TAG
   * @param context matching context
   * @param bytes the length; of a receive, the capacity
   */
  public record Message(int peer, int tag, long context, long bytes) {}

  /**
   * A communicator.
   *
   * @param context its number
   * @param begun number of collective calls that the rank has begun on it
   * @param own number of these that are the library's own and not the program's
   * @param size its number of ranks
   * @param name its name, possibly empty
   */
  public record Communicator(long context, int begun, int own, int size, String name) {}

  /**
   * An open epoch of a window.
   *
   * @param context the number of the window's channel
   * @param peer the other rank, or ANY_SOURCE for all ranks of the window
   * @param kind its kind
   */
  public record Epoch(long context, int peer, EpochSource.Kind kind) {}

  /**
   * The place of a program in code that is not MPI's.
   *
   * @param text words that describe it, or empty
   * @param isBlocked whether its threads wait for something else than MPI
   * @param since time since which it has been looked for, by the machine's monotonic clock in nanoseconds
   */
  public record Place(String text, boolean isBlocked, long since) {
    /** The place of a rank whose account has none. */
    public static final Place UNKNOWN = new Place("", false, 0);

    /**
     * Returns whether the account has a place.
     *
     * @return true when it has words
     */
    public boolean isKnown() {
      return !text.isEmpty();
    }
  }

  /**
   * Returns the rank's communicator with a number.
   *
   * @param context the number
   * @return the communicator, or null
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
