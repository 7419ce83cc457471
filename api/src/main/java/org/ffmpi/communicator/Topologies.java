// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ffmpi.CartComm;
import org.ffmpi.DistGraphComm;
import org.ffmpi.GraphComm;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Session;
import org.ffmpi.SplitType;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommState;
import org.ffmpi.process.InfoAccess;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;
import org.ffmpi.topology.Adjacency;
import org.ffmpi.topology.EdgeList;
import org.ffmpi.topology.Graph;
import org.ffmpi.topology.Grid;
import org.ffmpi.topology.Machine;
import org.ffmpi.topology.Placement;

/**
 * Makes communicators with a topology of their ranks, or a mapping to the machine. Each call takes part in all
 * collective steps before it checks its arguments, so that a rank with wrong ones keeps no other waiting.
 */
public final class Topologies {
  /** The word of a rank whose arguments are wrong. */
  private static final long[] WRONG = {};

  /** The kinds of numbers that {@link #exchange} gathers: the neighbours of each rank, or edges anywhere. */
  private static final int ADJACENCY = 1;

  private static final int EDGES = 2;

  private final CommState state;
  private final World world;
  private final Channel channel;
  private final ContextSupply contexts;

  Topologies(CommState state, ContextSupply contexts) {
    this.state = state;
    this.world = state.world;
    this.channel = state.channel;
    this.contexts = contexts;
  }

  // ---- grids

