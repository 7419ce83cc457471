// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The memory of a user's buffer, as a flat descriptor {@code (kind, owner, offset)} that is found once, when the buffer
 * is named, and then carried through the engine without an object of its own.
 *
 * <table>
 *   <caption>Kinds of memory</caption>
 *   <tr><th>kind</th><th>owner</th><th>offset</th><th>who may touch it</th></tr>
 *   <tr><td>{@link #NATIVE}</td><td>the segment</td><td>absolute address</td><td>any thread, by address, while the
 *       owner is reachable: scope global or automatic, direct NIO buffers, the shared heap</td></tr>
 *   <tr><td>{@link #CONFINED}</td><td>the segment</td><td>bytes from its start</td><td>the thread that owns its
 *       arena</td></tr>
 *   <tr><td>{@link #SESSION}</td><td>the segment</td><td>bytes from its start</td><td>any thread; another one may close
 *       its arena at any time, so each access is a checked bulk copy</td></tr>
 *   <tr><td>{@link #BYTES} … {@link #DOUBLES}</td><td>the Java array</td><td>bytes from element 0</td><td>any
 *       thread</td></tr>
 * </table>
 *
 * <p>Any other segment counts as {@code SESSION}, which is slower but safe for every segment, read-only views of arrays
 * among them. What remains unsafe: memory that is unmapped behind its segment's back, a file that is truncated while it
 * is mapped, and a segment made by {@code reinterpret} of memory that the user frees himself.
 *
 * <p>Reads and writes do not check bounds for {@code NATIVE}: callers check the whole range with {@link #checkBounds}
 * before. They neither block nor allocate, and each kind of array has a path of its own, so that one kind of buffer
 * does not slow down another.
 */
public final class Memory {
  /** Off-heap memory that cannot be closed: reached by absolute address. */
  public static final int NATIVE = 0;

  /** Off-heap memory of a confined arena: one thread only. */
  public static final int CONFINED = 1;

  /** Off-heap memory of a shared arena that can be closed, or any segment that is not one of the other kinds. */
  public static final int SESSION = 2;

  /** A {@code byte[]}. */
  public static final int BYTES = 3;

  /** A {@code boolean[]}: one byte an element, 0 or 1 in messages. */
  public static final int BOOLEANS = 4;

  /** A {@code char[]}. */
  public static final int CHARS = 5;

  /** A {@code short[]}. */
  public static final int SHORTS = 6;

  /** An {@code int[]}. */
  public static final int INTS = 7;

  /** A {@code long[]}. */
  public static final int LONGS = 8;

  /** A {@code float[]}. */
  public static final int FLOATS = 9;

  /** A {@code double[]}. */
  public static final int DOUBLES = 10;

  /**
   * The classes of the scopes that a user cannot close, taken from examples, since the JDK has no name for them. If it
   * ever uses one class for automatic and closeable arenas, automatic ones lose their fast path.
   */
  private static final Class<?> GLOBAL_SCOPE = Arena.global().scope().getClass();

  private static final Class<?> AUTOMATIC_SCOPE = automaticScope();

  /** The scope of memory that the garbage collector owns, direct NIO buffers included. */
  private static final Class<?> COLLECTED_SCOPE = MemorySegment.ofArray(new byte[0]).scope().getClass();

  /** A thread that owns no arena: memory that it cannot access is confined. */
  private static final Thread OTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

  private Memory() {}

  private static Class<?> automaticScope() {
    Class<?> automatic = Arena.ofAuto().scope().getClass();
    return automatic == Arena.ofShared().scope().getClass() ? GLOBAL_SCOPE : automatic;
  }

  // ---- finding the descriptor

  /**
   * Returns the kind of a segment's memory.
   *
   * @param segment any segment
   * @return one of the kinds
   */
  public static int kindOf(MemorySegment segment) {
    if (!segment.isNative()) {
      Object array = segment.heapBase().orElse(null); // none when the segment is read-only
      return array == null ? SESSION : kindOfArray(array);
    }
    if (!segment.isAccessibleBy(OTHER_THREAD)) {
      return CONFINED;
    }
    Class<?> scope = segment.scope().getClass();
    return scope == GLOBAL_SCOPE || scope == AUTOMATIC_SCOPE || scope == COLLECTED_SCOPE ? NATIVE : SESSION;
  }

  /**
   * Returns the kind of an array.
   *
   * @param array an array of primitives
   * @return one of the kinds
   * @throws MpiException ERR_BUFFER when it is no array of primitives
   */
  public static int kindOfArray(Object array) {
    return switch (array) {
      case byte[] a -> BYTES;
      case boolean[] a -> BOOLEANS;
      case char[] a -> CHARS;
      case short[] a -> SHORTS;
      case int[] a -> INTS;
      case long[] a -> LONGS;
      case float[] a -> FLOATS;
      case double[] a -> DOUBLES;
      case null ->
          throw MpiException.argument(ErrorClass.ERR_BUFFER, "buffer", "null", "arrays of a primitive type");
      default ->
          throw MpiException.argument(
              ErrorClass.ERR_BUFFER, "buffer", array.getClass().getTypeName(), "arrays of a primitive type");
    };
  }

  /**
   * Returns the owner in a segment's descriptor.
   *
   * @param segment any segment
   * @return the array behind a writable heap segment, otherwise the segment itself
   */
  public static Object ownerOf(MemorySegment segment) {
    return segment.heapBase().orElse(segment);
  }

  /**
   * Returns the offset in a segment's descriptor: that of the segment's first byte.
   *
   * @param segment any segment
   * @return the absolute address, the bytes from element 0 of the array, or 0, by the kind
   */
  public static long offsetOf(MemorySegment segment) {
    int kind = kindOf(segment);
    return kind == CONFINED || kind == SESSION ? 0 : segment.address();
  }

  /**
   * Returns the size of one element of an array kind.
   *
   * @param kind one of the kinds
   * @return bytes; 1 for segments
   */
  public static int elementSize(int kind) {
    return 1 << elementShift(kind);
  }

  private static int elementShift(int kind) {
    return switch (kind) {
      case CHARS, SHORTS -> 1;
      case INTS, FLOATS -> 2;
      case LONGS, DOUBLES -> 3;
      default -> 0;
    };
  }

  // ---- checks, made once per buffer

  /**
   * Returns whether the calling thread may touch the memory.
   *
   * @param kind one of the kinds
   * @param owner the segment or array
   * @return false only for a confined segment of another thread
   */
  public static boolean accessibleByCurrentThread(int kind, Object owner) {
    return kind != CONFINED || ((MemorySegment) owner).isAccessibleBy(Thread.currentThread());
  }

  /**
   * Returns whether the memory may be written. {@link #write} does not check it.
   *
   * @param owner the segment or array
   * @return false for read-only segments
   */
  public static boolean isWritable(Object owner) {
    return !(owner instanceof MemorySegment segment) || !segment.isReadOnly();
  }

  /**
   * Returns whether the memory still exists.
   *
   * @param owner the segment or array
   * @return false for segments of a closed arena
   */
  public static boolean isAlive(Object owner) {
    return !(owner instanceof MemorySegment segment) || segment.scope().isAlive();
  }

  /**
   * Checks that all bytes of {@code count} elements lie inside a buffer, also where extents are negative or larger than
   * what they span, and however large the numbers are.
   *
   * @param argument the buffer's name for the error text
   * @param available bytes of the buffer
   * @param start where element 0 has its origin, in bytes from the buffer's first
   * @param count number of elements, not negative
   * @param extent distance from element to element
   * @param trueLowerBound first byte an element touches, from its origin
   * @param trueExtent bytes from the first to the last byte an element touches
   * @throws MpiException ERR_BUFFER when a byte lies outside
   */
  public static void checkBounds(
      String argument, long available, long start, long count, long extent, long trueLowerBound, long trueExtent) {
    if (count == 0 || trueExtent == 0) {
      return; // elements without data lie anywhere
    }
    boolean inside;
    try {
      long lastOrigin = Math.multiplyExact(count - 1, extent);
      long first = Math.addExact(Math.addExact(start, trueLowerBound), Math.min(0, lastOrigin));
      long end = Math.addExact(
          Math.addExact(Math.addExact(start, trueLowerBound), trueExtent), Math.max(0, lastOrigin));
      inside = first >= 0 && end <= available;
    } catch (ArithmeticException e) {
      inside = false;
    }
    if (!inside) {
      throw new MpiException(
          ErrorClass.ERR_BUFFER,
          argument + " has " + available + " bytes: too small for " + count + " elements of extent " + extent
              + " and true extent " + trueExtent + " from true lower bound " + trueLowerBound + " at byte " + start);
    }
  }

  // ---- copies

  /**
   * Copies from a user's memory to an absolute address.
   *
   * @param kind one of the kinds
   * @param owner the segment or array
   * @param offset first byte, by the rules of the kind
   * @param dst absolute address to copy to, outside the user's memory
   * @param bytes how many; not negative
   * @throws IllegalStateException when the segment's arena has been closed
   * @throws WrongThreadException when the segment is confined to another thread
   * @throws IndexOutOfBoundsException when the range leaves a segment or array other than {@code NATIVE}
   */
  public static void read(int kind, Object owner, long offset, long dst, long bytes) {
    try {
      switch (kind) {
        case NATIVE -> Raw.copy(offset, dst, bytes);
        case CONFINED, SESSION -> readSegment((MemorySegment) owner, offset, dst, bytes);
        case BOOLEANS -> ArrayCopies.readBooleans((boolean[]) owner, offset, dst, bytes);
        case BYTES -> ArrayCopies.readBytes((byte[]) owner, offset, dst, bytes);
        case CHARS -> ArrayCopies.readChars((char[]) owner, offset, dst, bytes);
        case SHORTS -> ArrayCopies.readShorts((short[]) owner, offset, dst, bytes);
        case INTS -> ArrayCopies.readInts((int[]) owner, offset, dst, bytes);
        case LONGS -> ArrayCopies.readLongs((long[]) owner, offset, dst, bytes);
        case FLOATS -> ArrayCopies.readFloats((float[]) owner, offset, dst, bytes);
        case DOUBLES -> ArrayCopies.readDoubles((double[]) owner, offset, dst, bytes);
        default -> throw unknown(kind);
      }
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  /**
   * Copies from an absolute address to a user's memory.
   *
   * @param kind one of the kinds
   * @param owner the segment or array; writable
   * @param offset first byte, by the rules of the kind
   * @param src absolute address to copy from, outside the user's memory
   * @param bytes how many; not negative
   * @throws IllegalStateException when the segment's arena has been closed
   * @throws WrongThreadException when the segment is confined to another thread
   * @throws IndexOutOfBoundsException when the range leaves a segment or array other than {@code NATIVE}
   */
  public static void write(int kind, Object owner, long offset, long src, long bytes) {
    try {
      switch (kind) {
        case NATIVE -> Raw.copy(src, offset, bytes);
        case CONFINED, SESSION -> writeSegment((MemorySegment) owner, offset, src, bytes);
        case BOOLEANS -> ArrayCopies.writeBooleans((boolean[]) owner, offset, src, bytes);
        case BYTES -> ArrayCopies.writeBytes((byte[]) owner, offset, src, bytes);
        case CHARS -> ArrayCopies.writeChars((char[]) owner, offset, src, bytes);
        case SHORTS -> ArrayCopies.writeShorts((short[]) owner, offset, src, bytes);
        case INTS -> ArrayCopies.writeInts((int[]) owner, offset, src, bytes);
        case LONGS -> ArrayCopies.writeLongs((long[]) owner, offset, src, bytes);
        case FLOATS -> ArrayCopies.writeFloats((float[]) owner, offset, src, bytes);
        case DOUBLES -> ArrayCopies.writeDoubles((double[]) owner, offset, src, bytes);
        default -> throw unknown(kind);
      }
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  private static IllegalArgumentException unknown(int kind) {
    return new IllegalArgumentException("kind = " + kind + ": allowed are " + NATIVE + ".." + DOUBLES);
  }

  private static void readSegment(MemorySegment segment, long offset, long dst, long bytes) {
    if (bytes == Long.BYTES) {
      Raw.putLong(dst, segment.get(JAVA_LONG_UNALIGNED, offset));
    } else {
      MemorySegment.copy(segment, offset, Raw.EVERYTHING, dst, bytes);
    }
  }

  private static void writeSegment(MemorySegment segment, long offset, long src, long bytes) {
    if (bytes == Long.BYTES) {
      segment.set(JAVA_LONG_UNALIGNED, offset, Raw.getLong(src));
    } else {
      MemorySegment.copy(Raw.EVERYTHING, src, segment, offset, bytes);
    }
  }
}
