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

  private ArrayCopies() {}

  /** Copies from a numeric array to memory, for {@link Memory#read}. */
  static void read(int kind, Object array, long offset, long dst, long bytes) {
    if (bytes == Long.BYTES && readWord(kind, array, offset, dst)
        || bytes - 1 >>> 3 == 0 && readFew(kind, array, offset, dst, (int) bytes)) {
      return;
    }
    switch (kind) {
      case Memory.BYTES -> readElements((byte[]) array, JAVA_BYTE, 0, offset, dst, bytes);
      case Memory.CHARS -> readElements((char[]) array, JAVA_CHAR_UNALIGNED, 1, offset, dst, bytes);
      case Memory.SHORTS -> readElements((short[]) array, JAVA_SHORT_UNALIGNED, 1, offset, dst, bytes);
      case Memory.INTS -> readElements((int[]) array, JAVA_INT_UNALIGNED, 2, offset, dst, bytes);
      case Memory.LONGS -> readElements((long[]) array, JAVA_LONG_UNALIGNED, 3, offset, dst, bytes);
      case Memory.FLOATS -> readElements((float[]) array, JAVA_FLOAT_UNALIGNED, 2, offset, dst, bytes);
      case Memory.DOUBLES -> readElements((double[]) array, JAVA_DOUBLE_UNALIGNED, 3, offset, dst, bytes);
      default -> throw unknown(kind);
    }
  }

  /** Copies from memory to a numeric array, for {@link Memory#write}. */
  static void write(int kind, Object array, long offset, long src, long bytes) {
    if (bytes == Long.BYTES && writeWord(kind, array, offset, src)
        || bytes - 1 >>> 3 == 0 && writeFew(kind, array, offset, src, (int) bytes)) {
      return;
    }
    switch (kind) {
      case Memory.BYTES -> writeElements((byte[]) array, JAVA_BYTE, 0, offset, src, bytes);
      case Memory.CHARS -> writeElements((char[]) array, JAVA_CHAR_UNALIGNED, 1, offset, src, bytes);
      case Memory.SHORTS -> writeElements((short[]) array, JAVA_SHORT_UNALIGNED, 1, offset, src, bytes);
      case Memory.INTS -> writeElements((int[]) array, JAVA_INT_UNALIGNED, 2, offset, src, bytes);
      case Memory.LONGS -> writeElements((long[]) array, JAVA_LONG_UNALIGNED, 3, offset, src, bytes);
      case Memory.FLOATS -> writeElements((float[]) array, JAVA_FLOAT_UNALIGNED, 2, offset, src, bytes);
      case Memory.DOUBLES -> writeElements((double[]) array, JAVA_DOUBLE_UNALIGNED, 3, offset, src, bytes);
      default -> throw unknown(kind);
    }
  }

  /**
   * Copies 8 bytes by one access: latency is usually measured with such messages. Returns false, and copies nothing,
   * for the kinds and offsets that need more than one.
   */
  private static boolean readWord(int kind, Object array, long offset, long dst) {
    switch (kind) {
      case Memory.BYTES -> Raw.putLong(dst, (long) WORD_IN_BYTES.get((byte[]) array, Math.toIntExact(offset)));
      case Memory.LONGS -> {
        if ((offset & 7) != 0) {
          return false;
        }
        Raw.putLong(dst, ((long[]) array)[Math.toIntExact(offset >> 3)]);
      }
      case Memory.DOUBLES -> {
        if ((offset & 7) != 0) {
          return false;
        }
        Raw.putDouble(dst, ((double[]) array)[Math.toIntExact(offset >> 3)]);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Copies 1 to 8 bytes, element by element. Returns false, and copies nothing, when they are not whole elements. */
  private static boolean readFew(int kind, Object array, long offset, long dst, int bytes) {
    int odd = (int) offset | bytes;
    return switch (kind) {
      case Memory.INTS -> (odd & 3) == 0 && readInts((int[]) array, Math.toIntExact(offset >> 2), dst, bytes);
      case Memory.FLOATS -> (odd & 3) == 0 && readFloats((float[]) array, Math.toIntExact(offset >> 2), dst, bytes);
      case Memory.BYTES -> readBytes((byte[]) array, Math.toIntExact(offset), dst, bytes);
      case Memory.SHORTS -> (odd & 1) == 0 && readShorts((short[]) array, Math.toIntExact(offset >> 1), dst, bytes);
      case Memory.CHARS -> (odd & 1) == 0 && readChars((char[]) array, Math.toIntExact(offset >> 1), dst, bytes);
      default -> false;
    };
  }

  private static boolean readInts(int[] array, int from, long dst, int bytes) {
    int first = array[from];
    if (bytes == Long.BYTES) {
      Raw.putInt(dst + 4, array[from + 1]);
    }
    Raw.putInt(dst, first);
    return true;
  }

  private static boolean readFloats(float[] array, int from, long dst, int bytes) {
    float first = array[from];
    if (bytes == Long.BYTES) {
      Raw.putFloat(dst + 4, array[from + 1]);
    }
    Raw.putFloat(dst, first);
    return true;
  }

  private static boolean readBytes(byte[] array, int from, long dst, int bytes) {
    Objects.checkFromIndexSize(from, bytes, array.length);
    for (int i = 0; i < bytes; i++) {
      Raw.putByte(dst + i, array[from + i]);
    }
    return true;
  }

  private static boolean readShorts(short[] array, int from, long dst, int bytes) {
    Objects.checkFromIndexSize(from, bytes >> 1, array.length);
    for (int i = 0; i < bytes; i += 2) {
      Raw.putShort(dst + i, array[from + (i >> 1)]);
    }
    return true;
  }

  private static boolean readChars(char[] array, int from, long dst, int bytes) {
    Objects.checkFromIndexSize(from, bytes >> 1, array.length);
    for (int i = 0; i < bytes; i += 2) {
      Raw.putChar(dst + i, array[from + (i >> 1)]);
    }
    return true;
  }

  private static boolean writeWord(int kind, Object array, long offset, long src) {
    switch (kind) {
      case Memory.BYTES -> WORD_IN_BYTES.set((byte[]) array, Math.toIntExact(offset), Raw.getLong(src));
      case Memory.LONGS -> {
        if ((offset & 7) != 0) {
          return false;
        }
        ((long[]) array)[Math.toIntExact(offset >> 3)] = Raw.getLong(src);
      }
      case Memory.DOUBLES -> {
        if ((offset & 7) != 0) {
          return false;
        }
        ((double[]) array)[Math.toIntExact(offset >> 3)] = Raw.getDouble(src);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static boolean writeFew(int kind, Object array, long offset, long src, int bytes) {
    int odd = (int) offset | bytes;
    return switch (kind) {
      case Memory.INTS -> (odd & 3) == 0 && writeInts((int[]) array, Math.toIntExact(offset >> 2), src, bytes);
      case Memory.FLOATS -> (odd & 3) == 0 && writeFloats((float[]) array, Math.toIntExact(offset >> 2), src, bytes);
      case Memory.BYTES -> writeBytes((byte[]) array, Math.toIntExact(offset), src, bytes);
      case Memory.SHORTS -> (odd & 1) == 0 && writeShorts((short[]) array, Math.toIntExact(offset >> 1), src, bytes);
      case Memory.CHARS -> (odd & 1) == 0 && writeChars((char[]) array, Math.toIntExact(offset >> 1), src, bytes);
      default -> false;
    };
  }

  /** The last element first, so that a range that does not fit moves nothing. */
  private static boolean writeInts(int[] array, int from, long src, int bytes) {
    Objects.checkIndex(from, array.length);
    if (bytes == Long.BYTES) {
      array[from + 1] = Raw.getInt(src + 4);
    }
    array[from] = Raw.getInt(src);
    return true;
  }

  private static boolean writeFloats(float[] array, int from, long src, int bytes) {
    Objects.checkIndex(from, array.length);
    if (bytes == Long.BYTES) {
      array[from + 1] = Raw.getFloat(src + 4);
    }
    array[from] = Raw.getFloat(src);
    return true;
  }

  private static boolean writeBytes(byte[] array, int from, long src, int bytes) {
    Objects.checkFromIndexSize(from, bytes, array.length);
    for (int i = 0; i < bytes; i++) {
      array[from + i] = Raw.getByte(src + i);
    }
    return true;
  }

  private static boolean writeShorts(short[] array, int from, long src, int bytes) {
    Objects.checkFromIndexSize(from, bytes >> 1, array.length);
    for (int i = 0; i < bytes; i += 2) {
      array[from + (i >> 1)] = Raw.getShort(src + i);
    }
    return true;
  }

  private static boolean writeChars(char[] array, int from, long src, int bytes) {
    Objects.checkFromIndexSize(from, bytes >> 1, array.length);
    for (int i = 0; i < bytes; i += 2) {
      array[from + (i >> 1)] = Raw.getChar(src + i);
    }
    return true;
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
    int from = checkedStart(array, offset, bytes);
    int length = (int) bytes;
    for (int i = 0; i < length; i++) {
      Raw.putByte(dst + i, (byte) (array[from + i] ? 1 : 0));
    }
  }

  /** Any byte but 0 is true, as in C. */
  static void writeBooleans(boolean[] array, long offset, long src, long bytes) {
    int from = checkedStart(array, offset, bytes);
    int length = (int) bytes;
    for (int i = 0; i < length; i++) {
      array[from + i] = Raw.getByte(src + i) != 0;
    }
  }

  /** Checked before the loop, so that a range that does not fit moves nothing, as with the other kinds. */
  private static int checkedStart(boolean[] array, long offset, long bytes) {
    return (int) Objects.checkFromIndexSize(offset, bytes, (long) array.length);
  }

  private static IllegalArgumentException unknown(int kind) {
    return new IllegalArgumentException("kind = " + kind + ": allowed are " + Memory.NATIVE + ".." + Memory.DOUBLES);
  }
}
