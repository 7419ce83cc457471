// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Map;
import java.util.WeakHashMap;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.BaseKind;

/** A reduction operation ({@code MPI_Op}). */
public final class Op implements Freeable {
  /** The operations on truth values that stand for those on numbers: the original takes truth values for numbers. */
  private static final Map<org.ffmpi.Op<?>, org.ffmpi.Op<Object>> LOGICAL = Map.of(
      org.ffmpi.Op.BAND, org.ffmpi.Op.LAND,
      org.ffmpi.Op.MIN, org.ffmpi.Op.LAND,
      org.ffmpi.Op.PROD, org.ffmpi.Op.LAND,
      org.ffmpi.Op.BOR, org.ffmpi.Op.LOR,
      org.ffmpi.Op.MAX, org.ffmpi.Op.LOR,
      org.ffmpi.Op.SUM, org.ffmpi.Op.LOR,
      org.ffmpi.Op.BXOR, org.ffmpi.Op.LXOR);

  private final org.ffmpi.Op<Object> predefined;
  private final boolean commutative;
  private UserFunction function;

  /** A program's own operation for each type that it was used with: the type is an argument of the function. */
  private final Map<Datatype, org.ffmpi.Op<Object>> made = new WeakHashMap<>();

  Op(org.ffmpi.Op<Object> op) {
    this.predefined = op;
    this.commutative = op.isCommutative();
  }

  /**
   * Creates an operation ({@code MPI_Op_create}).
   *
   * @param function combines elements
   * @param commute whether the order of operands does not matter
   */
  public Op(UserFunction function, boolean commute) {
    this.predefined = null;
    this.commutative = commute;
    this.function = function;
    if (function == null) {
      throw Errors.raise(MpiException.argument(ErrorClass.ERR_ARG, "function", null, "functions"));
    }
  }

  /** Returns ffmpi's operation on elements of a type; null once freed. */
  org.ffmpi.Op<Object> of(Datatype type) {
    if (predefined == null) {
      return own(type);
    }
    return type != null && type.kind() == BaseKind.BOOLEAN ? LOGICAL.getOrDefault(predefined, predefined) : predefined;
  }

  private org.ffmpi.Op<Object> own(Datatype type) {
    UserFunction combines = function;
    if (combines == null || type == null) {
      return null;
    }
    synchronized (made) {
      return made.computeIfAbsent(type, _ -> {
        // A copy stands for a derived type, or the value would keep its own key in the map.
        Datatype passed = type.isPredefined() ? type : new Datatype(type.type(), type.kind());
        return org.ffmpi.Op.kernel(commutative,
            (in, inOut, count, _) -> Operands.combine(combines, in, inOut, (int) count, passed));
      });
    }
  }

  /**
   * Returns whether the order of operands does not matter ({@code MPI_Op_commutative}).
   *
   * @return the argument of its creation; true for the predefined ones
   */
  public boolean isCommutative() {
    return commutative;
  }

  /** Frees the operation ({@code MPI_Op_free}). A null operation stays one. */
  @Override
  public void free() throws MPIException {
    Errors.run(() -> {
      if (predefined != null) {
        predefined.close();
      }
      function = null;
    });
  }

  /**
   * Returns whether the operation is {@code MPI_OP_NULL}.
   *
   * @return true once freed
   */
  public boolean isNull() {
    return predefined == null && function == null;
  }
}
