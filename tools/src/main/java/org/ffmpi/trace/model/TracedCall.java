// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.model;

import java.util.List;

/**
 * One call of one rank.
 *
 * @param start when it began, in nanoseconds of its rank's clock
 * @param end when it returned; {@link #UNFINISHED} for a call in which its rank was killed
 * @param kind what it does
 * @param name its name as programs write it: {@code send}, {@code allreduce}
 * @param site the place in the program, as {@code Jacobi.java:71}; null where it is not known
 * @param comm the number of its communicator, which is the context of its messages ({@code Channel.numberOf}); negative
 *     for a call without one
 * @param peer the other rank of a message as a peer of the world, the root of a collective call as a peer;
 *     {@link #NONE} or another negative constant of MPI ({@code ANY_SOURCE}, {@code PROC_NULL}) for a call without one
 * @param tag the tag that the program gave; {@code ANY_TAG} where it gave none
 * @param bytes how much the program gave: the length of a sent message, the size of a buffer that receives, this rank's
 *     contribution to a collective call
 * @param how the way that the call took: a send's protocol ({@code eager}, {@code piped}, …), a collective's algorithm;
 *     null where it is not known
 * @param request the number of the request that the call started, or of the message that a probe took: from 1, unique
 *     within the rank; 0 for a call that started none
 * @param sequence the number of a collective call among those of its communicator, the same on all its ranks; negative
 *     where it is not known
 * @param completed what the call completed, or found
 */
public record TracedCall(
    long start, long end, CallKind kind, String name, String site, long comm, int peer, int tag, long bytes, String how,
    long request, long sequence, List<CompletedRequest> completed) {
  /** The end of a call that never ended. */
  public static final long UNFINISHED = Long.MAX_VALUE;

  /** The peer or tag of a call that has none. */
  public static final int NONE = -32766;

  /**
   * Returns whether the call returned.
   *
   * @return false for a call in which its rank was killed
   */
  public boolean isFinished() {
    return end != UNFINISHED;
  }
}
