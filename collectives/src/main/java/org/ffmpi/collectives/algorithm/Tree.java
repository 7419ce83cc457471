// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import java.util.function.IntUnaryOperator;

/** Arithmetic of trees and blocks that several algorithms share. */
final class Tree {
  private Tree() {}

  /**
   * Returns how many consecutive numbers from {@code v} on a full binomial subtree rooted at {@code v} has: a power of
   * two. The last ones may exceed {@code size}. For 0 it covers all.
   */
  static int subtreeOf(int v, int size) {
    return v == 0 ? ceilingPowerOfTwo(size) : Integer.lowestOneBit(v);
  }

  /** Returns how many ranks of a world of {@code size} are in the binomial subtree rooted at {@code v}. */
  static int presentIn(int v, int size) {
    return Math.min(subtreeOf(v, size), size - v);
  }

  /**
   * Returns the children of {@code v} in a binomial tree of {@code size} numbers, the lowest first.
   *
   * @param rank turns a number into a rank
   */
  static int[] children(int v, int size, IntUnaryOperator rank) {
    int present = presentIn(v, size);
    int[] children = new int[Integer.SIZE - Integer.numberOfLeadingZeros(present - 1)];
    for (int i = 0; i < children.length; i++) {
      children[i] = rank.applyAsInt(v + (1 << i));
    }
    return children;
  }

  static int ceilingPowerOfTwo(int n) {
    return n <= 1 ? 1 : Integer.highestOneBit(n - 1) << 1;
  }

  /**
   * Returns where block {@code index} begins when {@code units} are dealt out to {@code blocks} as evenly as possible.
   */
  static long blockStart(long units, int blocks, int index) {
    return index * (units / blocks) + Math.min(index, units % blocks);
  }
}
