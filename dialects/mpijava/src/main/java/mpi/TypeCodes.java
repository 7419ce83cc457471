// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.dialect.BaseKind;

/** The numbers of the base types, as {@code Datatype.baseType} shows them. */
final class TypeCodes {
  static final int NULL = 0;
  static final int BYTE = 1;
  static final int CHAR = 2;
  static final int SHORT = 3;
  static final int BOOLEAN = 4;
  static final int INT = 5;
  static final int LONG = 6;
  static final int FLOAT = 7;
  static final int DOUBLE = 8;
  static final int PACKED = 9;
  static final int LB = 10;
  static final int UB = 11;
  static final int OBJECT = 12;

  private TypeCodes() {}

  /** Returns the bytes of one element; 0 without one, and for objects. */
  static int width(int base) {
    return switch (base) {
      case BYTE, PACKED -> BaseKind.BYTE.width();
      case CHAR -> BaseKind.CHAR.width();
      case SHORT -> BaseKind.SHORT.width();
      case BOOLEAN -> BaseKind.BOOLEAN.width();
      case INT -> BaseKind.INT.width();
      case LONG -> BaseKind.LONG.width();
      case FLOAT -> BaseKind.FLOAT.width();
      case DOUBLE -> BaseKind.DOUBLE.width();
      default -> 0;
    };
  }

  static String name(int base) {
    return switch (base) {
      case BYTE -> "MPI.BYTE";
      case CHAR -> "MPI.CHAR";
      case SHORT -> "MPI.SHORT";
      case BOOLEAN -> "MPI.BOOLEAN";
      case INT -> "MPI.INT";
      case LONG -> "MPI.LONG";
      case FLOAT -> "MPI.FLOAT";
      case DOUBLE -> "MPI.DOUBLE";
      case PACKED -> "MPI.PACKED";
      case LB -> "MPI.LB";
      case UB -> "MPI.UB";
      case OBJECT -> "MPI.OBJECT";
      default -> "MPI.NULL";
    };
  }
}
