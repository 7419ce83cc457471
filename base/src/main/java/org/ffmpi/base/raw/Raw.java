// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Unchecked access to memory at absolute addresses. Beside the bindings to libc, no other class in ffmpi touches memory
 * that it cannot check: a wrong address crashes the JVM or corrupts it.
 *
 * <p>Callers hold to three rules. The address range was checked against the segment it was taken from, in
 * overflow-checked arithmetic. Every use lies inside {@code try ... finally Reference.reachabilityFence(owner)}, where
 * {@code owner} keeps the memory mapped. That memory cannot be closed meanwhile; memory that a user can close
 * is reached through {@link Memory} instead.
 *
 * <p>All accesses go through one constant segment of constant class. Code shared by callers with mapped, native and
 * heap segments stays fast this way, where a method with a {@code MemorySegment} parameter slows down many times over
 * once it has met all of them.
 *
 * <p>Plain accesses may be unaligned. Accesses named with a memory order or a read-modify-write need natural alignment
 * and throw {@link IllegalArgumentException} without it. All of them use the machine's byte order. No method blocks or
 * allocates, except the two {@code view}s.
 *
 * <p>This file is long because it is a flat list of one-line accesses, one for each width and memory order.
 */
public final class Raw {
  /** All addresses of the process: offset equals address. For APIs that accept segments only, such as vectors. */
  public static final MemorySegment EVERYTHING = everything();

  private static final VarHandle BYTE = exact(JAVA_BYTE);
  private static final VarHandle SHORT = exact(JAVA_SHORT_UNALIGNED);
  private static final VarHandle CHAR = exact(JAVA_CHAR_UNALIGNED);
  private static final VarHandle INT = exact(JAVA_INT_UNALIGNED);
  private static final VarHandle LONG = exact(JAVA_LONG_UNALIGNED);
  private static final VarHandle FLOAT = exact(JAVA_FLOAT_UNALIGNED);
  private static final VarHandle DOUBLE = exact(JAVA_DOUBLE_UNALIGNED);
  private static final VarHandle ALIGNED_INT = exact(JAVA_INT);
  private static final VarHandle ALIGNED_LONG = exact(JAVA_LONG);

  /**
   * Up to this many bytes a copy or fill is a few loads and stores; for more, a call of the JDK's bulk routine pays.
   */
  private static final long SMALL = 64;

  /** Longest single bulk copy, which the garbage collector cannot interrupt: a fraction of a millisecond. */
  private static final long UNINTERRUPTED = 1 << 20;

  private Raw() {}

  @SuppressWarnings("restricted") // restricted: the purpose of this class
  private static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  private static VarHandle exact(ValueLayout layout) {
    return layout.varHandle().withInvokeExactBehavior();
  }

  // ---- plain accesses, any alignment

  /**
   * Reads a byte.
   *
   * @param a absolute address
   * @return the value there
   */
  public static byte getByte(long a) {
    return (byte) BYTE.get(EVERYTHING, a);
  }

  /**
   * Writes a byte.
   *
   * @param a absolute address
   * @param v the value
   */
  public static void putByte(long a, byte v) {
    BYTE.set(EVERYTHING, a, v);
  }

  /**
   * Reads a short.
   *
   * @param a absolute address
   * @return the value there
   */
  public static short getShort(long a) {
    return (short) SHORT.get(EVERYTHING, a);
  }

  /**
   * Writes a short.
   *
   * @param a absolute address
   * @param v the value
   */
  public static void putShort(long a, short v) {
    SHORT.set(EVERYTHING, a, v);
  }

  /**
   * Reads a char.
   *
   * @param a absolute address
   * @return the value there
   */
  public static char getChar(long a) {
    return (char) CHAR.get(EVERYTHING, a);
  }

  /**
   * Writes a char.
   *
   * @param a absolute address
   * @param v the value
   */
  public static void putChar(long a, char v) {
    CHAR.set(EVERYTHING, a, v);
  }

  /**
   * Reads an int.
   *
   * @param a absolute address
   * @return the value there
   */
  public static int getInt(long a) {
    return (int) INT.get(EVERYTHING, a);
  }

  /**
   * Writes an int.
   *
   * @param a absolute address
   * @param v the value
   */
  public static void putInt(long a, int v) {
    INT.set(EVERYTHING, a, v);
  }

  /**
   * Reads a long.
   *
   * @param a absolute address
   * @return the value there
   */
  public static long getLong(long a) {
    return (long) LONG.get(EVERYTHING, a);
  }

  /**
   * Writes a long.
   *
   * @param a absolute address
   * @param v the value
   */
  public static void putLong(long a, long v) {
    LONG.set(EVERYTHING, a, v);
  }

