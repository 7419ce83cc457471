// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/**
 * Finds out once whether the vector kernels can be used. Plain kernels ask {@link #WIDE} before they touch a class that
 * needs the Vector API, so that such classes are never linked without it.
 */
final class Vectors {
  /** Whether the Vector API is present and the machine has vectors of 64 bytes. */
  static final boolean WIDE = find();

  private Vectors() {}

  private static boolean find() {
    Module vectors = ModuleLayer.boot().findModule("jdk.incubator.vector").orElse(null);
    if (vectors == null) {
      return false;
    }
    // The descriptor does not require an incubator module: that would make each dependent's compiler warn.
    Vectors.class.getModule().addReads(vectors);
    return VectorLanes.wide();
  }
}
