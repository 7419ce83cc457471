// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Memory at absolute addresses as buffers of {@code java.nio}, for loops that the compiler is to vectorize. It does not
 * vectorize loops over floating-point numbers in segments, which are read as integers and converted; buffers read them
 * directly. The rules are those of {@link Raw}; any alignment will do.
 *
 * <p>A buffer covers a gibibyte and what follows it, and numbers in it are found by {@link #index}. Buffers are cached;
 * a new one is made only when another place needs the slot.
 */
public final class Views {
  /** Bytes that can be reached from any address through the buffer that belongs to it. */
  public static final int REACH = 1 << 16;

  private static final int PLACE_BITS = 30;
  private static final long WITHIN = (1L << PLACE_BITS) - 1;
  private static final int SLOTS = 256;
  private static final int MISALIGNED_SLOTS = 32;

  /** Threads may race to fill a slot; the race is benign, since its values are immutable. */
  private static final View[] BYTES = new View[SLOTS];

  private static final View[] SHORTS = new View[SLOTS];
  private static final View[] INTS = new View[SLOTS];
  private static final View[] LONGS = new View[SLOTS];
  private static final View[] FLOATS = new View[SLOTS];
  private static final View[] DOUBLES = new View[SLOTS];

  /** The buffer of one place for one of the alignments within a number's width. */
  private record View(long base, Buffer buffer) {}

  private Views() {}

  /**
   * Returns the buffer that an address belongs to.
   *
   * @param a absolute address
   * @return the buffer, for absolute gets and puts only
   */
  public static ByteBuffer bytes(long a) {
    View view = BYTES[slot(a, Byte.BYTES)];
    return (ByteBuffer) (fits(view, a, Byte.BYTES) ? view : make(BYTES, a, Byte.BYTES)).buffer;
  }

  /**
   * Returns the buffer that an address belongs to.
   *
   * @param a absolute address
   * @return the buffer, for absolute gets and puts only
   */
  public static ShortBuffer shorts(long a) {
    View view = SHORTS[slot(a, Short.BYTES)];
    return (ShortBuffer) (fits(view, a, Short.BYTES) ? view : make(SHORTS, a, Short.BYTES)).buffer;
  }

  /**
   * Returns the buffer that an address belongs to.
   *
   * @param a absolute address
   * @return the buffer, for absolute gets and puts only
   */
  public static IntBuffer ints(long a) {
    View view = INTS[slot(a, Integer.BYTES)];
    return (IntBuffer) (fits(view, a, Integer.BYTES) ? view : make(INTS, a, Integer.BYTES)).buffer;
  }

  /**
   * Returns the buffer that an address belongs to.
   *
   * @param a absolute address
   * @return the buffer, for absolute gets and puts only
   */
  public static LongBuffer longs(long a) {
    View view = LONGS[slot(a, Long.BYTES)];
    return (LongBuffer) (fits(view, a, Long.BYTES) ? view : make(LONGS, a, Long.BYTES)).buffer;
  }

  /**
   * Returns the buffer that an address belongs to.
   *
   * @param a absolute address
   * @return the buffer, for absolute gets and puts only
   */
  public static FloatBuffer floats(long a) {
    View view = FLOATS[slot(a, Float.BYTES)];
    return (FloatBuffer) (fits(view, a, Float.BYTES) ? view : make(FLOATS, a, Float.BYTES)).buffer;
  }

  /**
   * Returns the buffer that an address belongs to.
   *
   * @param a absolute address
   * @return the buffer, for absolute gets and puts only
   */
  public static DoubleBuffer doubles(long a) {
    View view = DOUBLES[slot(a, Double.BYTES)];
    return (DoubleBuffer) (fits(view, a, Double.BYTES) ? view : make(DOUBLES, a, Double.BYTES)).buffer;
  }

  /**
   * Returns where the number at an address lies in the buffer that the address belongs to.
   *
   * @param a absolute address
   * @param width bytes of a number; a power of two
   * @return its index
   */
  public static int index(long a, int width) {
    return (int) (a & WITHIN) / width;
  }

  private static long base(long a, int width) {
    return a & ~WITHIN | a & width - 1;
  }

  private static int slot(long a, int width) {
    return (int) (a >>> PLACE_BITS) + (int) (a & width - 1) * MISALIGNED_SLOTS & SLOTS - 1;
  }

  private static boolean fits(View view, long a, int width) {
    return view != null && view.base == base(a, width);
  }

  private static View make(View[] views, long a, int width) {
    ByteBuffer bytes = Raw.view(base(a, width), WITHIN + 1 + REACH).asByteBuffer().order(ByteOrder.nativeOrder());
    Buffer numbers;
    if (views == DOUBLES) {
      numbers = bytes.asDoubleBuffer();
    } else if (views == FLOATS) {
      numbers = bytes.asFloatBuffer();
    } else if (views == LONGS) {
      numbers = bytes.asLongBuffer();
    } else if (views == INTS) {
      numbers = bytes.asIntBuffer();
    } else if (views == SHORTS) {
      numbers = bytes.asShortBuffer();
    } else {
      numbers = bytes;
    }
    View made = new View(base(a, width), numbers);
    views[slot(a, width)] = made;
    return made;
  }
}
