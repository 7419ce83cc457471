// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.DistGraphComm;
import org.ffmpi.process.CommState;
import org.ffmpi.topology.Adjacency;

/** The part of a directed graph that one rank of a communicator knows. */
public final class DistGraphTopology {
  private final CommState state;
  private final Adjacency adjacency;

  DistGraphTopology(CommState state, Adjacency adjacency) {
    this.state = state;
    this.adjacency = adjacency;
  }

  public DistGraphComm.NeighborsCount neighborsCount() {
    state.checkOpen();
    return new DistGraphComm.NeighborsCount(
        adjacency.sources().length, adjacency.destinations().length, adjacency.isWeighted());
  }

  public DistGraphComm.Neighbors neighbors() {
    state.checkOpen();
    boolean weighted = adjacency.isWeighted();
    return new DistGraphComm.Neighbors(
        adjacency.sources().clone(), weighted ? adjacency.sourceWeights().clone() : DistGraphComm.UNWEIGHTED,
        adjacency.destinations().clone(), weighted ? adjacency.destWeights().clone() : DistGraphComm.UNWEIGHTED);
  }
}
