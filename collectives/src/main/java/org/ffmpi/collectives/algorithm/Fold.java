// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

/**
 * The reduction of any number of ranks to a power of two. Of the first {@code 2 (n - 2^k)} ranks each even one is
 * folded into the odd one above it. The remaining ranks are numbered anew, in the order of ranks.
 */
final class Fold {
  private final int rank;
  private final int folded;
  private final int powerOfTwo;

  Fold(int rank, int size) {
    this.rank = rank;
    this.powerOfTwo = Integer.highestOneBit(size);
    this.folded = size - powerOfTwo;
  }

  /** Returns how many ranks stay. */
  int size() {
    return powerOfTwo;
  }

  /** Returns whether another rank takes part for this one. */
  boolean isFoldedAway() {
    return rank < 2 * folded && (rank & 1) == 0;
  }

  /** Returns the rank that takes part for this one. */
  int keeper() {
    return rank + 1;
  }

  /** Returns whether this rank takes part for another one as well. */
  boolean isKeeper() {
    return rank < 2 * folded && (rank & 1) != 0;
  }

  /** Returns the rank that this one takes part for. */
  int folded() {
    return rank - 1;
  }

  /** Returns the new number of this rank, which stays. */
  int rank() {
    return rank < 2 * folded ? rank / 2 : rank - folded;
  }

  /** Returns whether the rank with a new number takes part for the one below it as well. */
  boolean isPair(int number) {
    return number < folded;
  }

  /** Turns a new number back into a rank. */
  int original(int number) {
    return number < folded ? 2 * number + 1 : number + folded;
  }

  /** Returns the lowest rank that the one with a new number takes part for; for {@link #size}, the number of ranks. */
  int first(int number) {
    return number < folded ? 2 * number : number + folded;
  }
}
