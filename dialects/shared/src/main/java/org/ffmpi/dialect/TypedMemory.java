// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import org.ffmpi.Buf;
import org.ffmpi.datatype.Datatype;

/**
 * Makes buffers from the arguments of a dialect's call: an array of primitives or an NIO buffer, with count and type.
 * All memory of an NIO buffer belongs to it, as in C: position, limit and byte order do not matter.
 */
public final class TypedMemory {
  private TypedMemory() {}

  /**
   * Makes a buffer.
   *
   * @param memory an array of primitives, an NIO buffer, or null where the count is 0
   * @param byteOffset where the first element begins
   * @param count number of elements
   * @param type their type
   * @throws org.ffmpi.base.MpiException as {@link Buf#in}
   */
  public static <T> Buf<T> of(Object memory, long byteOffset, long count, Datatype<T> type) {
    return Buf.in(whole(memory, count), byteOffset, count, type);
  }

  /**
   * Makes a buffer whose count is that of one rank's block, see {@link Buf#perRank}.
   *
   * @param memory an array of primitives, an NIO buffer, or null where the count is 0
   * @param byteOffset where the first block begins
   * @param count number of elements of one block
   * @param type their type
   * @throws org.ffmpi.base.MpiException as {@link Buf#perRank}
   */
  public static <T> Buf<T> perRank(Object memory, long byteOffset, long count, Datatype<T> type) {
    return Buf.perRank(whole(memory, count), byteOffset, count, type);
  }

  /**
   * Returns a copy of memory, for a call that sends from where it receives.
   *
   * @param memory an array of primitives or an NIO buffer; anything else is returned as it is
   * @return an array of the same kind, or all bytes of a buffer
   */
  public static Object copy(Object memory) {
    return switch (memory) {
      case byte[] a -> a.clone();
      case boolean[] a -> a.clone();
      case char[] a -> a.clone();
      case short[] a -> a.clone();
      case int[] a -> a.clone();
      case long[] a -> a.clone();
      case float[] a -> a.clone();
      case double[] a -> a.clone();
      case Buffer buffer -> MemorySegment.ofBuffer(buffer.duplicate().clear()).toArray(ValueLayout.JAVA_BYTE);
      case null, default -> memory;
    };
  }

  /**
   * Returns the bytes of an array, which elements of any type may lie in.
   *
   * @param memory an array of primitives other than booleans
   * @return a segment over the whole of it; anything else is returned as it is
   */
  public static Object bytesOf(Object memory) {
    return switch (memory) {
      case byte[] a -> MemorySegment.ofArray(a);
      case char[] a -> MemorySegment.ofArray(a);
      case short[] a -> MemorySegment.ofArray(a);
      case int[] a -> MemorySegment.ofArray(a);
      case long[] a -> MemorySegment.ofArray(a);
      case float[] a -> MemorySegment.ofArray(a);
      case double[] a -> MemorySegment.ofArray(a);
      case null, default -> memory;
    };
  }

  private static Object whole(Object memory, long count) {
    return memory != null && memory.getClass().isArray() ? memory : otherThanArray(memory, count);
  }

  private static Object otherThanArray(Object memory, long count) {
    if (memory == null && count == 0) {
      return MemorySegment.NULL;
    }
    return memory instanceof Buffer buffer && (buffer.position() != 0 || buffer.limit() != buffer.capacity())
        ? buffer.duplicate().clear()
        : memory;
  }
}
