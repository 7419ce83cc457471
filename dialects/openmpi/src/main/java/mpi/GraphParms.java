// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The graph of a communicator ({@code MPI_Graph_get}). */
public final class GraphParms {
  private final int[] index;
  private final int[] edges;

  GraphParms(int[] index, int[] edges) {
    this.index = index;
    this.edges = edges;
  }

  /**
   * Returns the number of nodes.
   *
   * @return 0 or more
   */
  public int getIndexCount() {
    return index.length;
  }

  /**
   * Returns how many edges begin at a node or at one before it.
   *
   * @param i a node
   * @return a number
   */
  public int getIndex(int i) {
    return index[i];
  }

  /**
   * Returns the number of edges.
   *
   * @return 0 or more
   */
  public int getEdgeCount() {
    return edges.length;
  }

  /**
   * Returns where an edge ends.
   *
   * @param i an edge
   * @return a node
   */
  public int getEdge(int i) {
    return edges[i];
  }
}