  /**
   * Reads a float.
   *
   * @param a absolute address
   * @return the value there
   */
  public static float getFloat(long a) {
    return (float) FLOAT.get(EVERYTHING, a);
  }

  /**
   * Writes a float.
   *
   * @param a absolute address
   * @param v the value
   */
  public static void putFloat(long a, float v) {
    FLOAT.set(EVERYTHING, a, v);
  }

  /**
   * Reads a double.
   *
   * @param a absolute address
   * @return the value there
   */
  public static double getDouble(long a) {
    return (double) DOUBLE.get(EVERYTHING, a);
  }

  /**
   * Writes a double.
   *
   * @param a absolute address
   * @param v the value
   */
  public static void putDouble(long a, double v) {
    DOUBLE.set(EVERYTHING, a, v);
  }

  /**
   * Compares two short runs of bytes.
   *
   * @param a absolute address
   * @param b another one
   * @param bytes how many, not negative
   * @return true when all are equal
   */
  public static boolean equal(long a, long b, long bytes) {
    long i = 0;
    for (; i <= bytes - Long.BYTES; i += Long.BYTES) {
      if (getLong(a + i) != getLong(b + i)) {
        return false;
      }
    }
    for (; i < bytes; i++) {
      if (getByte(a + i) != getByte(b + i)) {
        return false;
      }
    }
    return true;
  }

  // ---- ordered accesses, naturally aligned

  /**
   * Reads an int: later accesses stay after it.
   *
   * @param a absolute address, a multiple of 4
   * @return the value there
   */
  public static int getAcquireInt(long a) {
    return (int) ALIGNED_INT.getAcquire(EVERYTHING, a);
  }

  /**
   * Reads an int in one piece, unordered against other addresses, never kept in a register across calls.
   *
   * @param a absolute address, a multiple of 4
   * @return the value there
   */
  public static int getOpaqueInt(long a) {
    return (int) ALIGNED_INT.getOpaque(EVERYTHING, a);
  }

  /**
   * Reads an int with volatile order.
   *
   * @param a absolute address, a multiple of 4
   * @return the value there
   */
  public static int getVolatileInt(long a) {
    return (int) ALIGNED_INT.getVolatile(EVERYTHING, a);
  }

  /**
   * Writes an int: earlier accesses stay before it.
   *
   * @param a absolute address, a multiple of 4
   * @param v the value
   */
  public static void putReleaseInt(long a, int v) {
    ALIGNED_INT.setRelease(EVERYTHING, a, v);
  }

  /**
   * Writes an int in one piece, unordered against other addresses.
   *
   * @param a absolute address, a multiple of 4
   * @param v the value
   */
  public static void putOpaqueInt(long a, int v) {
    ALIGNED_INT.setOpaque(EVERYTHING, a, v);
  }

  /**
   * Writes an int with volatile order, which orders it before the writer's later reads too.
   *
   * @param a absolute address, a multiple of 4
   * @param v the value
   */
  public static void putVolatileInt(long a, int v) {
    ALIGNED_INT.setVolatile(EVERYTHING, a, v);
  }

  /**
   * Writes an int if another is there, with volatile order.
   *
   * @param a absolute address, a multiple of 4
   * @param expected the value that has to be there
   * @param v the new value
   * @return true when it was there and was replaced
   */
  public static boolean compareAndSetInt(long a, int expected, int v) {
    return ALIGNED_INT.compareAndSet(EVERYTHING, a, expected, v);
  }

  /**
   * Replaces an int, with volatile order.
   *
   * @param a absolute address, a multiple of 4
   * @param v the new value
   * @return the value that was there
   */
  public static int getAndSetInt(long a, int v) {
    return (int) ALIGNED_INT.getAndSet(EVERYTHING, a, v);
  }

  /**
   * Adds to an int, with volatile order.
   *
   * @param a absolute address, a multiple of 4
   * @param delta what to add
   * @return the value that was there
   */
  public static int getAndAddInt(long a, int delta) {
    return (int) ALIGNED_INT.getAndAdd(EVERYTHING, a, delta);
  }

  /**
   * Reads a long: later accesses stay after it.
   *
   * @param a absolute address, a multiple of 8
   * @return the value there
   */
  public static long getAcquireLong(long a) {
    return (long) ALIGNED_LONG.getAcquire(EVERYTHING, a);
  }

  /**
   * Reads a long in one piece, unordered against other addresses, never kept in a register across calls.
   *
   * @param a absolute address, a multiple of 8
   * @return the value there
   */
  public static long getOpaqueLong(long a) {
    return (long) ALIGNED_LONG.getOpaque(EVERYTHING, a);
  }

