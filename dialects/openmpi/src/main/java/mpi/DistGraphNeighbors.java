// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.DistGraphComm.Neighbors;

/** This rank's neighbours in a distributed graph ({@code MPI_Dist_graph_neighbors}). */
public final class DistGraphNeighbors {
  private final Neighbors neighbors;
  private final boolean weighted;

  DistGraphNeighbors(Neighbors neighbors, boolean weighted) {
    this.neighbors = neighbors;
    this.weighted = weighted;
  }

  /**
   * Returns from how many ranks edges come.
   *
   * @return 0 or more
   */
  public int getInDegree() {
    return neighbors.sources().length;
  }

  /**
   * Returns to how many ranks edges go.
   *
   * @return 0 or more
   */
  public int getOutDegree() {
    return neighbors.destinations().length;
  }

  /**
   * Returns whether the edges have weights.
   *
   * @return false when the graph was made without
   */
  public boolean isWeighted() {
    return weighted;
  }

  /**
   * Returns where an edge comes from.
   *
   * @param i an incoming edge
   * @return a rank
   */
  public int getSource(int i) {
    return neighbors.sources()[i];
  }

  /**
   * Returns the weight of an incoming edge.
   *
   * @param i the edge
   * @return a number, 1 without weights
   */
  public int getSourceWeight(int i) {
    return weighted ? neighbors.sourceWeights()[i] : 1;
  }

  /**
   * Returns where an edge goes.
   *
   * @param i an outgoing edge
   * @return a rank
   */
  public int getDestination(int i) {
    return neighbors.destinations()[i];
  }

  /**
   * Returns the weight of an outgoing edge.
   *
   * @param i the edge
   * @return a number, 1 without weights
   */
  public int getDestinationWeight(int i) {
    return weighted ? neighbors.destWeights()[i] : 1;
  }
}
