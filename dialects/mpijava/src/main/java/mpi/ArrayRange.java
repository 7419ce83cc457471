// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.reflect.Array;
import org.ffmpi.base.MpiException;

/**
 * The elements of an array between the first and the last one that a buffer reaches.
 *
 * @param from index of the first
 * @param to index behind the last
 */
record ArrayRange(int from, int to) {
  /** Returns the range of items of a type that is ready for use; that of no items is empty. */
  static ArrayRange of(long offset, long count, Datatype type) {
    if (count <= 0 || type.handle.trueExtent() == 0) {
      return new ArrayRange(0, 0);
    }
    long width = type.width;
    long further = (count - 1) * type.handle.extent();
    long low = type.handle.trueLowerBound();
    long from = offset + Math.floorDiv(low + Math.min(0, further), width);
    long to = offset + Math.ceilDiv(low + type.handle.trueExtent() + Math.max(0, further), width);
    return new ArrayRange((int) Math.max(from, Integer.MIN_VALUE), (int) Math.min(to, Integer.MAX_VALUE));
  }

  boolean overlaps(ArrayRange other) {
    return from < other.to && other.from < to;
  }

  /** Returns whether all elements lie in an array. */
  boolean isIn(Object array) {
    return array != null && array.getClass().isArray() && from >= 0 && to <= Array.getLength(array);
  }

  /** Returns an array of the elements. */
  Object copyOf(Object array) {
    Object copy = Array.newInstance(array.getClass().getComponentType(), to - from);
    System.arraycopy(array, from, copy, 0, to - from);
    return copy;
  }

  /** Describes a buffer for messages, with the name of the argument. */
  static String describe(Object buf) {
    return (buf == null || buf.getClass().isArray() ? "buf " : "buf of ") + describeValue(buf);
  }

  /** Describes a buffer for messages. */
  static String describeValue(Object buf) {
    if (buf == null) {
      return "null";
    }
    return buf.getClass().isArray()
        ? buf.getClass().getComponentType().getSimpleName() + "[" + Array.getLength(buf) + "]"
        : buf.getClass().getName();
  }

  /** Returns the text of an error without the name of its class, which the error around it has. */
  static String withoutClass(MpiException e) {
    String prefix = e.errorClass().mpiName() + ": ";
    return e.getMessage().startsWith(prefix) ? e.getMessage().substring(prefix.length()) : e.getMessage();
  }
}
