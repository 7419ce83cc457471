// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.TypedMemory;

/** Pairs of a value and an index, which lie side by side in an array, for {@code MINLOC} and {@code MAXLOC}. */
final class Pairs {
  private Pairs() {}

  /** Returns how many pairs an item of a type has. */
  static int in(Datatype type) {
    return type.shape().size / 2;
  }

  /**
   * Returns a buffer of the pairs that items of a type are.
   *
   * @throws MpiException ERR_OP when they are none
   */
  static Buf<?> in(Object buf, int offset, long count, Datatype type) {
    TypeShape shape = type.shape();
    if (!shape.dense || shape.size % 2 != 0) {
      throw MpiException.argument(ErrorClass.ERR_OP, "type", type,
          "MPI.INT2 and its like, and other types of pairs side by side, for MINLOC and MAXLOC");
    }
    return TypedMemory.of(buf, (long) offset * type.width, count * in(type), pair(type));
  }

  private static org.ffmpi.datatype.Datatype<?> pair(Datatype type) {
    org.ffmpi.datatype.Datatype<?> of = switch (type.baseType) {
      case TypeCodes.BYTE -> org.ffmpi.datatype.Datatype.INT8_T;
      case TypeCodes.CHAR -> org.ffmpi.datatype.Datatype.UINT16_T;
      case TypeCodes.SHORT -> org.ffmpi.datatype.Datatype.SHORT;
      case TypeCodes.INT -> org.ffmpi.datatype.Datatype.INT;
      case TypeCodes.LONG -> org.ffmpi.datatype.Datatype.LONG;
      case TypeCodes.FLOAT -> org.ffmpi.datatype.Datatype.REAL;
      case TypeCodes.DOUBLE -> org.ffmpi.datatype.Datatype.DOUBLE_PRECISION;
      default -> throw MpiException.argument(ErrorClass.ERR_OP, "type", type, "types of numbers");
    };
    return org.ffmpi.datatype.Datatype.valueIndex(of, of);
  }
}
