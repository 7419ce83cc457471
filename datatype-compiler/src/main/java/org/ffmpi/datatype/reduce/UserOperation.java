// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.util.function.BinaryOperator;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.UserFunction;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.PlanCompiler;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.tree.ReductionUnit;
import org.ffmpi.datatype.tree.TypeTree;

/**
 * A program's own reduction operation (MPI-4.1 §6.9.5), for elements of any type or of one type. An operation for one
 * type accepts buffers of that type and of its duplicates. If the type is predefined, it also accepts any type that is
 * made of elements of the same representation only, and combines these one by one, as predefined operations do.
 *
 * @param name the operation's name for messages
 * @param commutative whether the order of the operands does not matter
 * @param function combines elements
 * @param unit the only type that the function is given; null when it is given the type of the buffer
 */
public record UserOperation(String name, boolean commutative, UserFunction function, Datatype<?> unit) {
  /**
   * Creates an operation on single elements, which are converted to Java objects and back.
   *
   * @param <T> the objects' class
   * @param name the operation's name for messages
   * @param commutative whether the order of the operands does not matter
   * @param operator combines two elements, the first from the lower rank
   * @param unit the elements' committed type, which has a form in Java and stays open
   * @return the operation
   */
  public static <T> UserOperation onElements(
      String name, boolean commutative, BinaryOperator<T> operator, Datatype<T> unit) {
    UserFunction function = (in, inout, len, _) -> {
      for (long i = 0; i < len; i++) {
        T result = operator.apply(unit.get(in, i), unit.get(inout, i));
        if (result == null) {
          throw new NullPointerException("null as a result");
        }
        unit.set(inout, i, result);
      }
    };
    return new UserOperation(name, commutative, function, unit);
  }

  /**
   * Returns the kernel that applies this operation to elements of a type.
   *
   * @param type a committed type
   * @return the kernel
   * @throws MpiException ERR_OP when the operation is for another type
   */
  public ReduceKernel kernel(Datatype<?> type) {
    if (unit == null) {
      return new UserKernel(name, function, type);
    }
    UserKernel ofUnits = new UserKernel(name, function, unit);
    TypeTree own = TypeHandle.of(unit).tree().original();
    if (TypeHandle.of(type).tree().original().equals(own)) {
      return ofUnits;
    }
    if (!(own instanceof TypeTree.Named(Basic basic))
        || !(TypeHandle.of(type).reductionUnit().orElse(null) instanceof ReductionUnit.Single(Basic other))
        || other.element() != basic.element()) {
      throw MpiException.argument(ErrorClass.ERR_OP, "op", name + " for elements of " + type, "types it is made for: "
          + unit + (own instanceof TypeTree.Named ? ", and those made of its elements only" : " and its duplicates"));
    }
    Bounds bounds = basic.bounds();
    ByteShape shape = new TypeTree.Named(basic).shape();
    boolean alike = type.size() == bounds.size() && type.extent() == bounds.extent() && type.trueLowerBound() == 0;
    return alike
        ? ofUnits
        : new PlanKernel(ofUnits, PlanCompiler.compile(shape, bounds.extent()), TypeHandle.planOf(type));
  }
}
