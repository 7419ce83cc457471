// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.GraphComm;
import org.ffmpi.Topology;
import org.ffmpi.base.Standard;
import org.ffmpi.collective.NeighborForms;
import org.ffmpi.process.CommState;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Neighbors;
import org.ffmpi.spi.Operation;

/** A communicator whose ranks are the nodes of a graph that each of them knows. */
public final class GraphCommImpl extends ForwardingGraphComm implements GraphComm {
  private final int[] index;
  private final int[] edges;
  private final GraphTopology graphTopology;
  private final NeighborForms neighborCollectives;

  GraphCommImpl(
      World world, Channel channel, Errhandler<? super Comm> errhandler, int[] index, int[] edges) {
    super(world, channel, "", errhandler);
    this.index = index;
    this.edges = edges;
    this.graphTopology = new GraphTopology(state(), index, edges);
    int[] ranks = GraphTopology.neighbors(index, edges, channel.rank());
    this.neighborCollectives = new NeighborForms(
        collectives, new Neighbors(ranks, ranks, GraphTopology.inOrder(ranks.length)));
  }

  @Override
  GraphTopology graphTopology() {
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
    return Topology.GRAPH;
  }

  @Override
  Operation spread(long[] first) {
    return IntraCommImpl.spreadWithin(state(), first);
  }

  @Override
  GraphCommImpl copy(long context) {
    CommState state = state();
    return new GraphCommImpl(
        state.world, new Channel(state.engine, context, state.channel.local()), state.errhandler(), index, edges);
  }

  @Override
  String kind() {
    return "GraphComm";
  }
}
