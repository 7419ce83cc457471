// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.Neighbors;

/**
 * The neighbourhood collectives, with a message along each edge. Between two ranks with several edges, messages are
 * sent in the order of the send blocks and received in the neighbourhood's order.
 */
final class NeighborExchange extends Algorithm {
  NeighborExchange(Collective collective) {
    super("linear", collective, "one round");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    Neighbors neighbors = (Neighbors) shape.layout();
    int[] sources = neighbors.sources();
    int[] destinations = neighbors.destinations();
    for (int i = 0; i < destinations.length; i++) {
      if (destinations[i] >= 0) {
        builder.send(destinations[i], builder.sendBuffer(collective() == Collective.NEIGHBOR_ALLGATHER ? 0 : i, 1));
      }
    }
    for (int block : neighbors.receiveOrder()) {
      if (sources[block] >= 0) {
        builder.receive(sources[block], builder.receiveBuffer(block, 1));
      }
    }
  }
}
