// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import org.ffmpi.base.raw.Raw;

/**
 * Accessors of kernels to native memory, by words of any size at any address. A cursor is an address. The array that
 * all accesses take belongs to the other side, or is the owner of the memory; it is ignored.
 */
final class NativeBytes {
  /** Bytes of an element. */
  static final int WIDTH = Byte.BYTES;

  private NativeBytes() {}

  /** Returns the owner of the memory unchanged. */
  static Object of(Object owner) {
    return owner;
  }

  /** Returns an address, or a stride, unchanged. */
  static long at(long bytes) {
    return bytes;
  }

  /** Returns true: any offset and length in native memory is whole. */
  static boolean isWhole(long bits) {
    return true;
  }

  static byte getByte(Object a, long at) {
    return Raw.getByte(at);
  }

  static void putByte(Object a, long at, byte value) {
    Raw.putByte(at, value);
  }

  static short getShort(Object a, long at) {
    return Raw.getShort(at);
  }

  static void putShort(Object a, long at, short value) {
    Raw.putShort(at, value);
  }

  static int getInt(Object a, long at) {
    return Raw.getInt(at);
  }

  static void putInt(Object a, long at, int value) {
    Raw.putInt(at, value);
  }

  static long getLong(Object a, long at) {
    return Raw.getLong(at);
  }

  static void putLong(Object a, long at, long value) {
    Raw.putLong(at, value);
  }

  /** Copies a block of any size. */
  static void copy(long src, long dst, long bytes) {
    Raw.copy(src, dst, bytes);
  }
}
