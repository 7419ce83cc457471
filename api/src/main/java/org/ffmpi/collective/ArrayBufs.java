// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.lang.reflect.Array;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** Arrays of primitives of which {@link org.ffmpi.WholeArrayCalls} knows no more than that they are some. */
public final class ArrayBufs {
  private static final List<Class<?>> KINDS = List.of(
      double.class, float.class, int.class, long.class, short.class, char.class, byte.class, boolean.class);

  private ArrayBufs() {}

  /** Returns a buffer of all elements. */
  public static Buf<?> of(Object array) {
    return switch (array) {
      case double[] a -> Buf.of(a);
      case float[] a -> Buf.of(a);
      case int[] a -> Buf.of(a);
      case long[] a -> Buf.of(a);
      case short[] a -> Buf.of(a);
      case char[] a -> Buf.of(a);
      case byte[] a -> Buf.of(a);
      case boolean[] a -> Buf.of(a);
      case null -> throw new MpiException(ErrorClass.ERR_BUFFER, "array = null, allowed are arrays of primitives");
      default -> throw new MpiException(ErrorClass.ERR_BUFFER, "array = an object of " + array.getClass().getTypeName()
          + ", allowed are arrays of primitives; other buffers go with a Buf");
    };
  }

  public static int length(Object array) {
    return Array.getLength(array);
  }

  /** Returns the number of an array's kind, -1 for null and for what is no array of primitives. */
  public static int kind(Object array) {
    return array != null && array.getClass().isArray() ? KINDS.indexOf(array.getClass().getComponentType()) : -1;
  }

  /** Makes an array of the same kind as another. */
  public static <A> A make(A like, int length) {
    return make(kind(like), length);
  }

  /** Makes an array of a kind. */
  @SuppressWarnings("unchecked") // a program that has another kind than the root gets a ClassCastException
  public static <A> A make(int kind, int length) {
    return (A) Array.newInstance(KINDS.get(kind), length);
  }
}