  public CartComm cartCreate(int[] dims, boolean[] periods, boolean reorder) {
    state.checkCollective();
    long context = contexts.next();
    try {
      agree(dims, periods, reorder);
      long[][] places = reorder ? Hardware.places(channel, world) : null;
      Grid grid = Grid.of(dims, periods, channel.size());
      Channel made = over(context, order(places, grid));
      return made == null ? null : new CartCommImpl(world, made, state.errhandler(), grid);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public int cartMap(int[] dims, boolean[] periods) {
    state.checkCollective();
    try {
      agree(dims, periods);
      long[][] places = Hardware.places(channel, world);
      return rankIn(order(places, Grid.of(dims, periods, channel.size())));
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  private static int[] order(long[][] places, Grid grid) {
    return places == null
        ? IntStream.range(0, grid.size()).toArray()
        : Placement.order(Arrays.copyOf(places, grid.size()), grid.graph(), grid);
  }

  // ---- graphs that all ranks know

  public GraphComm graphCreate(int[] index, int[] edges, boolean reorder) {
    state.checkCollective();
    long context = contexts.next();
    try {
      agree(index, edges, reorder);
      long[][] places = reorder ? Hardware.places(channel, world) : null;
      Graph.check(index, edges, channel.size());
      Channel made = over(context, order(places, index, edges));
      return made == null ? null : new GraphCommImpl(world, made, state.errhandler(), index.clone(), edges.clone());
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public int graphMap(int[] index, int[] edges) {
    state.checkCollective();
    try {
      agree(index, edges);
      long[][] places = Hardware.places(channel, world);
      Graph.check(index, edges, channel.size());
      return rankIn(order(places, index, edges));
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  private static int[] order(long[][] places, int[] index, int[] edges) {
    return places == null
        ? IntStream.range(0, index.length).toArray()
        : Placement.order(Arrays.copyOf(places, index.length), Graph.of(index, edges), null);
  }

  // ---- graphs of which each rank knows its part

  public DistGraphComm distGraphCreateAdjacent(
      int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights, Info info, boolean reorder) {
    state.checkCollective();
    long context = contexts.next();
    Adjacency own = null;
    MpiException wrong = null;
    try {
      InfoAccess.entries(info);
      own = Adjacency.of(sources, sourceWeights, destinations, destWeights, channel.size());
    } catch (MpiException e) {
      wrong = e;
    }
    try {
      if (!reorder && !world.isChecking()) {
        if (wrong != null) {
          throw wrong;
        }
        return new DistGraphCommImpl(world, over(context, null), state.errhandler(), own);
      }
      long[][] numbers = exchange(ADJACENCY, wrong, wrong == null ? own.encode() : WRONG);
      Adjacency[] all = Arrays.stream(numbers).map(Adjacency::decode).toArray(Adjacency[]::new);
      if (world.isChecking()) {
        Adjacency.contradiction(all).ifPresent(text -> {
          throw new MpiException(ErrorClass.ERR_TOPOLOGY, text + ": allowed is the same at both ends of an edge");
        });
      }
      return distGraph(context, all, reorder);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public DistGraphComm distGraphCreateAdjacent(int[] sources, int[] destinations, boolean reorder) {
    return distGraphCreateAdjacent(
        sources, DistGraphComm.UNWEIGHTED, destinations, DistGraphComm.UNWEIGHTED, null, reorder);
  }

  public DistGraphComm distGraphCreate(
      int[] sources, int[] degrees, int[] destinations, int[] weights, Info info, boolean reorder) {
    state.checkCollective();
    long context = contexts.next();
    long[] mine = WRONG;
    MpiException wrong = null;
    try {
      InfoAccess.entries(info);
      mine = EdgeList.of(sources, degrees, destinations, weights, channel.size()).encode();
    } catch (MpiException e) {
      wrong = e;
    }
    try {
      EdgeList[] all = Arrays.stream(exchange(EDGES, wrong, mine)).map(EdgeList::decode).toArray(EdgeList[]::new);
      return distGraph(context, EdgeList.collect(all, channel.size()), reorder);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  /** Gathers numbers at all ranks, and checks that they agree in the first, the flag of weights. */
  private long[][] exchange(int kind, MpiException wrong, long[] mine) {
    long[][] numbers = Exchange.allgatherv(channel, world, kind, mine);
    if (wrong != null) {
      throw wrong;
    }
    for (int rank = 0; rank < numbers.length; rank++) {
      if (numbers[rank].length == 0) {
        throw new MpiException(ErrorClass.ERR_TOPOLOGY, "the arguments of rank " + rank + " are wrong");
      }
      if (numbers[rank][0] != mine[0]) {
        throw new MpiException(
            ErrorClass.ERR_TOPOLOGY,
            "weights: rank " + rank + (mine[0] == 0 ? " gives some" : " is UNWEIGHTED")
                + ", unlike this one: allowed is UNWEIGHTED at all ranks or none");
      }
    }
    return numbers;
  }

  private DistGraphComm distGraph(long context, Adjacency[] all, boolean reorder) {
    int[] order = reorder ? Placement.order(Hardware.places(channel, world), Adjacency.graph(all), null) : null;
    Channel made = over(context, order);
    return new DistGraphCommImpl(world, made, state.errhandler(), all[made.rank()]);
  }

  // ---- the machine

  public IntraComm splitType(SplitType type, int key, Info info) {
    state.checkCollective();
    long context = contexts.next();
    try {
      MpiException wrong = null;
      long[] mine = SplitByType.encodeAbsence();
      try {
        if (type != null) {
          mine = SplitByType.encode(world, type, key, InfoAccess.entries(info), this::processSet);
        }
      } catch (MpiException e) {
        wrong = e;
      }
      long[] all = Exchange.allgather(channel, world, mine);
      if (wrong != null) {
        throw wrong;
      }
      SplitByType.Result result = SplitByType.result(all, channel.rank());
      if (result.ranks().length == 0) {
        return null;
      }
      if (info != null) {
        result.chosen().ifPresent(resource -> info.set(SplitByType.RESOURCE_KEY, resource.uri()));
      }
      return new IntraCommImpl(world, over(context, result.ranks()), "", state.errhandler());
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  /**
   * Returns the number of the process set of a name that this process is in: each process has a set named for itself.
   */
  private int processSet(String name) {
    return switch (name) {
      case Session.WORLD -> 0;
      case Session.SELF -> world.rank();
      default -> Machine.NONE;
    };
  }

  // ---- what they share

  /** Where everything is checked, compares the arguments of all ranks. Collective, blocks. */
  private void agree(Object... arguments) {
    if (world.isChecking()) {
      int hash = Arrays.deepHashCode(arguments);
      long[] all = Exchange.allgather(channel, world, hash);
      for (int rank = 0; rank < all.length; rank++) {
        if (all[rank] != all[0]) {
          throw new MpiException(
              ErrorClass.ERR_ARG, "arguments of rank " + rank + " differ from those of rank 0: allowed are the same");
        }
      }
    }
  }

  /** Makes a channel over some of this one's ranks in an order, or all as they are; null without this rank. */
  private Channel over(long context, int[] ranks) {
    Members members = channel.local();
    if (ranks != null && !Arrays.equals(ranks, IntStream.range(0, channel.size()).toArray())) {
      members = Members.of(Arrays.stream(ranks).map(channel::peer).toArray());
    }
    return members.rankOf(state.engine.self()) == Constants.UNDEFINED
        ? null
        : new Channel(state.engine, context, members);
  }

  private int rankIn(int[] order) {
    for (int rank = 0; rank < order.length; rank++) {
      if (order[rank] == channel.rank()) {
        return rank;
      }
    }
    return Constants.UNDEFINED;
  }
}
