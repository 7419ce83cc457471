// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorSpecies;
import org.ffmpi.base.raw.Raw;

/**
 * Vector loops that transpose grids from a {@code byte[]} to native memory, by tiles of eight by eight blocks; linked
 * only where there are vectors of 64 bytes. The classes for the way back and for other kinds of memory are derived from
 * this one.
 */
final class BytesToNativeTiles {
  private static final VectorSpecies<Byte> S128 = ByteVector.SPECIES_128;
  private static final VectorSpecies<Byte> S256 = ByteVector.SPECIES_256;
  private static final VectorSpecies<Byte> S512 = ByteVector.SPECIES_512;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final MemorySegment MEMORY = Raw.EVERYTHING;

  /** Rows and columns in loops that count with ints. */
  private static final long CHUNK = 1 << 24;

  /** Rows of tiles that are copied together, so that the cache lines they share stay in the cache. */
  private static final long BAND = 64;

  private BytesToNativeTiles() {}

  /** Copies a grid if it is transposed and there are tiles for it; returns false otherwise. */
  static boolean grid(
      byte[] a, long src, long srcOuter, long srcInner, long dst, long dstOuter, long dstInner,
      long outer, long inner, long block) {
    if (srcOuter == block && dstInner == block) {
      return transpose(a, src, srcInner, dst, dstOuter, inner, outer, block);
    }
    if (srcInner == block && dstOuter == block) {
      return transpose(a, src, srcOuter, dst, dstInner, outer, inner, block);
    }
    return false;
  }

  private static boolean transpose(
      byte[] a, long src, long srcRow, long dst, long dstRow, long rows, long columns, long block) {
    return switch ((int) Math.min(block, 64)) {
      case 2 -> transpose2(a, src, srcRow, dst, dstRow, rows, columns);
      case 4 -> transpose4(a, src, srcRow, dst, dstRow, rows, columns);
      case 8 -> transpose8(a, src, srcRow, dst, dstRow, rows, columns);
      default -> false;
    };
  }

  /** Copies blocks whose dimensions change places, if there are enough of them. */
  private static boolean transpose2(
      byte[] a, long src, long srcRow, long dst, long dstRow, long rows, long columns) {
    if (rows < 8 || columns < 8 || rows > CHUNK || columns > CHUNK) {
      return false;
    }
    // The last tiles overlap the ones before.
    long lastRow = rows - 8;
    long lastColumn = columns - 8;
    for (long top = 0; top < rows; top += BAND) {
      long bottom = Math.min(top + BAND, rows);
      for (long c = 0; c < columns; c += 8) {
        long column = Math.min(c, lastColumn);
        for (long r = top; r < bottom; r += 8) {
          long row = Math.min(r, lastRow);
          tile2(a, src + row * srcRow + column * 2, srcRow, dst + column * dstRow + row * 2, dstRow);
        }
      }
    }
    return true;
  }

