// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The assignment of a job's ranks to nodes. Ranks of one node share a {@link JobSegment}, which has a block for every
 * rank of the job; the block of a rank elsewhere holds what this node has learnt of it.
 */
public final class Nodes {
  /** A job on one node. */
  public static final Nodes ONE = new Nodes(new int[0], 0);

  /** Contexts of this many communicators fit into 32 bits. */
  private static final long MOST_NUMBERS = 1L << 29;

  private final int[] nodeOf;
  private final int own;
  private final int count;

  /** The ranks of this node, in order; empty for a job on one node. */
  private final int[] local;

  /**
   * Creates the view that one node has.
   *
   * @param nodeOf the node of each rank, from 0; not copied. Empty: all ranks are on node 0
   * @param own this node
   */
  public Nodes(int[] nodeOf, int own) {
    this.nodeOf = nodeOf;
    this.own = own;
    int most = 0;
    for (int node : nodeOf) {
      most = Math.max(most, node);
    }
    this.count = most + 1;
    this.local = IntStream.range(0, nodeOf.length).filter(rank -> nodeOf[rank] == own).toArray();
  }

  /**
   * Returns the number of nodes.
   *
   * @return 1 or more
   */
  public int count() {
    return count;
  }

  /**
   * Returns the node of a rank.
   *
   * @param rank a rank of the job
   * @return its node
   */
  public int node(int rank) {
    return count == 1 ? 0 : nodeOf[rank];
  }

  /**
   * Returns whether a rank shares memory with the ranks of this node.
   *
   * @param rank a rank of the job
   * @return true on this node
   */
  public boolean isLocal(int rank) {
    return count == 1 || nodeOf[rank] == own;
  }

  /**
   * Returns the number of ranks of each node, in a job on several.
   *
   * @return a number for each node
   */
  public int[] sizes() {
    int[] sizes = new int[count];
    for (int node : nodeOf) {
      sizes[node]++;
    }
    return sizes;
  }

  /** Returns the number of this node's ranks. */
  int localRanks(int ranks) {
    return count == 1 ? ranks : local.length;
  }

  /** Returns a rank of this node by its number among them. */
  int rank(int index) {
    return count == 1 ? index : local[index];
  }

  /** Returns a rank's number among those of this node, from 0; negative for a rank of another one. */
  int index(int rank) {
    return count == 1 ? rank : Arrays.binarySearch(local, rank);
  }

  /** Returns the first of the numbers that only this node hands out. */
  long firstNumber() {
    return Math.max(JobOptions.FIRST_FREE_NUMBER, own * (MOST_NUMBERS / count));
  }

  /** Returns the number behind the last one that this node hands out. */
  long endOfNumbers() {
    return (own + 1) * (MOST_NUMBERS / count);
  }
}
