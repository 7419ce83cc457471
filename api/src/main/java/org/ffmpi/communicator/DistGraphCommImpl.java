// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.Comm;
import org.ffmpi.DistGraphComm;
import org.ffmpi.Errhandler;
import org.ffmpi.Topology;
import org.ffmpi.base.Standard;
import org.ffmpi.collective.NeighborForms;
import org.ffmpi.process.CommState;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Operation;
import org.ffmpi.topology.Adjacency;

/** A communicator whose ranks are the nodes of a graph of which each knows its own edges. */
public final class DistGraphCommImpl extends ForwardingDistGraphComm implements DistGraphComm {
  private final Adjacency adjacency;
  private final DistGraphTopology graphTopology;
  private final NeighborForms neighborCollectives;

  DistGraphCommImpl(
      World world, Channel channel, Errhandler<? super Comm> errhandler, Adjacency adjacency) {
    super(world, channel, "", errhandler);
    this.adjacency = adjacency;
    this.graphTopology = new DistGraphTopology(state(), adjacency);
    this.neighborCollectives = new NeighborForms(collectives, new org.ffmpi.spi.Neighbors(
        adjacency.sources(), adjacency.destinations(), GraphTopology.inOrder(adjacency.sources().length)));
  }

  @Override
  DistGraphTopology graphTopology() {
    return graphTopology;
  }

  @Override
  NeighborForms neighborCollectives() {
    return neighborCollectives;
  }

  @Standard({"MPI_Topo_test"})
  @Override
  public Topology topology() {
    state().checkOpen();
    return Topology.DIST_GRAPH;
  }

  @Override
  Operation spread(long[] first) {
    return IntraCommImpl.spreadWithin(state(), first);
  }

  @Override
  DistGraphCommImpl copy(long context) {
    CommState state = state();
    return new DistGraphCommImpl(
        state.world, new Channel(state.engine, context, state.channel.local()), state.errhandler(), adjacency);
  }

  @Override
  String kind() {
    return "DistGraphComm";
  }
}
