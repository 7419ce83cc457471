// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.util.function.IntUnaryOperator;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Lane numbers for the vector kernels' permutations; linked only where the Vector API is present. Two sources count as
 * one vector of twice the lanes. The number behind a name is the bytes of a block.
 */
final class VectorLanes {
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_512;

  /** Blocks 0, 2, 4 … of two vectors that follow one another. */
  static final ShortVector EVEN_2 = shorts(SHORTS, i -> 2 * i);
  static final IntVector EVEN_4 = ints(INTS, i -> 2 * i);
  static final LongVector EVEN_8 = longs(LONGS, i -> 2 * i);
  static final LongVector EVEN_16 = longs(LONGS, i -> 4 * (i / 2) + i % 2);

  /** The same when the second vector begins a block early. */
  static final ShortVector EVEN_ENDING_2 = shorts(SHORTS, i -> 2 * i + (i < 16 ? 0 : 1));
  static final IntVector EVEN_ENDING_4 = ints(INTS, i -> 2 * i + (i < 8 ? 0 : 1));
  static final LongVector EVEN_ENDING_8 = longs(LONGS, i -> 2 * i + (i < 4 ? 0 : 1));
  static final LongVector EVEN_ENDING_16 = longs(LONGS, i -> 4 * (i / 2) + i % 2 + (i < 4 ? 0 : 2));

  /** The lower half's blocks, each twice. */
  static final ShortVector LOWER_2 = shorts(SHORTS, i -> i / 2);
  static final IntVector LOWER_4 = ints(INTS, i -> i / 2);
  static final LongVector LOWER_8 = longs(LONGS, i -> i / 2);
  static final LongVector LOWER_16 = longs(LONGS, i -> 2 * (i / 4) + i % 2);

  /** The upper half's blocks, each twice. */
  static final ShortVector UPPER_2 = shorts(SHORTS, i -> 16 + i / 2);
  static final IntVector UPPER_4 = ints(INTS, i -> 8 + i / 2);
  static final LongVector UPPER_8 = longs(LONGS, i -> 4 + i / 2);
  static final LongVector UPPER_16 = longs(LONGS, i -> 4 + 2 * (i / 4) + i % 2);

  /** Transposing 8 by 8: pairs of rows exchange single lanes, then two lanes, then four. */
  static final ShortVector EVEN_ONES_2 = shorts(ShortVector.SPECIES_128, i -> i / 2 * 2 + i % 2 * 8);
  static final IntVector EVEN_ONES_4 = ints(IntVector.SPECIES_256, i -> i / 2 * 2 + i % 2 * 8);
  static final LongVector EVEN_ONES_8 = longs(LONGS, i -> i / 2 * 2 + i % 2 * 8);
  static final ShortVector ODD_ONES_2 = shorts(ShortVector.SPECIES_128, i -> i / 2 * 2 + i % 2 * 8 + 1);
  static final IntVector ODD_ONES_4 = ints(IntVector.SPECIES_256, i -> i / 2 * 2 + i % 2 * 8 + 1);
  static final LongVector ODD_ONES_8 = longs(LONGS, i -> i / 2 * 2 + i % 2 * 8 + 1);
  static final ShortVector EVEN_TWOS_2 = shorts(ShortVector.SPECIES_128, i -> i / 4 * 4 + i % 2 + i / 2 % 2 * 8);
  static final IntVector EVEN_TWOS_4 = ints(IntVector.SPECIES_256, i -> i / 4 * 4 + i % 2 + i / 2 % 2 * 8);
  static final LongVector EVEN_TWOS_8 = longs(LONGS, i -> i / 4 * 4 + i % 2 + i / 2 % 2 * 8);
  static final ShortVector ODD_TWOS_2 = shorts(ShortVector.SPECIES_128, i -> i / 4 * 4 + i % 2 + i / 2 % 2 * 8 + 2);
  static final IntVector ODD_TWOS_4 = ints(IntVector.SPECIES_256, i -> i / 4 * 4 + i % 2 + i / 2 % 2 * 8 + 2);
  static final LongVector ODD_TWOS_8 = longs(LONGS, i -> i / 4 * 4 + i % 2 + i / 2 % 2 * 8 + 2);
  static final ShortVector EVEN_FOURS_2 = shorts(ShortVector.SPECIES_128, i -> i % 4 + i / 4 * 8);
  static final IntVector EVEN_FOURS_4 = ints(IntVector.SPECIES_256, i -> i % 4 + i / 4 * 8);
  static final LongVector EVEN_FOURS_8 = longs(LONGS, i -> i % 4 + i / 4 * 8);
  static final ShortVector ODD_FOURS_2 = shorts(ShortVector.SPECIES_128, i -> i % 4 + i / 4 * 8 + 4);
  static final IntVector ODD_FOURS_4 = ints(IntVector.SPECIES_256, i -> i % 4 + i / 4 * 8 + 4);
  static final LongVector ODD_FOURS_8 = longs(LONGS, i -> i % 4 + i / 4 * 8 + 4);

  private static final IntVector FOUR_BITS = ints(INTS, i -> i % 8 * 4);
  private static final VectorMask<Integer> UPPER_HALF = VectorMask.fromLong(INTS, 0xff00);

