// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.Arrays;
import org.ffmpi.base.Incident;

/**
 * The incidents of one rank, and who listens to them. Without a listener an incident costs one read of a field. Any
 * thread.
 */
public final class Incidents {
  private static final Listener[] NONE = {};

  /** Replaced as a whole, with this object's monitor held. */
  private volatile Listener[] listeners = NONE;

  /** Creates the incidents of a rank, without a listener. */
  public Incidents() {}

  /** Learns of incidents. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Called in the thread to which it happens, which may hold locks of the engine: does not wait, calls no operation
     * of MPI, and throws nothing.
     *
     * @param what the incident
     * @param bound the channel that it belongs to, or null
     * @param first its first element
     * @param second its second element, or 0
     * @param third its third element, or 0
     */
    void happened(Incident what, Object bound, long first, long second, long third);
  }

  /**
   * Returns whether anybody listens.
   *
   * @return false when {@link #raise} would do nothing
   */
  public boolean areHeard() {
    return listeners.length != 0;
  }

  /**
   * Reports an incident.
   *
   * @param what the incident
   * @param bound the channel that it belongs to, or null
   * @param first its first element
   * @param second its second element, or 0
   * @param third its third element, or 0
   */
  public void raise(Incident what, Object bound, long first, long second, long third) {
    for (Listener listener : listeners) {
      listener.happened(what, bound, first, second, third);
    }
  }

  /**
   * Adds a listener.
   *
   * @param listener the listener
   */
  public synchronized void add(Listener listener) {
    Listener[] all = Arrays.copyOf(listeners, listeners.length + 1);
    all[listeners.length] = listener;
    listeners = all;
  }

  /**
   * Removes a listener. A call of it that has begun may still go on.
   *
   * @param listener the listener
   */
  public synchronized void remove(Listener listener) {
    listeners = Arrays.stream(listeners).filter(other -> other != listener).toArray(Listener[]::new);
  }
}
