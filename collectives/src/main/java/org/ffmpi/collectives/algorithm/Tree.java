// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

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