  /**
   * Reads a long with volatile order.
   *
   * @param a absolute address, a multiple of 8
   * @return the value there
   */
  public static long getVolatileLong(long a) {
    return (long) ALIGNED_LONG.getVolatile(EVERYTHING, a);
  }

  /**
   * Writes a long: earlier accesses stay before it.
   *
   * @param a absolute address, a multiple of 8
   * @param v the value
   */
  public static void putReleaseLong(long a, long v) {
    ALIGNED_LONG.setRelease(EVERYTHING, a, v);
  }

  /**
   * Writes a long in one piece, unordered against other addresses.
   *
   * @param a absolute address, a multiple of 8
   * @param v the value
   */
  public static void putOpaqueLong(long a, long v) {
    ALIGNED_LONG.setOpaque(EVERYTHING, a, v);
  }

  /**
   * Writes a long with volatile order, which orders it before the writer's later reads too.
   *
   * @param a absolute address, a multiple of 8
   * @param v the value
   */
  public static void putVolatileLong(long a, long v) {
    ALIGNED_LONG.setVolatile(EVERYTHING, a, v);
  }

  /**
   * Writes a long if another is there, with volatile order.
   *
   * @param a absolute address, a multiple of 8
   * @param expected the value that has to be there
   * @param v the new value
   * @return true when it was there and was replaced
   */
  public static boolean compareAndSetLong(long a, long expected, long v) {
    return ALIGNED_LONG.compareAndSet(EVERYTHING, a, expected, v);
  }

  /**
   * Replaces a long, with volatile order.
   *
   * @param a absolute address, a multiple of 8
   * @param v the new value
   * @return the value that was there
   */
  public static long getAndSetLong(long a, long v) {
    return (long) ALIGNED_LONG.getAndSet(EVERYTHING, a, v);
  }

  /**
   * Adds to a long, with volatile order.
   *
   * @param a absolute address, a multiple of 8
   * @param delta what to add
   * @return the value that was there
   */
  public static long getAndAddLong(long a, long delta) {
    return (long) ALIGNED_LONG.getAndAdd(EVERYTHING, a, delta);
  }

  /**
   * Sets bits of a long, with volatile order.
   *
   * @param a absolute address, a multiple of 8
   * @param bits the bits to set
   * @return the value that was there
   */
  public static long getAndBitwiseOrLong(long a, long bits) {
    return (long) ALIGNED_LONG.getAndBitwiseOr(EVERYTHING, a, bits);
  }

  /**
   * Keeps only some bits of a long, with volatile order.
   *
   * @param a absolute address, a multiple of 8
   * @param bits the bits to keep
   * @return the value that was there
   */
  public static long getAndBitwiseAndLong(long a, long bits) {
    return (long) ALIGNED_LONG.getAndBitwiseAnd(EVERYTHING, a, bits);
  }

  /** Orders everything before it against everything after it, a store against a later load included. */
  public static void fullFence() {
    VarHandle.fullFence();
  }

  // ---- blocks

  /**
   * Copies bytes as if through a buffer in between: the ranges may overlap.
   *
   * @param src absolute address to copy from
   * @param dst absolute address to copy to
   * @param bytes how many; not negative
   */
  public static void copy(long src, long dst, long bytes) {
    if (bytes == Long.BYTES) {
      putLong(dst, getLong(src));
    } else if (bytes <= SMALL) {
      copySmall(src, dst, bytes);
    } else if (bytes <= UNINTERRUPTED) {
      MemorySegment.copy(EVERYTHING, src, EVERYTHING, dst, bytes);
    } else {
      copyInPieces(src, dst, bytes);
    }
  }

  /** Copies in the direction in which overlapping ranges do no harm. */
  private static void copyInPieces(long src, long dst, long bytes) {
    if (dst < src) {
      for (long done = 0; done < bytes; done += UNINTERRUPTED) {
        MemorySegment.copy(EVERYTHING, src + done, EVERYTHING, dst + done, Math.min(UNINTERRUPTED, bytes - done));
      }
    } else {
      for (long left = bytes; left > 0; left -= UNINTERRUPTED) {
        long from = Math.max(0, left - UNINTERRUPTED);
        MemorySegment.copy(EVERYTHING, src + from, EVERYTHING, dst + from, left - from);
      }
    }
  }

