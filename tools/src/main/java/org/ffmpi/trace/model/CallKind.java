// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.model;

/** The kinds of calls, by what they do with messages. */
public enum CallKind {
  /** A blocking send, of any mode. */
  SEND,
  /** A blocking receive. */
  RECV,
  /** The start of a send, with the number of its request. */
  ISEND,
  /** The start of a receive, with the number of its request. */
  IRECV,
  /** Waiting for requests; {@link TracedCall#completed} lists those that it completed. */
  WAIT,
  /** Testing of requests, which never waits; {@link TracedCall#completed} lists those that it completed. */
  TEST,
  /** A probe that leaves the message where it is; {@link TracedCall#completed} has the message, if it found one. */
  PROBE,
  /**
   * A probe that takes the message out of the matching; {@link TracedCall#completed} has the message, if it found one,
   * and {@link TracedCall#request} is the message's number.
   */
  MPROBE,
  /** A receive of a message that an {@link #MPROBE} of the same number took, blocking or not. */
  MRECV,
  /** A collective call, blocking or the start of one. */
  COLLECTIVE,
  /** A call on a window. */
  WINDOW,
  /** A call on a file. */
  FILE,
  /** The start of MPI. */
  INIT,
  /** The end of MPI. */
  FINALIZE,
  /** Any other call that takes time, such as one that makes a communicator. */
  OTHER;

  private static final CallKind[] ALL = values();

  /**
   * Returns a kind by its number.
   *
   * @param ordinal what {@link #ordinal} returns
   * @return the kind, {@link #OTHER} for any other number
   */
  public static CallKind of(int ordinal) {
    return ordinal >= 0 && ordinal < ALL.length ? ALL[ordinal] : OTHER;
  }
}
