// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/** The calls of {@link IntraComm} that make communicators which know their ranks' places. */
public sealed interface TopologyCalls permits IntraComm {
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
  CartComm cartCreate(int[] dims, boolean[] periods, boolean reorder);

  /**
   * Returns which rank this process would get on a grid if ranks may be reordered ({@code MPI_Cart_map}, MPI-4.1
   * §8.5.8). Collective, blocks until all ranks have called it.
   *
   * @param dims as for {@link #cartCreate}
   * @param periods as for {@link #cartCreate}
   * @return the rank, or {@code UNDEFINED} when the grid has no place for this process
   * @throws MpiException as {@link #cartCreate}
   */
  @Standard({"MPI_Cart_map"})
  int cartMap(int[] dims, boolean[] periods);

  // ---- graphs that all ranks know

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
   * @throws MpiException ERR_TOPOLOGY when there are more nodes than ranks or {@code index} does not fit
   *     {@code edges}, ERR_RANK when an edge leads to no node, ERR_ARG when an array is null
   */
  @Standard({"MPI_Graph_create"})
  GraphComm graphCreate(int[] index, int[] edges, boolean reorder);

  /**
   * Returns which rank this process would get in a graph if ranks may be reordered ({@code MPI_Graph_map}, MPI-4.1
   * §8.5.8). Collective, blocks until all ranks have called it.
   *
   * @param index as for {@link #graphCreate}
   * @param edges as for {@link #graphCreate}
   * @return the rank, or {@code UNDEFINED} when this process is no node
   * @throws MpiException as {@link #graphCreate}
   */
  @Standard({"MPI_Graph_map"})
  int graphMap(int[] index, int[] edges);

  // ---- graphs of which each rank knows its part

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
  DistGraphComm distGraphCreateAdjacent(
      int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights, Info info, boolean reorder);

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
  DistGraphComm distGraphCreateAdjacent(int[] sources, int[] destinations, boolean reorder);

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
  DistGraphComm distGraphCreate(
      int[] sources, int[] degrees, int[] destinations, int[] weights, Info info, boolean reorder);

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
   *     of that kind, where {@code info} names nothing known, and with HW_UNGUIDED where no hardware distinguishes
   *     ranks
   * @throws MpiException ERR_ARG when ranks give different types, ERR_INFO when the info has been freed
   */
  @Standard({"MPI_Comm_split_type"})
  IntraComm splitType(SplitType type, int key, Info info);

}
