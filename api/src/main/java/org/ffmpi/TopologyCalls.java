// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;
import org.ffmpi.topology.Adjacency;
import org.ffmpi.topology.EdgeList;
import org.ffmpi.topology.Graph;
import org.ffmpi.topology.Grid;
import org.ffmpi.topology.Machine;
import org.ffmpi.topology.Placement;

/**
 * The calls that make communicators which know how their ranks lie to each other or to the machine. Each takes part in
 * all that is collective before it looks at its arguments, so that a rank with wrong ones keeps nobody waiting.
 */
abstract sealed class TopologyCalls extends Comm permits IntraComm {
  /** What a rank says whose arguments are wrong. */
  private static final long[] WRONG = {};

  TopologyCalls(World world, Channel channel, String name, Errhandler<? super Comm> errhandler) {
    super(world, channel, name, errhandler);
  }

  // ---- grids

  /**
   * Makes a communicator whose ranks lie on a grid ({@code MPI_Cart_create}, MPI-4.1 §8.5.1). Collective: all ranks
   * call it with the same arguments; with {@code reorder} it blocks until they have.
   *
   * @param dims how long the grid is along each dimension, at least 1; none for a grid of one place
   * @param periods which dimensions close to rings
   * @param reorder whether ranks may get other numbers than here, so that neighbours share caches. They do when ranks
   *     are bound to cores, and the machine is not alike everywhere
   * @return the new communicator, to be closed by the program; null at ranks for which the grid has no place
   * @throws MpiException ERR_DIMS when a dimension is not positive or the grid has more places than there are ranks,
   *     ERR_ARG when {@code periods} has more or fewer entries than {@code dims}
   */
  @Standard({"MPI_Cart_create"})
  public CartComm cartCreate(int[] dims, boolean[] periods, boolean reorder) {
    checkCommunication();
    long context = nextContext();
    try {
      agree(dims, periods, reorder);
      long[][] places = reorder ? Hardware.places(channel, world) : null;
      Grid grid = Grid.of(dims, periods, size());
      Channel made = over(context, order(places, grid));
      return made == null ? null : new CartComm(world, made, errhandler(), grid);
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Tells which rank this process would get on a grid if ranks may be reordered ({@code MPI_Cart_map}, MPI-4.1 §8.5.8).
   * Collective, blocks until all ranks have called it.
   *
   * @param dims as for {@link #cartCreate}
   * @param periods as for {@link #cartCreate}
   * @return the rank, or {@code UNDEFINED} when the grid has no place for this process
   * @throws MpiException as {@link #cartCreate}
   */
  @Standard({"MPI_Cart_map"})
  public int cartMap(int[] dims, boolean[] periods) {
    checkCommunication();
    try {
      agree(dims, periods);
      long[][] places = Hardware.places(channel, world);
      return rankIn(order(places, Grid.of(dims, periods, size())));
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  private static int[] order(long[][] places, Grid grid) {
    return places == null
        ? IntStream.range(0, grid.size()).toArray()
        : Placement.order(Arrays.copyOf(places, grid.size()), grid.graph(), grid);
  }

  // ---- graphs that everybody knows

  /**
   * Makes a communicator whose ranks are the nodes of a graph ({@code MPI_Graph_create}, MPI-4.1 §8.5.3). Collective:
   * all ranks call it with the same arguments; with {@code reorder} it blocks until they have.
   *
   * @param index for each node, how many edges it and those before it have
   * @param edges the neighbours of the first node, then those of the second, and so on; a node may be its own
   *     neighbour, and one several times. An edge need not exist in the other direction too
   * @param reorder whether ranks may get other numbers than here, so that neighbours share caches; see
   *     {@link #cartCreate}
   * @return the new communicator, to be closed by the program; null at ranks that are no nodes, and everywhere for the
   *     graph without nodes
   * @throws MpiException ERR_TOPOLOGY when there are more nodes than ranks or {@code index} does not fit {@code edges},
   *     ERR_RANK when an edge leads to no node, ERR_ARG when an array is null
   */
  @Standard({"MPI_Graph_create"})
  public GraphComm graphCreate(int[] index, int[] edges, boolean reorder) {
    checkCommunication();
    long context = nextContext();
    try {
      agree(index, edges, reorder);
      long[][] places = reorder ? Hardware.places(channel, world) : null;
      Graph.check(index, edges, size());
      Channel made = over(context, order(places, index, edges));
      return made == null ? null : new GraphComm(world, made, errhandler(), index.clone(), edges.clone());
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Tells which rank this process would get in a graph if ranks may be reordered ({@code MPI_Graph_map}, MPI-4.1
   * §8.5.8). Collective, blocks until all ranks have called it.
   *
   * @param index as for {@link #graphCreate}
   * @param edges as for {@link #graphCreate}
   * @return the rank, or {@code UNDEFINED} when this process is no node
   * @throws MpiException as {@link #graphCreate}
   */
  @Standard({"MPI_Graph_map"})
  public int graphMap(int[] index, int[] edges) {
    checkCommunication();
    try {
      agree(index, edges);
      long[][] places = Hardware.places(channel, world);
      Graph.check(index, edges, size());
      return rankIn(order(places, index, edges));
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  private static int[] order(long[][] places, int[] index, int[] edges) {
    return places == null
        ? IntStream.range(0, index.length).toArray()
        : Placement.order(Arrays.copyOf(places, index.length), Graph.of(index, edges), null);
  }

  // ---- graphs of which everybody knows its part

  /**
   * Makes a communicator whose ranks are the nodes of a directed graph, of which each gives its own edges
   * ({@code MPI_Dist_graph_create_adjacent}, MPI-4.1 §8.5.4). Collective; with {@code reorder} it blocks until all
   * ranks have called it. Each edge is given twice, by the rank that it leads from and by the one that it leads to.
   *
   * @param sources ranks whose edges lead to this one; this one too, and one several times
   * @param sourceWeights the weights of these edges, not negative, or {@link DistGraphComm#UNWEIGHTED} at all ranks and
   *     for both directions
   * @param destinations ranks that edges lead to from this one
   * @param destWeights the weights of these edges, or {@link DistGraphComm#UNWEIGHTED}
   * @param info hints, none of which is known; may be null
   * @param reorder whether ranks may get other numbers than here, so that ranks with heavy edges share caches; see
   *     {@link #cartCreate}. The new rank has the edges that the same rank gives here
   * @return the new communicator, to be closed by the program
   * @throws MpiException ERR_RANK when there is no such rank, ERR_ARG when arrays are null or do not fit each other or
   *     a weight is negative, ERR_INFO when the info has been freed; ERR_TOPOLOGY, where everything is checked or with
   *     {@code reorder}, when ranks contradict each other, or another rank's arguments are wrong
   */
  @Standard({"MPI_Dist_graph_create_adjacent"})
  public DistGraphComm distGraphCreateAdjacent(
      int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights, Info info, boolean reorder) {
    checkCommunication();
    long context = nextContext();
    Adjacency own = null;
    MpiException wrong = null;
    try {
      Info.entries(info);
      own = Adjacency.of(sources, sourceWeights, destinations, destWeights, size());
    } catch (MpiException e) {
      wrong = e;
    }
    try {
      if (!reorder && !world.isChecking()) {
        if (wrong != null) {
          throw wrong;
        }
        return new DistGraphComm(world, over(context, null), errhandler(), own);
      }
      long[][] told = tell(wrong, wrong == null ? own.encode() : WRONG);
      Adjacency[] all = Arrays.stream(told).map(Adjacency::decode).toArray(Adjacency[]::new);
      if (world.isChecking()) {
        Adjacency.contradiction(all).ifPresent(text -> {
          throw new MpiException(ErrorClass.ERR_TOPOLOGY, text + ": allowed is the same at both ends of an edge");
        });
      }
      return distGraph(context, all, reorder);
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Makes a communicator whose ranks are the nodes of a directed graph without weights, of which each gives its own
   * edges ({@code MPI_Dist_graph_create_adjacent} with {@code MPI_UNWEIGHTED}, MPI-4.1 §8.5.4). Collective.
   *
   * @param sources ranks whose edges lead to this one
   * @param destinations ranks that edges lead to from this one
   * @param reorder whether ranks may get other numbers than here
   * @return the new communicator, to be closed by the program
   * @throws MpiException as {@link #distGraphCreateAdjacent(int[], int[], int[], int[], Info, boolean)}
   */
  @Standard({"MPI_Dist_graph_create_adjacent"})
  public DistGraphComm distGraphCreateAdjacent(int[] sources, int[] destinations, boolean reorder) {
    return distGraphCreateAdjacent(
        sources, DistGraphComm.UNWEIGHTED, destinations, DistGraphComm.UNWEIGHTED, null, reorder);
  }

  /**
   * Makes a communicator whose ranks are the nodes of a directed graph, of which each gives any edges
   * ({@code MPI_Dist_graph_create}, MPI-4.1 §8.5.4). Collective; blocks until all ranks have called it. Each edge is
   * given once, by any rank.
   *
   * @param sources ranks that edges lead from
   * @param degrees how many edges lead from each of these
   * @param destinations where the edges lead: first those from the first source, then those from the second, and so on
   * @param weights the weights of the edges, not negative, or {@link DistGraphComm#UNWEIGHTED} at all ranks
   * @param info hints, none of which is known; may be null
   * @param reorder whether ranks may get other numbers than here, so that ranks with heavy edges share caches; see
   *     {@link #cartCreate}
   * @return the new communicator, to be closed by the program
   * @throws MpiException ERR_RANK when there is no such rank, ERR_ARG when arrays are null or do not fit each other or
   *     a degree or weight is negative, ERR_INFO when the info has been freed; ERR_TOPOLOGY when some ranks give
   *     weights and others do not, or another rank's arguments are wrong
   */
  @Standard({"MPI_Dist_graph_create"})
  public DistGraphComm distGraphCreate(
      int[] sources, int[] degrees, int[] destinations, int[] weights, Info info, boolean reorder) {
    checkCommunication();
    long context = nextContext();
    long[] mine = WRONG;
    MpiException wrong = null;
    try {
      Info.entries(info);
      mine = EdgeList.of(sources, degrees, destinations, weights, size()).encode();
    } catch (MpiException e) {
      wrong = e;
    }
    try {
      EdgeList[] all = Arrays.stream(tell(wrong, mine)).map(EdgeList::decode).toArray(EdgeList[]::new);
      return distGraph(context, EdgeList.collect(all, size()), reorder);
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /** Tells all ranks something whose first number says whether there are weights, and checks that they agree. */
  private long[][] tell(MpiException wrong, long[] mine) {
    long[][] told = Exchange.allgatherv(channel, world, mine);
    if (wrong != null) {
      throw wrong;
    }
    for (int rank = 0; rank < told.length; rank++) {
      if (told[rank].length == 0) {
        throw new MpiException(ErrorClass.ERR_TOPOLOGY, "the arguments of rank " + rank + " are wrong");
      }
      if (told[rank][0] != mine[0]) {
        throw new MpiException(
            ErrorClass.ERR_TOPOLOGY,
            "weights: rank " + rank + (mine[0] == 0 ? " gives some" : " is UNWEIGHTED")
                + ", unlike this one: allowed is UNWEIGHTED at all ranks or none");
      }
    }
    return told;
  }

  private DistGraphComm distGraph(long context, Adjacency[] all, boolean reorder) {
    int[] order = reorder ? Placement.order(Hardware.places(channel, world), Adjacency.graph(all), null) : null;
    Channel made = over(context, order);
    return new DistGraphComm(world, made, errhandler(), all[made.rank()]);
  }

  // ---- the machine

  /**
   * Makes a communicator of all ranks that share something of the machine, for each such part
   * ({@code MPI_Comm_split_type}, MPI-4.1 §7.4.2). Collective; blocks until all ranks have called it.
   *
   * <p>Kinds of hardware are named as {@link Mpi#hwResourceInfo} does: {@code hwloc://Package},
   * {@code hwloc://NUMANode}, {@code hwloc://L3Cache} and so on, and {@code mpi_shared_memory}. A rank belongs to a
   * part of the hardware when it is bound to cores of that part and no others.
   *
   * @param type by what; null, for {@code MPI_UNDEFINED}, at ranks that take no part. Otherwise the same at all ranks
   * @param key by which ranks are ordered in the new communicator; equal ones as here
   * @param info for the guided types, what guides: {@code mpi_hw_resource_type}, or instead of it for RESOURCE_GUIDED
   *     {@code mpi_pset_name}, the same at all ranks. With HW_UNGUIDED {@code mpi_hw_resource_type} is set in it to the
   *     kind of hardware that was found. May be null
   * @return the new communicator, to be closed by the program; null where the rank takes no part or is held to no part
   *     of that kind, where {@code info} names nothing known, and with HW_UNGUIDED where no hardware tells ranks apart
   * @throws MpiException ERR_ARG when ranks give different types, ERR_INFO when the info has been freed
   */
  @Standard({"MPI_Comm_split_type"})
  public IntraComm splitType(SplitType type, int key, Info info) {
    checkCommunication();
    long context = nextContext();
    try {
      MpiException wrong = null;
      long[] mine = SplitByType.sayNothing();
      try {
        if (type != null) {
          mine = SplitByType.say(world, type, key, Info.entries(info), this::processSet);
        }
      } catch (MpiException e) {
        wrong = e;
      }
      long[] all = Exchange.allgather(channel, world, mine);
      if (wrong != null) {
        throw wrong;
      }
      SplitByType.Result result = SplitByType.result(all, rank());
      if (result.ranks().length == 0) {
        return null;
      }
      if (info != null) {
        result.chosen().ifPresent(resource -> info.set(SplitByType.RESOURCE_KEY, resource.uri()));
      }
      return new IntraComm(world, over(context, result.ranks()), "", errhandler());
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /** Returns which of the process sets of a name this process is in: each has a set of its own named for itself. */
  private int processSet(String name) {
    return switch (name) {
      case Session.WORLD -> 0;
      case Session.SELF -> world.rank();
      default -> Machine.NONE;
    };
  }

  // ---- what they share

  /** Where everything is checked, makes sure that all ranks give the same arguments. Collective, blocks. */
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

  /** Makes a channel over some of this one's ranks in an order, or all as they are; null when this one is not there. */
  private Channel over(long context, int[] ranks) {
    Members members = channel.local();
    if (ranks != null && !Arrays.equals(ranks, IntStream.range(0, size()).toArray())) {
      members = Members.of(Arrays.stream(ranks).map(channel::peer).toArray());
    }
    return members.rankOf(engine.self()) == Constants.UNDEFINED ? null : new Channel(engine, context, members);
  }

  private int rankIn(int[] order) {
    for (int rank = 0; rank < order.length; rank++) {
      if (order[rank] == rank()) {
        return rank;
      }
    }
    return Constants.UNDEFINED;
  }
}
