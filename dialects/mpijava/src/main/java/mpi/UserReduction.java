// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.foreign.MemorySegment;
import org.ffmpi.datatype.UserFunction;

/**
 * A program's function on arrays as an operation of ffmpi. Operands are copied from memory into arrays, and the results
 * back. Any thread that makes progress may call.
 */
final class UserReduction implements UserFunction {
  private final User_function function;
  private final Datatype type;
  private final TypeShape shape;

  private UserReduction(User_function function, Datatype type) {
    this.function = function;
    this.type = type;
    this.shape = type.shape();
  }

  static org.ffmpi.Op<Object> op(User_function function, boolean commute, Datatype type) {
    return org.ffmpi.Op.kernel(commute, new UserReduction(function, type));
  }

  @Override
  public void apply(MemorySegment in, MemorySegment inout, long len, org.ffmpi.datatype.Datatype<?> ignored) {
    Object left = ArrayCopy.of(shape.base, in);
    Object right = ArrayCopy.of(shape.base, inout);
    int first = (int) -lowest(shape, len);
    function.Call(left, first, right, first, (int) len, type);
    ArrayCopy.into(shape.base, right, inout);
  }

  /** Returns the lowest element of some items, counted from the first item; at most 0. */
  static long lowest(TypeShape shape, long count) {
    long lowest = shape.raw.trueLowerBound() + Math.min(0, (count - 1) * shape.raw.extent());
    return Math.min(0, lowest) / shape.width();
  }
}
