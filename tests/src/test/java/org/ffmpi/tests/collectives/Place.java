// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.IntraComm;
import org.ffmpi.Request;
import org.ffmpi.base.Constants;

/**
 * A communicator to try collectives on, and the oracle for it, which is made of messages between two ranks only, on a
 * duplicate. What collectives have to do follows from what they are made of there.
 *
 * @param name for people
 * @param comm null at ranks that are not in it
 * @param shadow a duplicate, for the oracle's messages
 * @param local a communicator of this rank's group, for the oracle's messages; the shadow within one group
 * @param lows number of ranks in the group, or in the low one of two
 * @param highs number of ranks in the high group; 0 within one group
 * @param isLow whether this rank is in the low group
 */
record Place(String name, Comm comm, Comm shadow, IntraComm local, int lows, int highs, boolean isLow) {
  static Place within(String name, IntraComm comm, int size) {
    IntraComm shadow = comm == null ? null : comm.dup();
    return new Place(name, comm, shadow, shadow, size, 0, true);
  }

  boolean isBetweenGroups() {
    return highs > 0;
  }

  int rank() {
    return comm.rank();
  }

  /** Number of ranks in this rank's own group. */
  int size() {
    return isLow ? lows : highs;
  }

  /** Number of ranks that this one sends to and receives from. */
  int peers() {
    return !isBetweenGroups() ? lows : isLow ? highs : lows;
  }

  /** The rank of a root as a call has to name it; {@code inLow} says in which group the root is. */
  int root(int root, boolean inLow) {
    if (!isBetweenGroups() || inLow != isLow) {
      return root;
    }
    return rank() == root ? Constants.ROOT : Constants.PROC_NULL;
  }

  boolean isRoot(int root, boolean inLow) {
    return rank() == root && (!isBetweenGroups() || inLow == isLow);
  }

  /** Whether data of a root, or for it, pass this rank. */
  boolean takesPart(int root, boolean inLow) {
    return !isBetweenGroups() || inLow != isLow || rank() == root;
  }

  /** Sends each peer its bytes and returns what all of them sent: each time the length, then the bytes. */
  byte[][] exchange(byte[][] toEach) {
    return exchange(shadow, toEach);
  }

  private static byte[][] exchange(Comm comm, byte[][] toEach) {
    List<Request> sends = new ArrayList<>();
    for (int peer = 0; peer < toEach.length; peer++) {
      sends.add(comm.isend(Buf.of(new int[] {toEach[peer].length}), peer, 1));
      sends.add(comm.isend(Buf.of(toEach[peer]), peer, 2));
    }
    byte[][] fromEach = new byte[toEach.length][];
    for (int peer = 0; peer < toEach.length; peer++) {
      int[] length = new int[1];
      comm.recv(Buf.of(length), peer, 1);
      fromEach[peer] = new byte[length[0]];
      comm.recv(Buf.of(fromEach[peer]), peer, 2);
    }
    Request.waitAll(sends);
    return fromEach;
  }

  /** Combines two packed operands, the first of which is from lower ranks. */
  interface Combine {
    byte[] apply(byte[] left, byte[] right);
  }

  /**
   * What all ranks contribute, combined along the chain of ranks.
   *
   * @param lower of the ranks below this one in its own group; null at the lowest
   * @param upTo the same with this one
   * @param all of all peers, which are those of the other group, where there is one
   */
  record Folded(byte[] lower, byte[] upTo, byte[] all) {}

  Folded fold(byte[] mine, Combine combine) {
    int rank = local.rank();
    byte[] lower = null;
    byte[] upTo = mine;
    if (rank > 0) {
      lower = new byte[mine.length];
      local.recv(Buf.of(lower), rank - 1, 3);
      upTo = combine.apply(lower, mine);
    }
    boolean last = rank == size() - 1;
    if (!last) {
      local.send(Buf.of(upTo), rank + 1, 3);
    }
    byte[][] toEach = new byte[peers()][];
    Arrays.fill(toEach, last ? upTo : new byte[0]);
    return new Folded(lower, upTo, exchange(toEach)[peers() - 1]);
  }

  void close() {
    if (comm != null) {
      comm.close();
      shadow.close();
      if (isBetweenGroups()) {
        local.close();
      }
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