  /**
   * All loads come before the first store, so that overlap does no harm; words at both ends overlap to fit any size.
   */
  private static void copySmall(long src, long dst, long bytes) {
    if (bytes >= 8) {
      if (bytes <= 16) {
        long first = getLong(src);
        long last = getLong(src + bytes - 8);
        putLong(dst, first);
        putLong(dst + bytes - 8, last);
      } else if (bytes <= 32) {
        copyUpTo32(src, dst, bytes);
      } else {
        copyUpTo64(src, dst, bytes);
      }
    } else if (bytes >= 4) {
      int first = getInt(src);
      int last = getInt(src + bytes - 4);
      putInt(dst, first);
      putInt(dst + bytes - 4, last);
    } else if (bytes >= 2) {
      short first = getShort(src);
      byte last = getByte(src + bytes - 1);
      putShort(dst, first);
      putByte(dst + bytes - 1, last);
    } else if (bytes == 1) {
      putByte(dst, getByte(src));
    } else if (bytes < 0) {
      throw new IllegalArgumentException("bytes = " + bytes + ": allowed are 0 and more");
    }
  }

  private static void copyUpTo32(long src, long dst, long bytes) {
    long w0 = getLong(src);
    long w1 = getLong(src + 8);
    long w2 = getLong(src + bytes - 16);
    long w3 = getLong(src + bytes - 8);
    putLong(dst, w0);
    putLong(dst + 8, w1);
    putLong(dst + bytes - 16, w2);
    putLong(dst + bytes - 8, w3);
  }

  private static void copyUpTo64(long src, long dst, long bytes) {
    long w0 = getLong(src);
    long w1 = getLong(src + 8);
    long w2 = getLong(src + 16);
    long w3 = getLong(src + 24);
    long w4 = getLong(src + bytes - 32);
    long w5 = getLong(src + bytes - 24);
    long w6 = getLong(src + bytes - 16);
    long w7 = getLong(src + bytes - 8);
    putLong(dst, w0);
    putLong(dst + 8, w1);
    putLong(dst + 16, w2);
    putLong(dst + 24, w3);
    putLong(dst + bytes - 32, w4);
    putLong(dst + bytes - 24, w5);
    putLong(dst + bytes - 16, w6);
    putLong(dst + bytes - 8, w7);
  }

  /**
   * Sets bytes to one value.
   *
   * @param dst absolute address of the first
   * @param bytes how many; not negative
   * @param v the value
   */
  public static void fill(long dst, long bytes, byte v) {
    if (bytes <= SMALL) {
      for (long i = 0; i < bytes; i++) {
        putByte(dst + i, v);
      }
    } else {
      EVERYTHING.asSlice(dst, bytes).fill(v);
    }
  }

  // ---- segments

  /**
   * Returns the handle that a layout keeps, to be recognized among those of a program.
   *
   * @param layout a layout
   * @return the same handle at each call, for the layouts that the JDK has as constants
   */
  public static VarHandle handle(ValueLayout layout) {
    return layout.varHandle();
  }

  /**
   * Returns where a native segment begins.
   *
   * @param nativeSegment an off-heap segment; the user of the address keeps it reachable
   * @return its absolute address
   * @throws IllegalArgumentException when the segment lies on the Java heap, where the garbage collector moves it
   */
  public static long address(MemorySegment nativeSegment) {
    if (!nativeSegment.isNative()) {
      throw new IllegalArgumentException("segment = " + nativeSegment + ": only native segments have an address");
    }
    return nativeSegment.address();
  }

  /**
   * Makes a segment of existing memory that is never freed as far as the segment knows.
   *
   * @param address absolute address of its first byte
   * @param bytes its size
   * @return a native segment of the global scope
   */
  @SuppressWarnings("restricted") // restricted: turns an address into a segment
  public static MemorySegment view(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  /**
   * Makes a segment of existing memory that can be used as long as an arena is open.
   *
   * @param address absolute address of its first byte
   * @param bytes its size
   * @param arena the arena
   * @return a native segment of the arena's scope
   */
  @SuppressWarnings("restricted") // restricted: turns an address into a segment
  public static MemorySegment view(long address, long bytes, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
  }

  /**
   * Makes a segment of existing memory that lives as long as an arena.
   *
   * @param address absolute address of its first byte
   * @param bytes its size
   * @param arena the arena; an automatic one ends when neither it nor the segment is reachable
   * @param cleanup run once after the arena has ended, in the thread that ends it
   * @return a native segment of the arena's scope
   */
  @SuppressWarnings("restricted") // restricted: turns an address into a segment
  public static MemorySegment view(long address, long bytes, Arena arena, Runnable cleanup) {
    return MemorySegment.ofAddress(address).reinterpret(bytes, arena, ended -> cleanup.run());
  }
}
