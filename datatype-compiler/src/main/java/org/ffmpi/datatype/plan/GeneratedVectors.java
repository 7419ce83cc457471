// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import jdk.incubator.vector.VectorShape;

/** Finds out once which vectors generated classes may use. */
final class GeneratedVectors {
  /** Bytes of the widest vector of this machine; 0 when the JVM runs without {@code jdk.incubator.vector}. */
  static final int WIDEST = find();

  private GeneratedVectors() {}

  private static int find() {
    Module vectors = ModuleLayer.boot().findModule("jdk.incubator.vector").orElse(null);
    if (vectors == null) {
      return 0;
    }
    // The descriptor does not require an incubator module: that would make each dependent's compiler warn.
    GeneratedVectors.class.getModule().addReads(vectors);
    return Linked.widest();
  }

  /** Apart, so that it is linked only where the module is. */
  private static final class Linked {
    static int widest() {
      return VectorShape.preferredShape().vectorBitSize() / Byte.SIZE;
    }
  }
}
