// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.model;

/**
 * A request that a call completed, or the message that a blocking receive got or a probe found.
 *
 * @param request the number of the request; 0 in the blocking receive or the probe that has the message itself
 * @param source the sender of a received message as a peer of the world; negative for a request that received none
 * @param tag the message's tag
 * @param bytes the message's length
 * @param cancelled whether the request was cancelled, and so neither sent nor received
 */
public record CompletedRequest(long request, int source, int tag, long bytes, boolean cancelled) {
  /**
   * Describes a request that received nothing: a send, a collective call.
   *
   * @param request its number
   * @return the description
   */
  public static CompletedRequest of(long request) {
    return new CompletedRequest(request, TracedCall.NONE, TracedCall.NONE, 0, false);
  }
}
