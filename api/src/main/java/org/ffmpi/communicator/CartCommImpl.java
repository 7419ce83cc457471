// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.CartComm;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Topology;
import org.ffmpi.base.Standard;
import org.ffmpi.collective.NeighborForms;
import org.ffmpi.process.CommState;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Neighbors;
import org.ffmpi.spi.Operation;
import org.ffmpi.topology.Grid;

/** A communicator whose ranks lie on a grid. */
public final class CartCommImpl extends ForwardingCartComm implements CartComm {
  private final Grid grid;
  private final CartTopology gridTopology;
  private final NeighborForms neighborCollectives;

  CartCommImpl(
      World world, Channel channel, Errhandler<? super Comm> errhandler, Grid grid) {
    super(world, channel, "", errhandler);
    this.grid = grid;
    this.gridTopology = new CartTopology(
        state(), contexts(), grid, (part, ofPart) -> new CartCommImpl(world, part, state().errhandler(), ofPart));
    int[] ranks = grid.neighbors(channel.rank());
    this.neighborCollectives = new NeighborForms(
        collectives, new Neighbors(ranks, ranks, Grid.upperFirst(ranks.length)));
  }

  @Override
  CartTopology gridTopology() {
    return gridTopology;
  }

  @Override
  NeighborForms neighborCollectives() {
    return neighborCollectives;
  }

  @Standard({"MPI_Topo_test"})
  @Override
  public Topology topology() {
    state().checkOpen();
    return Topology.CART;
  }

  @Override
  Operation spread(long[] first) {
    return IntraCommImpl.spreadWithin(state(), first);
  }

  @Override
  CartCommImpl copy(long context) {
    CommState state = state();
    return new CartCommImpl(
        state.world, new Channel(state.engine, context, state.channel.local()), state.errhandler(), grid);
  }

  @Override
  String kind() {
    return "CartComm";
  }
}
