// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.MpiFile;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;

/**
 * Arrays of primitives, and segments of bytes, of which {@link org.ffmpi.WholeArrayCalls} knows no more than that they
 * are some.
 */
public final class ArrayBufs {
  private static final List<Class<?>> KINDS = List.of(
      double.class, float.class, int.class, long.class, short.class, char.class, byte.class, boolean.class);

  /** The number of a segment's kind. */
  private static final int SEGMENT = KINDS.size();

  /** Alignment of new segments, which fits all numbers. */
  private static final long ALIGNMENT = 8;

  private static final String ALLOWED = ", allowed are arrays of primitives and a MemorySegment";

  private ArrayBufs() {}

  /**
   * Returns a buffer of all elements.
   *
   * @param calls the communicator or file, whose error handler is told when it is neither an array of primitives nor a
   *     segment
   */
  public static Buf<?> of(Object calls, Object array) {
    return switch (array) {
      case double[] a -> Buf.of(a);
      case float[] a -> Buf.of(a);
      case int[] a -> Buf.of(a);
      case long[] a -> Buf.of(a);
      case short[] a -> Buf.of(a);
      case char[] a -> Buf.of(a);
      case byte[] a -> Buf.of(a);
      case boolean[] a -> Buf.of(a);
      case MemorySegment s -> Buf.of(s, s.byteSize(), Datatype.BYTE);
      case null -> throw raise(calls, "array = null" + ALLOWED);
      default -> throw raise(calls,
          "array = an object of " + array.getClass().getTypeName() + ALLOWED + "; other buffers go with a Buf");
    };
  }

  private static MpiException raise(Object calls, String what) {
    MpiException error = new MpiException(ErrorClass.ERR_BUFFER, what);
    return calls instanceof MpiFile file ? file.callErrhandler(error) : ((Comm) calls).callErrhandler(error);
  }

  /** Returns the number of an array's elements, or of a segment's bytes; the largest int for more than that. */
  public static int length(Object array) {
    return array instanceof MemorySegment segment
        ? (int) Math.min(segment.byteSize(), Integer.MAX_VALUE)
        : Array.getLength(array);
  }

  /** Returns the number of an array's or a segment's kind, -1 for null and for what is neither. */
  public static int kind(Object array) {
    if (array instanceof MemorySegment) {
      return SEGMENT;
    }
    return array != null && array.getClass().isArray() ? KINDS.indexOf(array.getClass().getComponentType()) : -1;
  }

  /** Makes an array of the same kind as another. */
  public static <A> A make(A like, int length) {
    return make(kind(like), length);
  }

  /** Makes an array of a kind, or a segment that lives as long as it is referred to. */
  @SuppressWarnings("unchecked") // a program that has another kind than the root gets a ClassCastException
  public static <A> A make(int kind, int length) {
    return (A) (kind == SEGMENT
        ? Arena.ofAuto().allocate(length, ALIGNMENT)
        : Array.newInstance(KINDS.get(kind), length));
  }
}
