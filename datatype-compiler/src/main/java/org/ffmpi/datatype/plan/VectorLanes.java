// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.function.IntUnaryOperator;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
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

  private VectorLanes() {}

  /** Tells whether vectors of 64 bytes, and with them masks and permutations in registers, are the machine's own. */
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
