// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

/**
 * Finds out once whether the Vector API is present. Generated kernels read {@link #PRESENT} before they use a class
 * that needs it, so that such classes are never linked without it.
 */
final class VectorSupport {
  /** Whether this JVM was started with {@code --add-modules jdk.incubator.vector}. */
  static final boolean PRESENT = find();

  private VectorSupport() {}

  private static boolean find() {
    Module vectors = ModuleLayer.boot().findModule("jdk.incubator.vector").orElse(null);
    if (vectors == null) {
      return false;
    }
    // The descriptor does not require an incubator module: that would make each dependent's compiler warn.
    VectorSupport.class.getModule().addReads(vectors);
    return true;
  }
}
