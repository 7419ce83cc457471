// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

/** The reaction of a tool to an event ({@code MPI_T_event_cb_function}, MPI-4.1 section 15.3.8). */
@FunctionalInterface
public interface EventCallback {
  /**
   * Called for an event. A callback that was registered with {@link CallbackSafety#THREAD_SAFE} or more is called in
   * the thread to which the event happens, which may hold locks of the library; others are called one after the other
   * by a thread of the tool, a moment later.
   *
   * @param event the event
   * @param registration the registration that the callback belongs to
   * @param safety what the place of the call requires
   */
  void happened(EventInstance event, EventRegistration registration, CallbackSafety safety);
}
