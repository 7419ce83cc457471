// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.ValueLayout;
import org.ffmpi.datatype.basic.Basic;

/** The layouts of Java's primitive types, and the datatypes that bare arrays of them are sent as. */
final class PrimitiveLayouts {
  private PrimitiveLayouts() {}

  /** Returns the naturally aligned layout of a primitive type, in the machine's byte order. */
  static ValueLayout of(Class<?> primitive) {
    if (primitive == double.class) {
      return ValueLayout.JAVA_DOUBLE;
    } else if (primitive == float.class) {
      return ValueLayout.JAVA_FLOAT;
    } else if (primitive == long.class) {
      return ValueLayout.JAVA_LONG;
    } else if (primitive == int.class) {
      return ValueLayout.JAVA_INT;
    } else if (primitive == short.class) {
      return ValueLayout.JAVA_SHORT;
    } else if (primitive == char.class) {
      return ValueLayout.JAVA_CHAR;
    } else if (primitive == byte.class) {
      return ValueLayout.JAVA_BYTE;
    } else if (primitive == boolean.class) {
      return ValueLayout.JAVA_BOOLEAN;
    }
    throw new AssertionError(primitive);
  }

  /** Returns the predefined type for a layout's values. */
  static Basic basic(ValueLayout layout) {
    return switch (layout) {
      case ValueLayout.OfDouble _ -> Basic.DOUBLE;
      case ValueLayout.OfFloat _ -> Basic.FLOAT;
      case ValueLayout.OfLong _ -> Basic.INT64_T;
      case ValueLayout.OfInt _ -> Basic.INT32_T;
      case ValueLayout.OfShort _ -> Basic.INT16_T;
      case ValueLayout.OfChar _ -> Basic.UINT16_T;
      case ValueLayout.OfByte _ -> Basic.INT8_T;
      case ValueLayout.OfBoolean _ -> Basic.C_BOOL;
      case AddressLayout _ -> Basic.AINT;
    };
  }
}
