// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Standard;
import org.ffmpi.communicator.DistGraphCommImpl;
import org.ffmpi.topology.Adjacency;

/**
 * A communicator whose ranks are the nodes of a directed graph, of which each knows its own neighbours (MPI-4.1
 * §8.5.4). Made by {@link IntraComm#distGraphCreateAdjacent} and {@link IntraComm#distGraphCreate}. A rank may be its
 * own neighbour, and the same one's several times.
 *
 * <p>Duplicates have the same graph; other communicators that are made out of this one have none.
 */
public sealed interface DistGraphComm extends TopologyComm permits DistGraphCommImpl {
  /**
   * In place of an array of weights: the edges have none. A marker, known by its identity, that every rank of a
   * communicator uses or none; {@link #neighbors} returns it where there are no weights.
   */
  @Standard({"MPI_UNWEIGHTED"})
  int[] UNWEIGHTED = Adjacency.UNWEIGHTED;

  /**
   * In place of an array of weights at a rank that has no edges in a graph whose edges have weights. In Java any array
   * without elements but {@link #UNWEIGHTED} means the same.
   */
  @Standard({"MPI_WEIGHTS_EMPTY"})
  int[] WEIGHTS_EMPTY = new int[0];

  /**
   * A rank's neighbours. Arrays are this record's own; two records are equal when they have the same arrays.
   *
   * @param sources ranks whose edges end here
   * @param sourceWeights the weight of each of these edges, or {@link DistGraphComm#UNWEIGHTED}
   * @param destinations ranks that edges from here lead to
   * @param destWeights the weight of each of these edges, or {@link DistGraphComm#UNWEIGHTED}
   */
  record Neighbors(int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights) {}

  /**
   * The numbers of a rank's neighbours.
   *
   * @param indegree number of edges that end here
   * @param outdegree number of edges from here
   * @param weighted whether the edges have weights
   */
  record NeighborsCount(int indegree, int outdegree, boolean weighted) {}

  /**
   * Returns how many neighbours this rank has ({@code MPI_Dist_graph_neighbors_count}, MPI-4.1 §8.5.5). Local.
   *
   * @return both numbers, and whether edges have weights
   */
  @Standard({"MPI_Dist_graph_neighbors_count"})
  NeighborsCount neighborsCount();

  /**
   * Returns this rank's neighbours ({@code MPI_Dist_graph_neighbors}, MPI-4.1 §8.5.5). Local.
   *
   * @return new arrays. After {@link IntraComm#distGraphCreateAdjacent} in the order given there; after
   *     {@link IntraComm#distGraphCreate} in the order of the ranks that gave the edges, and of each as it gave them.
   *     The same at each call
   */
  @Standard({"MPI_Dist_graph_neighbors"})
  Neighbors neighbors();

  @Override
  @Standard({"MPI_Comm_dup"})
  DistGraphComm dup();

  @Override
  @Standard({"MPI_Comm_idup"})
  CommRequest<DistGraphComm> idup();

  @Override
  @Standard({"MPI_Comm_dup_with_info"})
  DistGraphComm dup(Info info);

  @Override
  @Standard({"MPI_Comm_idup_with_info"})
  CommRequest<DistGraphComm> idup(Info info);
}
