// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;

/**
 * A communicator whose ranks are the nodes of a graph that each of them knows as a whole (MPI-4.1 §8.5.3). Made by
 * {@link IntraComm#graphCreate}. For large graphs {@link DistGraphComm} needs less memory.
 *
 * <p>Duplicates have the same graph; other communicators that are made out of this one have none.
 */
public final class GraphComm extends TopologyComm {
  private final int[] index;
  private final int[] edges;

  GraphComm(World world, Channel channel, Errhandler<? super Comm> errhandler, int[] index, int[] edges) {
    this(world, channel, errhandler, index, edges, neighbors(index, edges, channel.rank()));
  }

  private GraphComm(
      World world, Channel channel, Errhandler<? super Comm> errhandler, int[] index, int[] edges, int[] neighbors) {
    super(world, channel, errhandler, neighbors, neighbors, inOrder(neighbors.length));
    this.index = index;
    this.edges = edges;
  }

  @Override
  @Standard({"MPI_Topo_test"})
  public Topology topology() {
    checkOpen();
    return Topology.GRAPH;
  }

  /**
   * Returns the number of nodes ({@code MPI_Graphdims_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return {@link #size}
   */
  @Standard({"MPI_Graphdims_get"})
  public int nnodes() {
    checkOpen();
    return index.length;
  }

  /**
   * Returns the number of edges, as they were given ({@code MPI_Graphdims_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return 0 or more
   */
  @Standard({"MPI_Graphdims_get"})
  public int nedges() {
    checkOpen();
    return edges.length;
  }

  /**
   * Returns where each node's edges end ({@code MPI_Graph_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return the array {@code index} that the graph was made of, a new one
   */
  @Standard({"MPI_Graph_get"})
  public int[] index() {
    checkOpen();
    return index.clone();
  }

  /**
   * Returns the neighbours of all nodes, one node after the other ({@code MPI_Graph_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return the array {@code edges} that the graph was made of, a new one
   */
  @Standard({"MPI_Graph_get"})
  public int[] edges() {
    checkOpen();
    return edges.clone();
  }

  /**
   * Returns how many neighbours a rank has ({@code MPI_Graph_neighbors_count}, MPI-4.1 §8.5.5). Local.
   *
   * @param rank a rank of this communicator
   * @return the number of its edges
   * @throws MpiException ERR_RANK when there is no such rank
   */
  @Standard({"MPI_Graph_neighbors_count"})
  public int neighborsCount(int rank) {
    checkOpen();
    checkMember(rank);
    return index[rank] - begin(index, rank);
  }

  /**
   * Returns the neighbours of a rank ({@code MPI_Graph_neighbors}, MPI-4.1 §8.5.5). Local.
   *
   * @param rank a rank of this communicator
   * @return ranks in the order in which the edges were given, repeated ones too; a new array
   * @throws MpiException ERR_RANK when there is no such rank
   */
  @Standard({"MPI_Graph_neighbors"})
  public int[] neighbors(int rank) {
    checkOpen();
    checkMember(rank);
    return neighbors(index, edges, rank);
  }

  private static int[] neighbors(int[] index, int[] edges, int rank) {
    return Arrays.copyOfRange(edges, begin(index, rank), index[rank]);
  }

  private static int begin(int[] index, int rank) {
    return rank == 0 ? 0 : index[rank - 1];
  }

  private void checkMember(int rank) {
    if (rank < 0 || rank >= index.length) {
      throw raise(MpiException.argument(ErrorClass.ERR_RANK, "rank", rank, "0.." + (index.length - 1)));
    }
  }

  @Override
  @Standard({"MPI_Comm_dup"})
  public GraphComm dup() {
    return (GraphComm) super.dup();
  }

  @Override
  @Standard({"MPI_Comm_idup"})
  @SuppressWarnings("unchecked") // what copy() makes
  public CommRequest<GraphComm> idup() {
    return (CommRequest<GraphComm>) super.idup();
  }

  @Override
  @Standard({"MPI_Comm_dup_with_info"})
  public GraphComm dup(Info info) {
    return (GraphComm) super.dup(info);
  }

  @Override
  @Standard({"MPI_Comm_idup_with_info"})
  @SuppressWarnings("unchecked") // what copy() makes
  public CommRequest<GraphComm> idup(Info info) {
    return (CommRequest<GraphComm>) super.idup(info);
  }

  @Override
  GraphComm copy(Channel duplicate) {
    return new GraphComm(world, duplicate, errhandler(), index, edges);
  }
}
