// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import org.ffmpi.base.raw.Raw;

/**
 * Accessors of kernels to the native side of a copy from or to a {@code float[]}, as {@link FloatArrays} with addresses
 * as cursors. The array belongs to the other side and is ignored. The classes for other types are derived from this
 * one.
 */
final class NativeFloats {
  /** Bytes of an element. */
  static final int WIDTH = Float.BYTES;

  private NativeFloats() {}

  /** Returns an address, or a stride, unchanged. */
  static long at(long bytes) {
    return bytes;
  }

  /** Returns true: native memory may be accessed at any byte. */
  static boolean isWhole(long bits) {
    return true;
  }

  static float get(Object a, long at) {
    return Raw.getFloat(at);
  }

  static float get(Object a, long at, int k) {
    return Raw.getFloat(at + (long) WIDTH * k);
  }

  static void put(Object a, long at, float value) {
    Raw.putFloat(at, value);
  }

  static void put(Object a, long at, int k, float value) {
    Raw.putFloat(at + (long) WIDTH * k, value);
  }
}
