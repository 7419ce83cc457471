// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.ffmpi.base.Measure;
import java.util.function.Supplier;

/**
 * The port of the collective operations. Found by {@link java.util.ServiceLoader}. Every call crosses it once, as one
 * {@link CollectiveCall} whose arguments have been checked as far as one rank can check them. Errors of the call are
 * thrown; those of a started operation are {@link Operation#error}.
 */
public interface Collectives {
  /**
   * Carries out a call, starts it, or prepares it.
   *
   * <ul>
   * <li>{@link CollectiveForm#BLOCKING} carries it out in the calling thread and returns when this rank's part is done.
   * Errors are thrown.
   * <li>{@link CollectiveForm#NONBLOCKING} starts it and returns at once; the engine's progress does the rest.
   * <li>{@link CollectiveForm#PERSISTENT} prepares an operation for {@link #start}. Its messages meet those of no other
   * call. All ranks make it; the method may block until they do.
   * </ul>
   *
   * @param channel the communicator's channel
   * @param call the arguments; free for another call when this method returns
   * @param form how to carry it out
   * @return the operation; for a blocking call one that is complete
   */
  Operation call(Channel channel, CollectiveCall call, CollectiveForm form);

  /**
   * Returns the algorithm that would serve a call. Called by the thread that makes the call, before it.
   *
   * @param channel the communicator's channel
   * @param call the arguments
   * @return its name; empty when it is not known
   */
  default String algorithm(Channel channel, CollectiveCall call) {
    return "";
  }

  /**
   * Starts a persistent operation and hands it to the engine's progress. The operation has never been started, or is
   * complete.
   *
   * @param persistent what {@link #call} returned for {@link CollectiveForm#PERSISTENT}
   */
  void start(Operation persistent);

  /**
   * Starts a nonblocking call that begins later, when the ranks have been compared. Its buffers count as used from now
   * on, where that is checked.
   *
   * @param call the arguments
   * @param start starts it, and leads to {@link #call} at some time
   * @return what completes when the call does
   */
  default Operation lend(CollectiveCall call, Supplier<Operation> start) {
    return start.get();
  }

  /**
   * Releases a persistent operation that has never been started, or is complete, and is not started any more.
   *
   * @param persistent what {@link #call} returned for {@link CollectiveForm#PERSISTENT}
   */
  default void discard(Operation persistent) {}

  /**
   * Returns where a rank keeps a number about its collective calls.
   *
   * @param measure the measure
   * @param engine the engine of the rank
   * @param channel the channel of the communicator, for a measure of a communicator; else null
   * @return the gauge, or null when there is no such number
   */
  default Gauge gauge(Measure measure, Engine engine, Channel channel) {
    return null;
  }
}
