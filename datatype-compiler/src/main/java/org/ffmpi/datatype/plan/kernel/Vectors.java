// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

/**
 * Finds out whether and where the vector kernels can be used. Plain kernels ask {@link #PRESENT}, the shape of their
 * work and a {@link VectorGate} before they touch a class that needs the Vector API, so that such classes are never
 * linked without it.
 */
final class Vectors {
  /** Whether the JVM has the Vector API. */
  static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

  /** Blocks longer than this are left to the JDK's bulk copy. */
  private static final long LONGEST = 512;

  private Vectors() {}

  /** Returns whether blocks lie, on one side, at every second place: some sizes of them have vector loops. */
  static boolean seconds(long srcStride, long dstStride, long block) {
    return block <= 16
        && (srcStride == 2 * block && dstStride == block || srcStride == block && dstStride == 2 * block);
  }

  /** Returns whether blocks have a size for which there are vector loops at any distances. */
  static boolean blocks(long block) {
    return block >= 16 && block <= LONGEST;
  }

  /** Returns whether a grid is transposed, for which there are vector loops. */
  static boolean grid(long srcOuter, long srcInner, long dstOuter, long dstInner, long block) {
    return block <= Long.BYTES
        && (srcOuter == block && dstInner == block || srcInner == block && dstOuter == block);
  }

  /** Returns whether the machine has vectors of 64 bytes; the first call takes a while. */
  static boolean wide() {
    return PRESENT && Linked.WIDE;
  }

  /** A class of its own, so that it is linked only where the module is present. */
  private static final class Linked {
    static final boolean WIDE = find();

    private static boolean find() {
      // Loads all classes of vectors and segments, since one that is loaded later makes the JVM discard compiled code.
      // It makes this module read that of the vectors, too.
      return WidestVector.BYTES > 0 && VectorLanes.wide();
    }
  }
}
