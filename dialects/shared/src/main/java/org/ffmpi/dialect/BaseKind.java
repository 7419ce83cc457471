// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect;

/** The Java type of a datatype's elements, in which a dialect may count displacements and extents. */
public enum BaseKind {
  BYTE(1), BOOLEAN(1), CHAR(2), SHORT(2), INT(4), LONG(8), FLOAT(4), DOUBLE(8);

  private final int width;

  BaseKind(int width) {
    this.width = width;
  }

  /** Returns the bytes of one value. */
  public int width() {
    return width;
  }

  /** Returns the bytes of one element of an array of primitives, or 1 for all other memory. */
  public static int widthOf(Object memory) {
    return switch (memory) {
      case char[] _, short[] _ -> 2;
      case int[] _, float[] _ -> 4;
      case long[] _, double[] _ -> 8;
      case null, default -> 1;
    };
  }
}
