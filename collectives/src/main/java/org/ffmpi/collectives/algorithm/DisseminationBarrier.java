// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A barrier in ceil(log2 n) rounds for any number of ranks. In round k each rank signals the rank 2^k further on, and
 * is signalled by the rank 2^k before, that all ranks it has a signal from have arrived.
 */
final class DisseminationBarrier extends Algorithm {
  DisseminationBarrier() {
    super("dissemination", Collective.BARRIER, "log2 n rounds");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    int heard = ScheduleBuilder.NO_STEP;
    for (int distance = 1; distance < shape.size(); distance <<= 1) {
      builder.after(heard);
      builder.send((shape.rank() + distance) % shape.size(), Slice.NOTHING);
      heard = builder.receive(Math.floorMod(shape.rank() - distance, shape.size()), Slice.NOTHING);
    }
  }
}
