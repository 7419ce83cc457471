// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import org.ffmpi.collectives.region.Region;
import org.ffmpi.spi.Engine;

/** The communicator that an {@link Execution} belongs to. */
public interface ExecutionOwner {
  /** Returns the communicator's region, or or null. */
  Region region();

  /** Returns whether there is a region. Inlined where the class of regions is not loaded, as {@link #region} is not. */
  boolean hasRegion();

  /**
   * Records a call that has a number in the region, but goes by messages.
   *
   * @param number its number there
   * @param tag the tag of its messages
   */
  void recordMessageCall(long number, int tag);

  /**
   * Makes progress on all operations after every few blocking calls in the region, which by themselves may never poll
   * for messages.
   *
   * @param engine the communicator's engine
   */
  void progressPeriodically(Engine engine);

  /**
   * Releases an execution that has completed without error and that nothing else refers to.
   *
   * @param execution the next call may use it
   */
  void release(Execution execution);
}
