// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.Op;
import org.ffmpi.datatype.Datatype;

/** Products of matrices of 2 by 2 whole numbers: associative, as they wrap, but the order of the factors matters. */
final class Matrices {
  private static final Datatype<?> MATRIX = Datatype.contiguous(4, Datatype.INT64_T);

  /** Matrices one after the other. */
  static final Layout CLOSE = Layout.of(MATRIX, 32, 0, 32);

  /** Matrices with a gap behind each. */
  static final Layout APART = Layout.of(MATRIX.resized(0, 40), 40, 0, 32);

  static final Op<Object> PRODUCT = Op.kernel(
      false, (in, inout, len, type) -> multiply(in, inout, len, type.extent()));

  private Matrices() {}

  private static void multiply(MemorySegment in, MemorySegment inout, long len, long extent) {
    for (long i = 0; i < len; i++) {
      long[] a = matrix(in, i * extent);
      long[] b = matrix(inout, i * extent);
      long[] product = times(a, b);
      for (int k = 0; k < 4; k++) {
        inout.set(ValueLayout.JAVA_LONG_UNALIGNED, i * extent + 8L * k, product[k]);
      }
    }
  }

  private static long[] matrix(MemorySegment from, long offset) {
    long[] m = new long[4];
    for (int k = 0; k < 4; k++) {
      m[k] = from.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8L * k);
    }
    return m;
  }

  static long[] times(long[] a, long[] b) {
    return new long[] {
      a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]
    };
  }
}
