// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.Arrays;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The processes of a group in the order of their ranks, each named by its peer number in the engine. Members at a fixed
 * distance, as in the world or in every second rank of it, are stored as three numbers; other orders as an array, and
 * the map from a peer to its rank as another one, made at its first use. Immutable; any thread.
 */
public final class Members {
  /** The empty group. */
  public static final Members EMPTY = new Members(0, 0, 1, null);

  private final int first;
  private final int size;
  private final int stride;

  /** Peers by rank; null when first, size and stride determine them. */
  private final int[] peers;

  /** Ranks by peer - {@link #lowest}, UNDEFINED where there is none; made at its first use. */
  private volatile int[] ranks;

  private int lowest;

  private Members(int first, int size, int stride, int[] peers) {
    this.first = first;
    this.size = size;
    this.stride = stride;
    this.peers = peers;
  }

  /**
   * Returns all peers of an engine, ranked as it numbers them.
   *
   * @param peers number of peers
   * @return the members
   */
  public static Members all(int peers) {
    return range(0, peers, 1);
  }

  /**
   * Returns peers that follow each other at a fixed distance.
   *
   * @param first peer of rank 0
   * @param size number of ranks
   * @param stride what to add from rank to rank; not 0 when there are two or more
   * @return the members
   */
  public static Members range(int first, int size, int stride) {
    long last = first + (size - 1L) * stride;
    if (size < 0 || size > 0 && (first < 0 || last < 0 || last > Integer.MAX_VALUE) || size > 1 && stride == 0) {
      throw MpiException.argument(
          ErrorClass.ERR_GROUP, "range", first + ", " + size + ", " + stride, "distinct peers from 0 on");
    }
    return size == 0 ? EMPTY : new Members(first, size, size == 1 ? 1 : stride, null);
  }

  /**
   * Returns peers in any order.
   *
   * @param peers peer of each rank, all different
   * @return the members
   */
  public static Members of(int... peers) {
    if (peers.length == 0) {
      return EMPTY;
    }
    int stride = peers.length == 1 ? 1 : peers[1] - peers[0];
    int r = 1;
    while (r < peers.length && stride != 0 && peers[r] - peers[r - 1] == stride) {
      r++;
    }
    return r == peers.length
        ? range(peers[0], peers.length, stride)
        : new Members(0, peers.length, 0, peers.clone());
  }

  /**
   * Returns the number of members.
   *
   * @return number of ranks
   */
  public int size() {
    return size;
  }

  /**
   * Returns the peer of a rank.
   *
   * @param rank from 0 to {@link #size} - 1
   * @return the peer
   */
  public int peer(int rank) {
    return peers == null ? first + rank * stride : peers[rank];
  }

  /**
   * Returns the rank of a peer.
   *
   * @param peer any peer of the engine
   * @return its rank, or UNDEFINED when it is no member
   */
  public int rankOf(int peer) {
    if (peers == null) {
      int distance = peer - first;
      if (stride == 1) { // no division on the path of each message
        return distance >= 0 && distance < size ? distance : Constants.UNDEFINED;
      }
      int rank = distance / stride;
      return rank >= 0 && rank < size && rank * stride == distance ? rank : Constants.UNDEFINED;
    }
    int[] table = ranks;
    if (table == null) {
      table = invert();
    }
    int index = peer - lowest;
    return index >= 0 && index < table.length ? table[index] : Constants.UNDEFINED;
  }

  private synchronized int[] invert() {
    if (ranks == null) {
      int least = Integer.MAX_VALUE;
      int most = 0;
      for (int peer : peers) {
        least = Math.min(least, peer);
        most = Math.max(most, peer);
      }
      int[] table = new int[most - least + 1];
      Arrays.fill(table, Constants.UNDEFINED);
      for (int r = 0; r < size; r++) {
        table[peers[r] - least] = r;
      }
      lowest = least;
      ranks = table;
    }
    return ranks;
  }

  /**
   * Returns whether the peers follow each other at a fixed distance, so that there is no list of them.
   *
   * @return true also for one member and for none
   */
  public boolean isRange() {
    return peers == null;
  }

  /**
   * Returns the peers by rank.
   *
   * @return an array of the caller's own
   */
  public int[] toArray() {
    if (peers != null) {
      return peers.clone();
    }
    int[] array = new int[size];
    for (int r = 0; r < size; r++) {
      array[r] = first + r * stride;
    }
    return array;
  }

  /** Compares by content: equal when the same peers have the same ranks. */
  @Override
  public boolean equals(Object o) {
    return o instanceof Members m && size == m.size && first == m.first && stride == m.stride
        && (peers == m.peers || peers != null && m.peers != null && Arrays.equals(peers, m.peers));
  }

  @Override
  public int hashCode() {
    return peers != null ? Arrays.hashCode(peers) : (first * 31 + size) * 31 + stride;
  }

  /** Describes the members for messages. */
  @Override
  public String toString() {
    return peers == null && size > 2 && stride == 1 ? "[" + first + ".." + (first + size - 1) + "]"
        : Arrays.toString(toArray());
  }
}
