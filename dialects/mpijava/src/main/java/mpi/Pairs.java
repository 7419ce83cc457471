// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.foreign.MemorySegment;
import org.ffmpi.Buf;
import org.ffmpi.Packer;
import org.ffmpi.Unpacker;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.TypedMemory;

/**
 * Pairs of a value and an index, for {@code MINLOC} and {@code MAXLOC}. Contiguous ones of an array
 * are pairs for ffmpi, too; of any other type, they are packed for the operation, and unpacked after it.
 */
final class Pairs {
  private Pairs() {}

  /** Returns how many pairs an item of a type has. */
  static int in(Datatype type) {
    return type.shape().size / 2;
  }

  /** Returns whether items of a type are nothing but pairs side by side. */
  static boolean areDense(Datatype type) {
    return type.shape().dense;
  }

  /**
   * Returns a buffer of the pairs that items of a type are, which lie side by side.
   *
   * @throws MpiException ERR_OP when the elements are not pairs
   */
  static Buf<?> in(Object buf, int offset, long count, Datatype type) {
    return TypedMemory.of(buf, (long) offset * type.width, count * in(type), pair(type));
  }

  /**
   * Returns an operation on pairs as one on items whose pairs do not lie side by side.
   *
   * @throws MpiException ERR_OP when the elements are not pairs
   */
  static org.ffmpi.Op<Object> spread(org.ffmpi.Op<Object> op, Datatype type) {
    org.ffmpi.datatype.Datatype<?> pair = pair(type);
    long each = in(type);
    return org.ffmpi.Op.kernel(true, (in, inout, len, _) -> {
      byte[] left = packed(in, len, type);
      byte[] right = packed(inout, len, type);
      op.reduceLocal(pairs(left, len * each, pair), pairs(right, len * each, pair));
      Unpacker.from(right).unpack(items(inout, len, type));
    });
  }

  private static byte[] packed(MemorySegment items, long count, Datatype type) {
    byte[] bytes = new byte[Math.toIntExact(count * type.shape().size * type.width)];
    Packer.into(bytes).pack(items(items, count, type));
    return bytes;
  }

  private static Buf<?> items(MemorySegment memory, long count, Datatype type) {
    return Buf.in(memory, -UserReduction.lowest(type.shape(), count) * type.width, count, type.handle);
  }

  @SuppressWarnings("unchecked") // the Java type of the elements is not used here
  private static Buf<Object> pairs(byte[] bytes, long count, org.ffmpi.datatype.Datatype<?> pair) {
    return (Buf<Object>) TypedMemory.of(bytes, 0, count, pair);
  }

  private static org.ffmpi.datatype.Datatype<?> pair(Datatype type) {
    if (type.shape().size % 2 != 0) {
      throw MpiException.argument(ErrorClass.ERR_OP, "type", type, "MPI.INT2 and its like, and types made of them");
    }
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
