// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Accessors of kernels to a {@code byte[]}, by words of any size at any index. A cursor is an index, an {@code int},
 * which compiles best.
 */
final class ByteArrays {
  /** Bytes of an element. */
  static final int WIDTH = Byte.BYTES;

  private static final VarHandle SHORT = words(short[].class);
  private static final VarHandle INT = words(int[].class);
  private static final VarHandle LONG = words(long[].class);

  private ByteArrays() {}

  private static VarHandle words(Class<?> view) {
    return MethodHandles.byteArrayViewVarHandle(view, ByteOrder.nativeOrder()).withInvokeExactBehavior();
  }

  /** Returns the array as its type. */
  static byte[] of(Object array) {
    return (byte[]) array;
  }

  /** Returns the cursor of an offset in bytes, or the step of a stride. */
  static int at(long bytes) {
    return (int) bytes;
  }

  /** Returns whether offsets and lengths, joined by or, are multiples of the elements' size. */
  static boolean isWhole(long bits) {
    return true;
  }

  static byte getByte(byte[] a, int at) {
    return a[at];
  }

  static void putByte(byte[] a, int at, byte value) {
    a[at] = value;
  }

  static short getShort(byte[] a, int at) {
    return (short) SHORT.get(a, at);
  }

  static void putShort(byte[] a, int at, short value) {
    SHORT.set(a, at, value);
  }

  static int getInt(byte[] a, int at) {
    return (int) INT.get(a, at);
  }

  static void putInt(byte[] a, int at, int value) {
    INT.set(a, at, value);
  }

  static long getLong(byte[] a, int at) {
    return (long) LONG.get(a, at);
  }

  static void putLong(byte[] a, int at, long value) {
    LONG.set(a, at, value);
  }
}