  /** Eight rows of eight blocks become eight columns. */
  private static void tile2(byte[] a, long src, long srcRow, long dst, long dstRow) {
    var s = ByteArrays.at(src);
    var step = ByteArrays.at(srcRow);
    ShortVector r0 = ByteVector.fromArray(S128, a, s).reinterpretAsShorts();
    ShortVector r1 = ByteVector.fromArray(S128, a, s + step).reinterpretAsShorts();
    ShortVector r2 = ByteVector.fromArray(S128, a, s + 2 * step).reinterpretAsShorts();
    ShortVector r3 = ByteVector.fromArray(S128, a, s + 3 * step).reinterpretAsShorts();
    ShortVector r4 = ByteVector.fromArray(S128, a, s + 4 * step).reinterpretAsShorts();
    ShortVector r5 = ByteVector.fromArray(S128, a, s + 5 * step).reinterpretAsShorts();
    ShortVector r6 = ByteVector.fromArray(S128, a, s + 6 * step).reinterpretAsShorts();
    ShortVector r7 = ByteVector.fromArray(S128, a, s + 7 * step).reinterpretAsShorts();
    ShortVector a0 = VectorLanes.EVEN_ONES_2.selectFrom(r0, r1);
    ShortVector a1 = VectorLanes.ODD_ONES_2.selectFrom(r0, r1);
    ShortVector a2 = VectorLanes.EVEN_ONES_2.selectFrom(r2, r3);
    ShortVector a3 = VectorLanes.ODD_ONES_2.selectFrom(r2, r3);
    ShortVector a4 = VectorLanes.EVEN_ONES_2.selectFrom(r4, r5);
    ShortVector a5 = VectorLanes.ODD_ONES_2.selectFrom(r4, r5);
    ShortVector a6 = VectorLanes.EVEN_ONES_2.selectFrom(r6, r7);
    ShortVector a7 = VectorLanes.ODD_ONES_2.selectFrom(r6, r7);
    ShortVector b0 = VectorLanes.EVEN_TWOS_2.selectFrom(a0, a2);
    ShortVector b1 = VectorLanes.EVEN_TWOS_2.selectFrom(a1, a3);
    ShortVector b2 = VectorLanes.ODD_TWOS_2.selectFrom(a0, a2);
    ShortVector b3 = VectorLanes.ODD_TWOS_2.selectFrom(a1, a3);
    ShortVector b4 = VectorLanes.EVEN_TWOS_2.selectFrom(a4, a6);
    ShortVector b5 = VectorLanes.EVEN_TWOS_2.selectFrom(a5, a7);
    ShortVector b6 = VectorLanes.ODD_TWOS_2.selectFrom(a4, a6);
    ShortVector b7 = VectorLanes.ODD_TWOS_2.selectFrom(a5, a7);
    r0 = VectorLanes.EVEN_FOURS_2.selectFrom(b0, b4);
    r1 = VectorLanes.EVEN_FOURS_2.selectFrom(b1, b5);
    r2 = VectorLanes.EVEN_FOURS_2.selectFrom(b2, b6);
    r3 = VectorLanes.EVEN_FOURS_2.selectFrom(b3, b7);
    r4 = VectorLanes.ODD_FOURS_2.selectFrom(b0, b4);
    r5 = VectorLanes.ODD_FOURS_2.selectFrom(b1, b5);
    r6 = VectorLanes.ODD_FOURS_2.selectFrom(b2, b6);
    r7 = VectorLanes.ODD_FOURS_2.selectFrom(b3, b7);
    var d = NativeBytes.at(dst);
    var down = NativeBytes.at(dstRow);
    r0.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
    r1.reinterpretAsBytes().intoMemorySegment(MEMORY, d + down, ORDER);
    r2.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 2 * down, ORDER);
    r3.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 3 * down, ORDER);
    r4.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 4 * down, ORDER);
    r5.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 5 * down, ORDER);
    r6.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 6 * down, ORDER);
    r7.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 7 * down, ORDER);
  }

  /** Copies blocks whose dimensions change places, if there are enough of them. */
  private static boolean transpose4(
      byte[] a, long src, long srcRow, long dst, long dstRow, long rows, long columns) {
    if (rows < 8 || columns < 8 || rows > CHUNK || columns > CHUNK) {
      return false;
    }
    // The last tiles overlap the ones before.
    long lastRow = rows - 8;
    long lastColumn = columns - 8;
    for (long top = 0; top < rows; top += BAND) {
      long bottom = Math.min(top + BAND, rows);
      for (long c = 0; c < columns; c += 8) {
        long column = Math.min(c, lastColumn);
        for (long r = top; r < bottom; r += 8) {
          long row = Math.min(r, lastRow);
          tile4(a, src + row * srcRow + column * 4, srcRow, dst + column * dstRow + row * 4, dstRow);
        }
      }
    }
    return true;
  }

  /** Eight rows of eight blocks become eight columns. */
  private static void tile4(byte[] a, long src, long srcRow, long dst, long dstRow) {
    var s = ByteArrays.at(src);
    var step = ByteArrays.at(srcRow);
    IntVector r0 = ByteVector.fromArray(S256, a, s).reinterpretAsInts();
    IntVector r1 = ByteVector.fromArray(S256, a, s + step).reinterpretAsInts();
    IntVector r2 = ByteVector.fromArray(S256, a, s + 2 * step).reinterpretAsInts();
    IntVector r3 = ByteVector.fromArray(S256, a, s + 3 * step).reinterpretAsInts();
    IntVector r4 = ByteVector.fromArray(S256, a, s + 4 * step).reinterpretAsInts();
    IntVector r5 = ByteVector.fromArray(S256, a, s + 5 * step).reinterpretAsInts();
    IntVector r6 = ByteVector.fromArray(S256, a, s + 6 * step).reinterpretAsInts();
    IntVector r7 = ByteVector.fromArray(S256, a, s + 7 * step).reinterpretAsInts();
    IntVector a0 = VectorLanes.EVEN_ONES_4.selectFrom(r0, r1);
    IntVector a1 = VectorLanes.ODD_ONES_4.selectFrom(r0, r1);
    IntVector a2 = VectorLanes.EVEN_ONES_4.selectFrom(r2, r3);
    IntVector a3 = VectorLanes.ODD_ONES_4.selectFrom(r2, r3);
    IntVector a4 = VectorLanes.EVEN_ONES_4.selectFrom(r4, r5);
    IntVector a5 = VectorLanes.ODD_ONES_4.selectFrom(r4, r5);
    IntVector a6 = VectorLanes.EVEN_ONES_4.selectFrom(r6, r7);
    IntVector a7 = VectorLanes.ODD_ONES_4.selectFrom(r6, r7);
    IntVector b0 = VectorLanes.EVEN_TWOS_4.selectFrom(a0, a2);
    IntVector b1 = VectorLanes.EVEN_TWOS_4.selectFrom(a1, a3);
    IntVector b2 = VectorLanes.ODD_TWOS_4.selectFrom(a0, a2);
    IntVector b3 = VectorLanes.ODD_TWOS_4.selectFrom(a1, a3);
    IntVector b4 = VectorLanes.EVEN_TWOS_4.selectFrom(a4, a6);
    IntVector b5 = VectorLanes.EVEN_TWOS_4.selectFrom(a5, a7);
    IntVector b6 = VectorLanes.ODD_TWOS_4.selectFrom(a4, a6);
    IntVector b7 = VectorLanes.ODD_TWOS_4.selectFrom(a5, a7);
    r0 = VectorLanes.EVEN_FOURS_4.selectFrom(b0, b4);
    r1 = VectorLanes.EVEN_FOURS_4.selectFrom(b1, b5);
    r2 = VectorLanes.EVEN_FOURS_4.selectFrom(b2, b6);
    r3 = VectorLanes.EVEN_FOURS_4.selectFrom(b3, b7);
    r4 = VectorLanes.ODD_FOURS_4.selectFrom(b0, b4);
    r5 = VectorLanes.ODD_FOURS_4.selectFrom(b1, b5);
    r6 = VectorLanes.ODD_FOURS_4.selectFrom(b2, b6);
    r7 = VectorLanes.ODD_FOURS_4.selectFrom(b3, b7);
    var d = NativeBytes.at(dst);
    var down = NativeBytes.at(dstRow);
    r0.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
    r1.reinterpretAsBytes().intoMemorySegment(MEMORY, d + down, ORDER);
    r2.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 2 * down, ORDER);
    r3.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 3 * down, ORDER);
    r4.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 4 * down, ORDER);
    r5.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 5 * down, ORDER);
    r6.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 6 * down, ORDER);
    r7.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 7 * down, ORDER);
  }

  /** Copies blocks whose dimensions change places, if there are enough of them. */
  private static boolean transpose8(
      byte[] a, long src, long srcRow, long dst, long dstRow, long rows, long columns) {
    if (rows < 8 || columns < 8 || rows > CHUNK || columns > CHUNK) {
      return false;
    }
    // The last tiles overlap the ones before.
    long lastRow = rows - 8;
    long lastColumn = columns - 8;
    for (long top = 0; top < rows; top += BAND) {
      long bottom = Math.min(top + BAND, rows);
      for (long c = 0; c < columns; c += 8) {
        long column = Math.min(c, lastColumn);
        for (long r = top; r < bottom; r += 8) {
          long row = Math.min(r, lastRow);
          tile8(a, src + row * srcRow + column * 8, srcRow, dst + column * dstRow + row * 8, dstRow);
        }
      }
    }
    return true;
  }

  /** Eight rows of eight blocks become eight columns. */
  private static void tile8(byte[] a, long src, long srcRow, long dst, long dstRow) {
    var s = ByteArrays.at(src);
    var step = ByteArrays.at(srcRow);
    LongVector r0 = ByteVector.fromArray(S512, a, s).reinterpretAsLongs();
    LongVector r1 = ByteVector.fromArray(S512, a, s + step).reinterpretAsLongs();
    LongVector r2 = ByteVector.fromArray(S512, a, s + 2 * step).reinterpretAsLongs();
    LongVector r3 = ByteVector.fromArray(S512, a, s + 3 * step).reinterpretAsLongs();
    LongVector r4 = ByteVector.fromArray(S512, a, s + 4 * step).reinterpretAsLongs();
    LongVector r5 = ByteVector.fromArray(S512, a, s + 5 * step).reinterpretAsLongs();
    LongVector r6 = ByteVector.fromArray(S512, a, s + 6 * step).reinterpretAsLongs();
    LongVector r7 = ByteVector.fromArray(S512, a, s + 7 * step).reinterpretAsLongs();
    LongVector a0 = VectorLanes.EVEN_ONES_8.selectFrom(r0, r1);
    LongVector a1 = VectorLanes.ODD_ONES_8.selectFrom(r0, r1);
    LongVector a2 = VectorLanes.EVEN_ONES_8.selectFrom(r2, r3);
    LongVector a3 = VectorLanes.ODD_ONES_8.selectFrom(r2, r3);
    LongVector a4 = VectorLanes.EVEN_ONES_8.selectFrom(r4, r5);
    LongVector a5 = VectorLanes.ODD_ONES_8.selectFrom(r4, r5);
    LongVector a6 = VectorLanes.EVEN_ONES_8.selectFrom(r6, r7);
    LongVector a7 = VectorLanes.ODD_ONES_8.selectFrom(r6, r7);
    LongVector b0 = VectorLanes.EVEN_TWOS_8.selectFrom(a0, a2);
    LongVector b1 = VectorLanes.EVEN_TWOS_8.selectFrom(a1, a3);
    LongVector b2 = VectorLanes.ODD_TWOS_8.selectFrom(a0, a2);
    LongVector b3 = VectorLanes.ODD_TWOS_8.selectFrom(a1, a3);
    LongVector b4 = VectorLanes.EVEN_TWOS_8.selectFrom(a4, a6);
    LongVector b5 = VectorLanes.EVEN_TWOS_8.selectFrom(a5, a7);
    LongVector b6 = VectorLanes.ODD_TWOS_8.selectFrom(a4, a6);
    LongVector b7 = VectorLanes.ODD_TWOS_8.selectFrom(a5, a7);
    r0 = VectorLanes.EVEN_FOURS_8.selectFrom(b0, b4);
    r1 = VectorLanes.EVEN_FOURS_8.selectFrom(b1, b5);
    r2 = VectorLanes.EVEN_FOURS_8.selectFrom(b2, b6);
    r3 = VectorLanes.EVEN_FOURS_8.selectFrom(b3, b7);
    r4 = VectorLanes.ODD_FOURS_8.selectFrom(b0, b4);
    r5 = VectorLanes.ODD_FOURS_8.selectFrom(b1, b5);
    r6 = VectorLanes.ODD_FOURS_8.selectFrom(b2, b6);
    r7 = VectorLanes.ODD_FOURS_8.selectFrom(b3, b7);
    var d = NativeBytes.at(dst);
    var down = NativeBytes.at(dstRow);
    r0.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
    r1.reinterpretAsBytes().intoMemorySegment(MEMORY, d + down, ORDER);
    r2.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 2 * down, ORDER);
    r3.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 3 * down, ORDER);
    r4.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 4 * down, ORDER);
    r5.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 5 * down, ORDER);
    r6.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 6 * down, ORDER);
    r7.reinterpretAsBytes().intoMemorySegment(MEMORY, d + 7 * down, ORDER);
  }
}
