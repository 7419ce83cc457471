// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.communicator.GraphCommImpl;

/**
 * A communicator whose ranks are the nodes of a graph that each of them knows as a whole (MPI-4.1 §8.5.3). Made by
 * {@link IntraComm#graphCreate}. For large graphs {@link DistGraphComm} needs less memory.
 *
 * <p>Duplicates have the same graph; other communicators that are made out of this one have none.
 */
public sealed interface GraphComm extends TopologyComm permits GraphCommImpl {
  /**
   * Returns the number of nodes ({@code MPI_Graphdims_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return {@link #size}
   */
  @Standard({"MPI_Graphdims_get"})
  int nnodes();

  /**
   * Returns the number of edges, as they were given ({@code MPI_Graphdims_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return 0 or more
   */
  @Standard({"MPI_Graphdims_get"})
  int nedges();

  /**
   * Returns where each node's edges end ({@code MPI_Graph_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return the array {@code index} that the graph was made of, a new one
   */
  @Standard({"MPI_Graph_get"})
  int[] index();

  /**
   * Returns the neighbours of all nodes, one node after the other ({@code MPI_Graph_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return the array {@code edges} that the graph was made of, a new one
   */
  @Standard({"MPI_Graph_get"})
  int[] edges();

  /**
   * Returns how many neighbours a rank has ({@code MPI_Graph_neighbors_count}, MPI-4.1 §8.5.5). Local.
   *
   * @param rank a rank of this communicator
   * @return the number of its edges
   * @throws MpiException ERR_RANK when there is no such rank
   */
  @Standard({"MPI_Graph_neighbors_count"})
  int neighborsCount(int rank);

  /**
   * Returns the neighbours of a rank ({@code MPI_Graph_neighbors}, MPI-4.1 §8.5.5). Local.
   *
   * @param rank a rank of this communicator
   * @return ranks in the order in which the edges were given, repeated ones too; a new array
   * @throws MpiException ERR_RANK when there is no such rank
   */
  @Standard({"MPI_Graph_neighbors"})
  int[] neighbors(int rank);

  @Override
  @Standard({"MPI_Comm_dup"})
  GraphComm dup();

  @Override
  @Standard({"MPI_Comm_idup"})
  CommRequest<GraphComm> idup();

  @Override
  @Standard({"MPI_Comm_dup_with_info"})
  GraphComm dup(Info info);

  @Override
  @Standard({"MPI_Comm_idup_with_info"})
  CommRequest<GraphComm> idup(Info info);
}
