// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.nio.ByteBuffer;
import org.ffmpi.Buf;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;

/**
 * Kind and length of an array of primitives.
 *
 * @param kind memory kind, from BYTES to DOUBLES
 * @param length number of elements
 */
record PrimitiveArray(int kind, int length) {
  private static final int[] SIZES = {1, 1, 2, 2, 4, 8, 4, 8};

  private static final Plan[] PLANS = {
    TypeHandle.planOf(Datatype.INT8_T), TypeHandle.planOf(Datatype.C_BOOL), TypeHandle.planOf(Datatype.UINT16_T),
    TypeHandle.planOf(Datatype.INT16_T), TypeHandle.planOf(Datatype.INT32_T), TypeHandle.planOf(Datatype.INT64_T),
    TypeHandle.planOf(Datatype.FLOAT), TypeHandle.planOf(Datatype.DOUBLE)
  };

  /** Returns kind and length of an array, or null when it is no array of primitives. */
  static PrimitiveArray of(Object array) {
    return switch (array) {
      case byte[] a -> new PrimitiveArray(Memory.BYTES, a.length);
      case boolean[] a -> new PrimitiveArray(Memory.BOOLEANS, a.length);
      case char[] a -> new PrimitiveArray(Memory.CHARS, a.length);
      case short[] a -> new PrimitiveArray(Memory.SHORTS, a.length);
      case int[] a -> new PrimitiveArray(Memory.INTS, a.length);
      case long[] a -> new PrimitiveArray(Memory.LONGS, a.length);
      case float[] a -> new PrimitiveArray(Memory.FLOATS, a.length);
      case double[] a -> new PrimitiveArray(Memory.DOUBLES, a.length);
      default -> null;
    };
  }

  /** Returns whether a number is that of a kind of array. */
  static boolean isKind(int kind) {
    return kind >= Memory.BYTES && kind <= Memory.DOUBLES;
  }

  long bytes() {
    return (long) length * SIZES[kind - Memory.BYTES];
  }

  Plan plan() {
    return PLANS[kind - Memory.BYTES];
  }

  /** Returns a new array. */
  Object make() {
    return switch (kind) {
      case Memory.BYTES -> new byte[length];
      case Memory.BOOLEANS -> new boolean[length];
      case Memory.CHARS -> new char[length];
      case Memory.SHORTS -> new short[length];
      case Memory.INTS -> new int[length];
      case Memory.LONGS -> new long[length];
      case Memory.FLOATS -> new float[length];
      default -> new double[length];
    };
  }

  /** Returns a whole array as a buffer. */
  static Buf<?> buf(Object array) {
    return switch (array) {
      case byte[] a -> Buf.of(a);
      case boolean[] a -> Buf.of(a);
      case char[] a -> Buf.of(a);
      case short[] a -> Buf.of(a);
      case int[] a -> Buf.of(a);
      case long[] a -> Buf.of(a);
      case float[] a -> Buf.of(a);
      case double[] a -> Buf.of(a);
      default -> throw new IllegalArgumentException(array.getClass().getTypeName());
    };
  }

  /** Copies a whole array into bytes, big-endian. */
  static void put(Object array, byte[] bytes, int at, int length) {
    ByteBuffer to = ByteBuffer.wrap(bytes, at, length);
    switch (array) {
      case byte[] a -> to.put(a);
      case boolean[] a -> {
        for (boolean b : a) {
          to.put((byte) (b ? 1 : 0));
        }
      }
      case char[] a -> to.asCharBuffer().put(a);
      case short[] a -> to.asShortBuffer().put(a);
      case int[] a -> to.asIntBuffer().put(a);
      case long[] a -> to.asLongBuffer().put(a);
      case float[] a -> to.asFloatBuffer().put(a);
      case double[] a -> to.asDoubleBuffer().put(a);
      default -> throw new IllegalArgumentException(array.getClass().getTypeName());
    }
  }

  /** Copies bytes into a whole array. */
  static void get(Object array, byte[] bytes, int at, int length) {
    ByteBuffer from = ByteBuffer.wrap(bytes, at, length);
    switch (array) {
      case byte[] a -> from.get(a);
      case boolean[] a -> {
        for (int i = 0; i < a.length; i++) {
          a[i] = from.get() != 0;
        }
      }
      case char[] a -> from.asCharBuffer().get(a);
      case short[] a -> from.asShortBuffer().get(a);
      case int[] a -> from.asIntBuffer().get(a);
      case long[] a -> from.asLongBuffer().get(a);
      case float[] a -> from.asFloatBuffer().get(a);
      case double[] a -> from.asDoubleBuffer().get(a);
      default -> throw new IllegalArgumentException(array.getClass().getTypeName());
    }
  }
}
