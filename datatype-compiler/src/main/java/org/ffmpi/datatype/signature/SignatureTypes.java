// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.signature;

import org.ffmpi.datatype.basic.Basic;

/** The basic types that a signature counts as the same, and the two types of a pair. */
final class SignatureTypes {
  private SignatureTypes() {}

  /** Returns the C or Fortran type that equals a type named by its size on this platform. */
  static Basic platformType(Basic basic) {
    return switch (basic) {
      case INT8_T, BYTE -> Basic.SIGNED_CHAR; // the bytes of a Java array are both
      case UINT8_T -> Basic.UNSIGNED_CHAR;
      case INT16_T -> Basic.SHORT;
      case UINT16_T -> Basic.UNSIGNED_SHORT;
      case INT32_T -> Basic.INT;
      case UINT32_T -> Basic.UNSIGNED;
      case INT64_T -> Basic.LONG;
      case UINT64_T -> Basic.UNSIGNED_LONG;
      case INTEGER4 -> Basic.INTEGER;
      case REAL4 -> Basic.REAL;
      case REAL8 -> Basic.DOUBLE_PRECISION;
      case COMPLEX8 -> Basic.COMPLEX;
      case COMPLEX16 -> Basic.DOUBLE_COMPLEX;
      default -> basic;
    };
  }

  /** The type of a pair's value. */
  static Basic valueOf(Basic pair) {
    return switch (pair) {
      case FLOAT_INT -> Basic.FLOAT;
      case DOUBLE_INT -> Basic.DOUBLE;
      case LONG_INT -> Basic.LONG;
      case TWO_INT -> Basic.INT;
      case SHORT_INT -> Basic.SHORT;
      case LONG_DOUBLE_INT -> Basic.LONG_DOUBLE;
      case TWO_REAL -> Basic.REAL;
      case TWO_DOUBLE_PRECISION -> Basic.DOUBLE_PRECISION;
      case TWO_INTEGER -> Basic.INTEGER;
      default -> throw new AssertionError(pair);
    };
  }

  /** The type of a pair's index. */
  static Basic indexOf(Basic pair) {
    return switch (pair) {
      case TWO_REAL, TWO_DOUBLE_PRECISION, TWO_INTEGER -> valueOf(pair);
      default -> Basic.INT;
    };
  }
}
