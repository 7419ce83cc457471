// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;

/**
 * The entry points for the loads and stores of rewritten classes, which call before they make them. Called by any
 * thread of the program; a call about memory that does not matter returns at once. Wrong arguments are left to the load
 * or store itself.
 */
public final class RaceHook {
  private RaceHook() {}

  // ---- arrays

  /**
   * Notes a load.
   *
   * @param array an array of primitives
   * @param index the element
   * @param site place in the program
   */
  public static void load(Object array, int index, String site) {
    elements(array, index, 1, false, site);
  }

  /**
   * Notes a store.
   *
   * @param array an array of primitives
   * @param index the element
   * @param site place in the program
   */
  public static void store(Object array, int index, String site) {
    elements(array, index, 1, true, site);
  }

  /**
   * Notes a copy between arrays.
   *
   * @param from an array
   * @param at first element there
   * @param to another array, or the same
   * @param toAt first element there
   * @param count how many
   * @param site place in the program
   */
  public static void copy(Object from, int at, Object to, int toAt, int count, String site) {
    elements(from, at, count, false, site);
    elements(to, toAt, count, true, site);
  }

  /**
   * Notes stores to a range.
   *
   * @param array an array of primitives
   * @param from first element
   * @param to the one behind the last
   * @param site place in the program
   */
  public static void fill(Object array, int from, int to, String site) {
    elements(array, from, to - from, true, site);
  }

  /**
   * Notes loads of all elements.
   *
   * @param array an array of primitives
   * @param site place in the program
   */
  public static void loadAll(Object array, String site) {
    if (array != null) {
      elements(array, 0, Array.getLength(array), false, site);
    }
  }

  /**
   * Notes stores to all elements.
   *
   * @param array an array of primitives
   * @param site place in the program
   */
  public static void storeAll(Object array, String site) {
    if (array != null) {
      elements(array, 0, Array.getLength(array), true, site);
    }
  }

  private static void elements(Object array, long first, long count, boolean stores, String site) {
    if (TrackedMemory.isEmpty() || array == null || !array.getClass().isArray()
        || !array.getClass().componentType().isPrimitive() || first < 0 || count <= 0
        || first + count > Array.getLength(array)) {
      return;
    }
    long size = Memory.elementSize(Memory.kindOfArray(array));
    TrackedMemory.touchArray(array, first * size, (first + count) * size, kind(stores), site);
  }

  // ---- segments

  /**
   * Notes a load from a segment.
   *
   * @param segment the segment
   * @param layout layout of the element
   * @param offset its first byte
   * @param site place in the program
   */
  public static void loadAt(MemorySegment segment, MemoryLayout layout, long offset, String site) {
    bytes(segment, offset, layout.byteSize(), false, site);
  }

  /**
   * Notes a store to a segment.
   *
   * @param segment the segment
   * @param layout layout of the element
   * @param offset its first byte
   * @param site place in the program
   */
  public static void storeAt(MemorySegment segment, MemoryLayout layout, long offset, String site) {
    bytes(segment, offset, layout.byteSize(), true, site);
  }

  /**
   * Notes a load from a segment.
   *
   * @param segment the segment
   * @param layout layout of the elements
   * @param index number of the element
   * @param site place in the program
   */
  public static void loadIndex(MemorySegment segment, MemoryLayout layout, long index, String site) {
    bytes(segment, index * layout.byteSize(), layout.byteSize(), false, site);
  }

  /**
   * Notes a store to a segment.
   *
   * @param segment the segment
   * @param layout layout of the elements
   * @param index number of the element
   * @param site place in the program
   */
  public static void storeIndex(MemorySegment segment, MemoryLayout layout, long index, String site) {
    bytes(segment, index * layout.byteSize(), layout.byteSize(), true, site);
  }

  /**
   * Notes loads of all of a segment.
   *
   * @param segment the segment
   * @param site place in the program
   */
  public static void loadSegment(MemorySegment segment, String site) {
    bytes(segment, 0, segment == null ? 0 : segment.byteSize(), false, site);
  }

  /**
   * Notes stores to all of a segment.
   *
   * @param segment the segment
   * @param site place in the program
   */
  public static void storeSegment(MemorySegment segment, String site) {
    bytes(segment, 0, segment == null ? 0 : segment.byteSize(), true, site);
  }

  /**
   * Notes a copy of all of a segment to the beginning of another.
   *
   * @param to the segment that is stored to
   * @param from the segment that is loaded from
   * @param site place in the program
   */
  public static void copyFrom(MemorySegment to, MemorySegment from, String site) {
    loadSegment(from, site);
    bytes(to, 0, from == null ? 0 : from.byteSize(), true, site);
  }

  /**
   * Notes a copy between segments.
   *
   * @param from the segment that is loaded from
   * @param at first byte there
   * @param to the segment that is stored to
   * @param toAt first byte there
   * @param count bytes
   * @param site place in the program
   */
  public static void copyBytes(MemorySegment from, long at, MemorySegment to, long toAt, long count, String site) {
    bytes(from, at, count, false, site);
    bytes(to, toAt, count, true, site);
  }

