// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.lang.reflect.Array;
import org.ffmpi.base.raw.Memory;

/** Arrays to warm up kernels on. */
public final class ScratchArrays {
  private ScratchArrays() {}

  /** Returns a new array of a kind. */
  public static Object make(int kind, int elements) {
    return Array.newInstance(component(kind), elements);
  }

  private static Class<?> component(int kind) {
    return switch (kind) {
      case Memory.BYTES -> byte.class;
      case Memory.CHARS -> char.class;
      case Memory.SHORTS -> short.class;
      case Memory.INTS -> int.class;
      case Memory.LONGS -> long.class;
      case Memory.FLOATS -> float.class;
      default -> double.class;
    };
  }
}
