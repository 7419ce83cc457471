// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;

/** The factory methods of {@link Buf} that exist once for each primitive type. Generated. */
abstract sealed class ArrayBufs permits Buf {
  ArrayBufs() {}

  /**
   * Returns a buffer over the bytes of an NIO buffer, from its position to its limit, which are not moved. The buffer's
   * byte order does not matter.
   *
   * @param buffer a heap or direct buffer
   * @return the buffer, of {@code buffer.remaining()} elements of INT8_T
   * @throws org.ffmpi.base.MpiException ERR_BUFFER when the buffer is null
   */
  public static Buf<Byte> of(ByteBuffer buffer) {
    return Buf.of(Buf.segmentOf(buffer), buffer.remaining(), Datatype.INT8_T);
  }
  //for-each

  /**
   * Returns a buffer over a whole array.
   *
   * @param array the array
   * @return the buffer, of {@code array.length} elements of @type@
   * @throws org.ffmpi.base.MpiException ERR_BUFFER when the array is null
   */
  public static Buf<@box@> of(@array@[] array) {
    if (array == null) {
      throw Buf.noArray();
    }
    return Buf.ofSlice(Memory.@kind@, array, array.length, 0, array.length, Datatype.@type@);
  }

  /**
   * Returns a buffer over some consecutive elements of an array.
   *
   * @param array the array
   * @param from index of the first element
   * @param count number of elements
   * @return the buffer, of {@code count} elements of @type@
   * @throws org.ffmpi.base.MpiException ERR_BUFFER when the array is null or the elements are not all inside it,
   *     ERR_COUNT when the count is negative
   */
  public static Buf<@box@> of(@array@[] array, int from, int count) {
    if (array == null) {
      throw Buf.noArray();
    }
    return Buf.ofSlice(Memory.@kind@, array, array.length, from, count, Datatype.@type@);
  }

  /**
   * Returns a buffer over elements of a type that lie in an array, beginning at its first byte.
   *
   * @param <T> what one element is in Java
   * @param array the array
   * @param count number of elements of {@code type}
   * @param type type of the elements, of a kind and width that fits the array
   * @return the buffer
   * @throws org.ffmpi.base.MpiException ERR_BUFFER when the array is null or too small, ERR_COUNT when the count is
   *     negative, ERR_TYPE when such elements do not lie in arrays of this kind
   */
  public static <T> Buf<T> of(@array@[] array, long count, Datatype<T> type) {
    return of(array, 0, count, type);
  }

  /**
   * Returns a buffer over elements of a type that lie in an array, of which the first has its origin at some byte: for
   * types that reach below their origin, too.
   *
   * @param <T> what one element is in Java
   * @param array the array
   * @param byteOffset where the displacements of the first element count from, in bytes from the array's first
   * @param count number of elements of {@code type}
   * @param type type of the elements, of a kind and width that fits the array
   * @return the buffer
   * @throws org.ffmpi.base.MpiException ERR_BUFFER when the array is null or the elements are not all inside it,
   *     ERR_COUNT when the count is negative, ERR_TYPE when such elements do not lie in arrays of this kind
   */
  public static <T> Buf<T> of(@array@[] array, long byteOffset, long count, Datatype<T> type) {
    if (array == null) {
      throw Buf.noArray();
    }
    return Buf.ofArray(Memory.@kind@, array, array.length, byteOffset, count, type);
  }
  //end
  //for-each nio

  /**
   * Returns a buffer over the elements of an NIO buffer, from its position to its limit, which are not moved.
   *
   * @param buffer a heap or direct buffer in the machine's byte order
   * @return the buffer, of {@code buffer.remaining()} elements of @type@
   * @throws org.ffmpi.base.MpiException ERR_BUFFER when the buffer is null or of the other byte order
   */
  public static Buf<@box@> of(@nio@ buffer) {
    if (buffer != null) {
      Buf.checkOrder(buffer.order());
    }
    return Buf.of(Buf.segmentOf(buffer), buffer.remaining(), Datatype.@type@);
  }
  //end
}
