// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

/**
 * The reaction of a tool to lost events ({@code MPI_T_event_dropped_cb_function}, MPI-4.1 section 15.3.8).
 */
@FunctionalInterface
public interface DroppedCallback {
  /**
   * Called by the thread of the tool, before the next event that was not lost.
   *
   * @param count number of events lost since the last call
   * @param registration the registration that would have got them
   * @param source the source that has reported them
   * @param safety what the place of the call requires
   */
  void dropped(long count, EventRegistration registration, EventSource source, CallbackSafety safety);
}