  private VectorLanes() {}

  /** Returns whether the machine has vectors of 64 bytes, and with them masks and permutations in registers. */
  static boolean wide() {
    return LongVector.SPECIES_PREFERRED == LONGS;
  }

  /** Returns the mask bits of blocks 0, 2, 4 … in a vector of 64 bytes. */
  static long even(int laneBytes, int blockBytes) {
    long bits = 0;
    for (int lane = 0; lane < 64 / laneBytes; lane++) {
      if (lane * laneBytes / blockBytes % 2 == 0) {
        bits |= 1L << lane;
      }
    }
    return bits;
  }

  // ---- elements of a few runs, by lanes of 4 bytes

  /**
   * Returns how many bytes an element spans, or 0 unless both it and its stream fit a vector and all its runs begin at
   * a lane on both sides.
   */
  static int span(long[] displacements, long[] lengths, int from, int to) {
    if (to - from > 16) {
      return 0;
    }
    long low = lowest(displacements, from, to);
    long high = low;
    long size = 0;
    long offLanes = 0;
    for (int r = from; r < to; r++) {
      long displacement = displacements[r] - low;
      if (displacement > 64 || lengths[r] > 64) {
        return 0;
      }
      high = Math.max(high, low + displacement + lengths[r]);
      offLanes |= displacement | size;
      size += lengths[r];
    }
    return high - low <= 64 && size <= 64 && size > 0 && (offLanes & 3) == 0 ? (int) (high - low) : 0;
  }

  /** Returns the lowest displacement. */
  static long lowest(long[] displacements, int from, int to) {
    long low = displacements[from];
    for (int r = from + 1; r < to; r++) {
      low = Math.min(low, displacements[r]);
    }
    return low;
  }

  /** Returns the sum of the lengths, which is known to fit. */
  static int size(long[] lengths, int from, int to) {
    int size = 0;
    for (int r = from; r < to; r++) {
      size += (int) lengths[r];
    }
    return size;
  }

  /** Returns, for each lane of the stream, the lane of the element it comes from: four bits each. */
  static long gather(long[] displacements, long[] lengths, int from, int to, long low) {
    long lanes = 0;
    int next = 0;
    for (int r = from; r < to; r++) {
      long lane = (displacements[r] - low) / 4;
      for (long k = 0; k < lengths[r]; k += 4) {
        lanes |= lane++ << next;
        next += 4;
      }
    }
    return lanes;
  }

  /** Returns, for each lane of the element, the lane of the stream it comes from: four bits each. */
  static long scatter(long[] displacements, long[] lengths, int from, int to, long low) {
    long lanes = 0;
    long next = 0;
    for (int r = from; r < to; r++) {
      long lane = displacements[r] - low;
      for (long k = 0; k < lengths[r]; k += 4) {
        lanes |= next++ << lane;
        lane += 4;
      }
    }
    return lanes;
  }

  /** Makes lane numbers of four bits each. */
  static IntVector unfold(long lanes) {
    IntVector halves = IntVector.broadcast(INTS, (int) lanes).blend((int) (lanes >>> 32), UPPER_HALF);
    return halves.lanewise(VectorOperators.LSHR, FOUR_BITS).and(15);
  }

  /** Returns a bit for each byte of an element's runs, or 0 unless they all lie within 64 bytes. */
  static long bytes(long[] displacements, long[] lengths, int from, int to, long low) {
    long bytes = 0;
    for (int r = from; r < to; r++) {
      long displacement = displacements[r] - low;
      long length = lengths[r];
      if (displacement > 64 || length > 64 - displacement) {
        return 0;
      }
      if (length > 0) {
        bytes |= -1L >>> (64 - length) << displacement;
      }
    }
    return bytes;
  }

  /** Returns whether each element of an array is either marked as a whole or not at all. */
  static boolean whole(long bytes, int width) {
    long first = bytes;
    for (int shift = 1; shift < width; shift++) {
      first &= bytes >>> shift;
    }
    return (first & firstBytes(width)) * ((1L << width) - 1) == bytes;
  }

  /** Returns a bit for each element of an array whose first byte is marked. */
  static long elements(long bytes, int width) {
    return Long.compress(bytes, firstBytes(width));
  }

  private static long firstBytes(int width) {
    return Long.divideUnsigned(-1L, (1L << width) - 1);
  }

  // ---- constants

  private static LongVector longs(VectorSpecies<Long> species, IntUnaryOperator number) {
    long[] lanes = new long[species.length()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = number.applyAsInt(i);
    }
    return LongVector.fromArray(species, lanes, 0);
  }

  private static IntVector ints(VectorSpecies<Integer> species, IntUnaryOperator number) {
    int[] lanes = new int[species.length()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = number.applyAsInt(i);
    }
    return IntVector.fromArray(species, lanes, 0);
  }

  private static ShortVector shorts(VectorSpecies<Short> species, IntUnaryOperator number) {
    short[] lanes = new short[species.length()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = (short) number.applyAsInt(i);
    }
    return ShortVector.fromArray(species, lanes, 0);
  }
}
