// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommState;

/** The graph whose nodes are the ranks of a communicator, known as a whole. */
public final class GraphTopology {
  private final CommState state;
  private final int[] index;
  private final int[] edges;

  GraphTopology(CommState state, int[] index, int[] edges) {
    this.state = state;
    this.index = index;
    this.edges = edges;
  }

  public int nnodes() {
    state.checkOpen();
    return index.length;
  }

  public int nedges() {
    state.checkOpen();
    return edges.length;
  }

  public int[] index() {
    state.checkOpen();
    return index.clone();
  }

  public int[] edges() {
    state.checkOpen();
    return edges.clone();
  }

  public int neighborsCount(int rank) {
    state.checkOpen();
    checkMember(rank);
    return index[rank] - begin(index, rank);
  }

  public int[] neighbors(int rank) {
    state.checkOpen();
    checkMember(rank);
    return neighbors(index, edges, rank);
  }

  static int[] neighbors(int[] index, int[] edges, int rank) {
    return Arrays.copyOfRange(edges, begin(index, rank), index[rank]);
  }

  /** Returns 0, 1, 2 and so on. */
  static int[] inOrder(int blocks) {
    int[] order = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      order[i] = i;
    }
    return order;
  }

  private static int begin(int[] index, int rank) {
    return rank == 0 ? 0 : index[rank - 1];
  }

  private void checkMember(int rank) {
    if (rank < 0 || rank >= index.length) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_RANK, "rank", rank, "0.." + (index.length - 1)));
    }
  }
}
