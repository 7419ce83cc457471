// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.function.BiFunction;
import org.ffmpi.CartComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommState;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;
import org.ffmpi.topology.Grid;

/** The grid that the ranks of a communicator lie on. */
public final class CartTopology {
  private final CommState state;
  private final ContextSupply contexts;
  private final Grid grid;
  private final BiFunction<Channel, Grid, CartComm> maker;

  /**
   * Creates the topology of a communicator.
   *
   * @param maker makes the communicator of a part of the grid
   */
  CartTopology(CommState state, ContextSupply contexts, Grid grid, BiFunction<Channel, Grid, CartComm> maker) {
    this.state = state;
    this.contexts = contexts;
    this.grid = grid;
    this.maker = maker;
  }

  public int ndims() {
    state.checkOpen();
    return grid.ndims();
  }

  public int[] dims() {
    state.checkOpen();
    return grid.dims();
  }

  public boolean[] periods() {
    state.checkOpen();
    return grid.periods();
  }

  public int[] coords() {
    state.checkOpen();
    return grid.coords(state.channel.rank());
  }

  public int[] coords(int rank) {
    state.checkOpen();
    checkMember(rank);
    return grid.coords(rank);
  }

  public int rank(int... coords) {
    state.checkOpen();
    try {
      return grid.rank(coords);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public CartComm.Shift shift(int direction, int disp) {
    state.checkOpen();
    if (direction < 0 || direction >= grid.ndims()) {
      String allowed = grid.ndims() == 0 ? "none, since the grid has no dimension" : "0.." + (grid.ndims() - 1);
      throw state.raise(MpiException.argument(ErrorClass.ERR_DIMS, "direction", direction, allowed));
    }
    int rank = state.channel.rank();
    return new CartComm.Shift(
        grid.neighbor(rank, direction, -(long) disp), grid.neighbor(rank, direction, disp));
  }

  public CartComm sub(boolean... remainDims) {
    state.checkOpen();
    long next = contexts.next();
    try {
      grid.checkRemain(remainDims);
    } catch (MpiException e) {
      throw state.raise(e);
    }
    int[] peers = grid.slice(state.channel.rank(), remainDims);
    for (int i = 0; i < peers.length; i++) {
      peers[i] = state.channel.peer(peers[i]);
    }
    return maker.apply(new Channel(state.engine, next, Members.of(peers)), grid.sub(remainDims));
  }

  private void checkMember(int rank) {
    if (rank < 0 || rank >= state.channel.size()) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_RANK, "rank", rank, "0.." + (state.channel.size() - 1)));
    }
  }
}
