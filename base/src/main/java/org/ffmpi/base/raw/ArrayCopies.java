// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The array half of {@link Memory}. Offsets are bytes from element 0, and neither they nor sizes need to be multiples
 * of the element's size: a message may be cut anywhere.
 *
 * <p>Three ways, fastest first: up to one word moved by typed accesses, whole elements by the JDK's array-to-segment
 * copy, which looks at the array's class and at no segment but the constant one, and the rest through a short-lived
 * heap segment.
 */
final class ArrayCopies {
  private static final VarHandle WORD_IN_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder()).withInvokeExactBehavior();

  private static final boolean BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
  private static final long LOW = 0xffff_ffffL;

  private ArrayCopies() {}

  // ---- from an array to memory, for Memory.read

  static void readBytes(byte[] array, long offset, long dst, long bytes) {
    if (bytes == Long.BYTES) {
      Raw.putLong(dst, (long) WORD_IN_BYTES.get(array, Math.toIntExact(offset)));
    } else if (isFew(bytes)) {
      int from = start(array.length, offset, bytes, 0);
      for (int i = 0; i < bytes; i++) {
        Raw.putByte(dst + i, array[from + i]);
      }
    } else {
      readElements(array, JAVA_BYTE, 0, offset, dst, bytes);
    }
  }

  static void readChars(char[] array, long offset, long dst, long bytes) {
    if (isFew(bytes) && ((offset | bytes) & 1) == 0) {
      int from = start(array.length, offset, bytes, 1);
      for (int i = 0; i < bytes; i += 2) {
        Raw.putChar(dst + i, array[from + (i >> 1)]);
      }
    } else {
      readElements(array, JAVA_CHAR_UNALIGNED, 1, offset, dst, bytes);
    }
  }

  static void readShorts(short[] array, long offset, long dst, long bytes) {
    if (isFew(bytes) && ((offset | bytes) & 1) == 0) {
      int from = start(array.length, offset, bytes, 1);
      for (int i = 0; i < bytes; i += 2) {
        Raw.putShort(dst + i, array[from + (i >> 1)]);
      }
    } else {
      readElements(array, JAVA_SHORT_UNALIGNED, 1, offset, dst, bytes);
    }
  }

  static void readInts(int[] array, long offset, long dst, long bytes) {
    if (bytes == Long.BYTES && (offset & 3) == 0) {
      int from = Math.toIntExact(offset >> 2);
      Raw.putLong(dst, word(array[from], array[from + 1]));
    } else if (bytes == Integer.BYTES && (offset & 3) == 0) {
      Raw.putInt(dst, array[Math.toIntExact(offset >> 2)]);
    } else {
      readElements(array, JAVA_INT_UNALIGNED, 2, offset, dst, bytes);
    }
  }

  static void readFloats(float[] array, long offset, long dst, long bytes) {
    if (bytes == Long.BYTES && (offset & 3) == 0) {
      int from = Math.toIntExact(offset >> 2);
      Raw.putLong(dst, word(Float.floatToRawIntBits(array[from]), Float.floatToRawIntBits(array[from + 1])));
    } else if (bytes == Integer.BYTES && (offset & 3) == 0) {
      Raw.putFloat(dst, array[Math.toIntExact(offset >> 2)]);
    } else {
      readElements(array, JAVA_FLOAT_UNALIGNED, 2, offset, dst, bytes);
    }
  }

  static void readLongs(long[] array, long offset, long dst, long bytes) {
    if (bytes == Long.BYTES && (offset & 7) == 0) {
      Raw.putLong(dst, array[Math.toIntExact(offset >> 3)]);
    } else {
      readElements(array, JAVA_LONG_UNALIGNED, 3, offset, dst, bytes);
    }
  }

  static void readDoubles(double[] array, long offset, long dst, long bytes) {
    if (bytes == Long.BYTES && (offset & 7) == 0) {
      Raw.putDouble(dst, array[Math.toIntExact(offset >> 3)]);
    } else {
      readElements(array, JAVA_DOUBLE_UNALIGNED, 3, offset, dst, bytes);
    }
  }

  // ---- from memory to an array, for Memory.write: a range that does not fit moves nothing

  static void writeBytes(byte[] array, long offset, long src, long bytes) {
    if (bytes == Long.BYTES) {
      WORD_IN_BYTES.set(array, Math.toIntExact(offset), Raw.getLong(src));
    } else if (isFew(bytes)) {
      int from = start(array.length, offset, bytes, 0);
      for (int i = 0; i < bytes; i++) {
        array[from + i] = Raw.getByte(src + i);
      }
    } else {
      writeElements(array, JAVA_BYTE, 0, offset, src, bytes);
    }
  }

  static void writeChars(char[] array, long offset, long src, long bytes) {
    if (isFew(bytes) && ((offset | bytes) & 1) == 0) {
      int from = start(array.length, offset, bytes, 1);
      for (int i = 0; i < bytes; i += 2) {
        array[from + (i >> 1)] = Raw.getChar(src + i);
      }
    } else {
      writeElements(array, JAVA_CHAR_UNALIGNED, 1, offset, src, bytes);
    }
  }

  static void writeShorts(short[] array, long offset, long src, long bytes) {
    if (isFew(bytes) && ((offset | bytes) & 1) == 0) {
      int from = start(array.length, offset, bytes, 1);
      for (int i = 0; i < bytes; i += 2) {
        array[from + (i >> 1)] = Raw.getShort(src + i);
      }
    } else {
      writeElements(array, JAVA_SHORT_UNALIGNED, 1, offset, src, bytes);
    }
  }

  static void writeInts(int[] array, long offset, long src, long bytes) {
    if (bytes == Long.BYTES && (offset & 3) == 0) {
      int from = start(array.length, offset, bytes, 2);
      long word = Raw.getLong(src);
      array[from] = first(word);
      array[from + 1] = second(word);
    } else if (bytes == Integer.BYTES && (offset & 3) == 0) {
      array[Math.toIntExact(offset >> 2)] = Raw.getInt(src);
    } else {
      writeElements(array, JAVA_INT_UNALIGNED, 2, offset, src, bytes);
    }
  }

  static void writeFloats(float[] array, long offset, long src, long bytes) {
    if (bytes == Long.BYTES && (offset & 3) == 0) {
      int from = start(array.length, offset, bytes, 2);
      long word = Raw.getLong(src);
      array[from] = Float.intBitsToFloat(first(word));
      array[from + 1] = Float.intBitsToFloat(second(word));
    } else if (bytes == Integer.BYTES && (offset & 3) == 0) {
      array[Math.toIntExact(offset >> 2)] = Raw.getFloat(src);
    } else {
      writeElements(array, JAVA_FLOAT_UNALIGNED, 2, offset, src, bytes);
    }
  }

  static void writeLongs(long[] array, long offset, long src, long bytes) {
    if (bytes == Long.BYTES && (offset & 7) == 0) {
      array[Math.toIntExact(offset >> 3)] = Raw.getLong(src);
    } else {
      writeElements(array, JAVA_LONG_UNALIGNED, 3, offset, src, bytes);
    }
  }

  static void writeDoubles(double[] array, long offset, long src, long bytes) {
    if (bytes == Long.BYTES && (offset & 7) == 0) {
      array[Math.toIntExact(offset >> 3)] = Raw.getDouble(src);
    } else {
      writeElements(array, JAVA_DOUBLE_UNALIGNED, 3, offset, src, bytes);
    }
  }

  // ---- parts of both

  /** Returns whether bytes are 1 to 8, which typed accesses move faster than a call of the JDK's copy. */
  private static boolean isFew(long bytes) {
    return bytes - 1 >>> 3 == 0;
  }

  /** Returns the first element of a range of whole elements, all of which are in the array. */
  private static int start(int length, long offset, long bytes, int shift) {
    return (int) Objects.checkFromIndexSize(offset >> shift, bytes >> shift, (long) length);
  }

  /** Returns the word in which two ints lie one after the other in memory. */
  private static long word(int first, int second) {
    return BIG_ENDIAN ? (long) first << 32 | second & LOW : (long) second << 32 | first & LOW;
  }

  private static int first(long word) {
    return (int) (BIG_ENDIAN ? word >> 32 : word);
  }

  private static int second(long word) {
    return (int) (BIG_ENDIAN ? word : word >> 32);
  }

  private static void readElements(Object array, ValueLayout layout, int shift, long offset, long dst, long bytes) {
    if (((offset | bytes) & ((1 << shift) - 1)) == 0) {
      MemorySegment.copy(
          array, Math.toIntExact(offset >> shift), Raw.EVERYTHING, layout, dst, Math.toIntExact(bytes >> shift));
    } else {
      readRagged(array, offset, dst, bytes);
    }
  }

  /** A method of its own, so that the usual path stays small enough to be inlined for each class of array. */
  private static void readRagged(Object array, long offset, long dst, long bytes) {
    MemorySegment.copy(segment(array), offset, Raw.EVERYTHING, dst, bytes);
  }

  private static void writeElements(Object array, ValueLayout layout, int shift, long offset, long src, long bytes) {
    if (((offset | bytes) & ((1 << shift) - 1)) == 0) {
      MemorySegment.copy(
          Raw.EVERYTHING, layout, src, array, Math.toIntExact(offset >> shift), Math.toIntExact(bytes >> shift));
    } else {
      writeRagged(array, offset, src, bytes);
    }
  }

  private static void writeRagged(Object array, long offset, long src, long bytes) {
    MemorySegment.copy(Raw.EVERYTHING, src, segment(array), offset, bytes);
  }

  private static MemorySegment segment(Object array) {
    return switch (array) {
      case char[] a -> MemorySegment.ofArray(a);
      case short[] a -> MemorySegment.ofArray(a);
      case int[] a -> MemorySegment.ofArray(a);
      case long[] a -> MemorySegment.ofArray(a);
      case float[] a -> MemorySegment.ofArray(a);
      case double[] a -> MemorySegment.ofArray(a);
      default -> MemorySegment.ofArray((byte[]) array);
    };
  }

  /** There are no segments of booleans: one byte each, 1 for true. */
  static void readBooleans(boolean[] array, long offset, long dst, long bytes) {
    int from = start(array.length, offset, bytes, 0);
    int length = (int) bytes;
    for (int i = 0; i < length; i++) {
      Raw.putByte(dst + i, (byte) (array[from + i] ? 1 : 0));
    }
  }

  /** Any byte but 0 is true, as in C. */
  static void writeBooleans(boolean[] array, long offset, long src, long bytes) {
    int from = start(array.length, offset, bytes, 0);
    int length = (int) bytes;
    for (int i = 0; i < length; i++) {
      array[from + i] = Raw.getByte(src + i) != 0;
    }
  }
}
