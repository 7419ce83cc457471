// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;

/**
 * The numbers of one point, this rank's block and room for one block of each rank. They lie in arrays or in direct
 * buffers, as programs of every API have them.
 *
 * @param length numbers of a block
 * @param sent this rank's block
 * @param received room for all blocks; where one block comes, it comes first
 * @param sentArray the array behind the block; null for a direct buffer
 * @param receivedArray the array behind the room; null for a direct buffer
 * @param counts length of each rank's block
 * @param places where each rank's block begins
 */
record CompatNumbers(
    int length, DoubleBuffer sent, DoubleBuffer received, double[] sentArray, double[] receivedArray, int[] counts,
    int[] places) {
  private static final double WIPED = -1;
  private static final int PERIOD = 1000;

  /** Makes the numbers of a point of {@link CompatProgram}. */
  static CompatNumbers of(Work work, int ranks) {
    int length = Math.toIntExact(work.bytes() / Double.BYTES);
    if (length == 0 || work.bytes() % Double.BYTES != 0) {
      throw new IllegalArgumentException(work + ": whole numbers of doubles are allowed");
    }
    int[] counts = new int[ranks];
    int[] places = new int[ranks];
    for (int r = 0; r < ranks; r++) {
      counts[r] = length;
      places[r] = r * length;
    }
    return switch (work.name()) {
      case "array" -> {
        double[] sent = new double[length];
        double[] received = new double[length * ranks];
        yield new CompatNumbers(
            length, DoubleBuffer.wrap(sent), DoubleBuffer.wrap(received), sent, received, counts, places);
      }
      case "direct" -> new CompatNumbers(
          length, direct(length), direct(length * ranks), null, null, counts, places);
      default -> throw new IllegalArgumentException(work + ": known memory is array and direct");
    };
  }

  private static DoubleBuffer direct(int length) {
    return ByteBuffer.allocateDirect(length * Double.BYTES).order(ByteOrder.nativeOrder()).asDoubleBuffer();
  }

  /** Returns whether the numbers lie in arrays. */
  boolean inArrays() {
    return sentArray != null;
  }

  /** Writes a rank's numbers into its block, and nothing that a rank has into the room. */
  void fill(int rank) {
    for (int i = 0; i < length; i++) {
      sent.put(i, number(rank, i));
    }
    for (int i = 0; i < received.capacity(); i++) {
      received.put(i, WIPED);
    }
  }

  /** Throws when the room does not begin with the block of a rank. */
  void checkBlock(int rank) {
    for (int i = 0; i < length; i++) {
      check(i, number(rank, i));
    }
  }

  /** Throws when the room does not begin with the sums over all ranks. */
  void checkSums() {
    for (int i = 0; i < length; i++) {
      double sum = 0;
      for (int r = 0; r < counts.length; r++) {
        sum += number(r, i);
      }
      check(i, sum);
    }
  }

  /** Throws when the room does not hold the blocks of all ranks. */
  void checkBlocks() {
    for (int r = 0; r < counts.length; r++) {
      for (int i = 0; i < length; i++) {
        check(places[r] + i, number(r, i));
      }
    }
  }

  private void check(int index, double expected) {
    if (received.get(index) != expected) {
      throw new IllegalStateException("number " + index + " is " + received.get(index) + ", not " + expected);
    }
  }

  private static double number(int rank, int index) {
    return PERIOD * (rank + 1) + index % PERIOD;
  }
}