  /**
   * Notes a copy between segments, element by element.
   *
   * @param from the segment that is loaded from
   * @param layout layout of the elements there
   * @param at first byte there
   * @param to the segment that is stored to
   * @param toLayout layout of the elements there
   * @param toAt first byte there
   * @param count elements
   * @param site place in the program
   */
  public static void copyElements(
      MemorySegment from, MemoryLayout layout, long at, MemorySegment to, MemoryLayout toLayout, long toAt,
      long count, String site) {
    bytes(from, at, count * layout.byteSize(), false, site);
    bytes(to, toAt, count * toLayout.byteSize(), true, site);
  }

  /**
   * Notes a copy from a segment to an array.
   *
   * @param from the segment
   * @param layout layout of the elements there
   * @param at first byte there
   * @param to the array
   * @param index first element there
   * @param count elements
   * @param site place in the program
   */
  public static void copyToArray(
      MemorySegment from, MemoryLayout layout, long at, Object to, int index, int count, String site) {
    bytes(from, at, count * layout.byteSize(), false, site);
    elements(to, index, count, true, site);
  }

  /**
   * Notes a copy from an array to a segment.
   *
   * @param from the array
   * @param index first element there
   * @param to the segment
   * @param layout layout of the elements there
   * @param at first byte there
   * @param count elements
   * @param site place in the program
   */
  public static void copyToSegment(
      Object from, int index, MemorySegment to, MemoryLayout layout, long at, int count, String site) {
    elements(from, index, count, false, site);
    bytes(to, at, count * layout.byteSize(), true, site);
  }

  private static SeenAccess.Kind kind(boolean stores) {
    return stores ? SeenAccess.Kind.STORE : SeenAccess.Kind.LOAD;
  }

  private static void bytes(MemorySegment segment, long offset, long count, boolean stores, String site) {
    bytes(segment, offset, count, kind(stores), site);
  }

  /** Notes a load or store of some bytes of a segment. */
  static void bytes(MemorySegment segment, long offset, long count, SeenAccess.Kind kind, String site) {
    if (TrackedMemory.isEmpty() || segment == null || offset < 0 || count <= 0 || count > segment.byteSize() - offset) {
      return;
    }
    if (segment.isNative()) {
      long first = Raw.address(segment) + offset;
      TrackedMemory.touchNative(first, first + count, kind, site);
    } else if (segment.heapBase().isPresent()) {
      long first = Memory.offsetOf(segment) + offset;
      TrackedMemory.touchArray(segment.heapBase().get(), first, first + count, kind, site);
    }
  }

  // ---- NIO buffers

  /**
   * Notes a load of elements of a buffer.
   *
   * @param buffer the buffer
   * @param index the first, by the index of its kind; negative for the buffer's position
   * @param bytes bytes of the element; 0 for one of its kind
   * @param site place in the program
   */
  public static void loadBuffer(Buffer buffer, int index, int bytes, String site) {
    buffer(buffer, index, bytes, false, site);
  }

  /**
   * Notes a store to elements of a buffer.
   *
   * @param buffer the buffer
   * @param index the first, by the index of its kind; negative for the buffer's position
   * @param bytes bytes of the element; 0 for one of its kind
   * @param site place in the program
   */
  public static void storeBuffer(Buffer buffer, int index, int bytes, String site) {
    buffer(buffer, index, bytes, true, site);
  }

  /**
   * Notes a copy from a buffer's position to an array.
   *
   * @param buffer the buffer
   * @param array the array
   * @param site place in the program
   */
  public static void bufferToArray(Buffer buffer, Object array, String site) {
    if (array != null) {
      int count = Array.getLength(array);
      buffer(buffer, -1, count * size(buffer), false, site);
      elements(array, 0, count, true, site);
    }
  }

  /**
   * Notes a copy from an array to a buffer's position.
   *
   * @param buffer the buffer
   * @param array the array
   * @param site place in the program
   */
  public static void arrayToBuffer(Buffer buffer, Object array, String site) {
    if (array != null) {
      int count = Array.getLength(array);
      elements(array, 0, count, false, site);
      buffer(buffer, -1, count * size(buffer), true, site);
    }
  }

  private static void buffer(Buffer buffer, int index, int bytes, boolean stores, String site) {
    if (TrackedMemory.isEmpty() || buffer == null) {
      return;
    }
    int size = size(buffer);
    long first = (long) (index < 0 ? buffer.position() : index) * size;
    bytes(MemorySegment.ofBuffer(buffer.duplicate().clear()), first, bytes == 0 ? size : bytes, stores, site);
  }

  private static int size(Buffer buffer) {
    return switch (buffer) {
      case ByteBuffer _ -> Byte.BYTES;
      case CharBuffer _ -> Character.BYTES;
      case ShortBuffer _ -> Short.BYTES;
      case IntBuffer _ -> Integer.BYTES;
      case FloatBuffer _ -> Float.BYTES;
      case LongBuffer _ -> Long.BYTES;
      case DoubleBuffer _ -> Double.BYTES;
      default -> 1;
    };
  }
}
