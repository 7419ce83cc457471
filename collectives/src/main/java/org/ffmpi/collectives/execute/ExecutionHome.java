// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import org.ffmpi.collectives.region.Region;
import org.ffmpi.spi.Engine;

/** The communicator that executions belong to. */
public interface ExecutionHome {
  /** Returns the communicator's region, or null while there is none. */
  Region region();

  /** Returns whether there is a region. Inlined where the class of regions is not loaded, as {@link #region} is not. */
  boolean hasRegion();

  /**
   * Notes a call that has a number in the region, but goes by messages.
   *
   * @param number its number there
   * @param tag the tag of its messages
   */
  void goesByMessages(long number, int tag);

  /**
   * Makes progress on everything else after some blocking calls in the region, which by themselves may never look for
   * messages.
   *
   * @param engine the communicator's engine
   */
  void progressNowAndThen(Engine engine);

  /**
   * Gives an execution back that has ended well and that nothing else refers to.
   *
   * @param execution the next call may use it
   */
  void release(Execution execution);
}
