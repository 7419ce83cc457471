// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

/**
 * What a schedule depends on: the kind of call, and those of its arguments that change which steps this rank takes. The
 * buffers' addresses, kinds of memory, datatype and operation are not among them, so that one schedule serves many
 * calls.
 *
 * <p>{@link #collective}, {@link #size}, {@link #root}, {@link #units} times {@link #unitBytes} and {@link #ordered}
 * are the same on all ranks of a call; algorithms are selected by them alone. The rest is this rank's own affair.
 *
 * @param collective the operation
 * @param rank own rank
 * @param size number of ranks
 * @param root rank of the root; 0 where there is none
 * @param units length of a contribution: elements in reductions, else bytes
 * @param unitBytes packed bytes of one unit
 * @param inPlace this rank's contribution lies in the receive buffer
 * @param ordered the operation does not commute: operands stay in the order of ranks
 * @param sendGrain the send buffer can be cut at multiples of this only: 1, or an element's size where memory has gaps
 * @param receiveGrain the same of the receive buffer
 */
record Shape(
    Collective collective,
    int rank,
    int size,
    int root,
    long units,
    long unitBytes,
    boolean inPlace,
    boolean ordered,
    long sendGrain,
    long receiveGrain) {

  /** Returns the bytes by which an algorithm is selected: those of one rank's contribution. */
  long bytes() {
    return units * unitBytes;
  }

  boolean isRoot() {
    return rank == root;
  }

  /** Returns the rank counted from the root on, as rotated trees number it. */
  int relative() {
    return Math.floorMod(rank - root, size);
  }

  /** Turns what {@link #relative} counts back into a rank. */
  int absolute(int relative) {
    return (relative + root) % size;
  }

  long sendUnits() {
    return units;
  }

  long receiveUnits() {
    return collective == Collective.GATHER || collective == Collective.ALLGATHER ? units * size : units;
  }

  /** Compares with the arguments of a call without an object for them; rank and size are fixed per communicator. */
  boolean matches(
      Collective collective, int root, long units, long unitBytes, boolean inPlace, boolean ordered,
      long sendGrain, long receiveGrain) {
    return this.units == units
        && this.collective == collective
        && this.root == root
        && this.unitBytes == unitBytes
        && this.inPlace == inPlace
        && this.ordered == ordered
        && this.sendGrain == sendGrain
        && this.receiveGrain == receiveGrain;
  }

  /** Spreads calls over the entries of a cache. */
  static int hash(Collective collective, int root, long units, long unitBytes, boolean inPlace) {
    long h = (units * 31 + unitBytes) * 31 + root;
    h = (h * 31 + collective.ordinal()) * 2 + (inPlace ? 1 : 0);
    h *= 0x9E3779B97F4A7C15L; // Fibonacci hashing: the upper bits depend on all lower ones
    return (int) (h >>> 32);
  }
}
