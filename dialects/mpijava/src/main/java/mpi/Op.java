// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** A reduction operation ({@code MPI_Op}): one of the constants of {@link MPI}, or one of the program. */
public class Op {
  /** Number of a predefined operation; of a program's own, what the constructor was given. */
  public int opCode;

  private final String name;

  /** ffmpi's operation; null for one of the program. */
  private final org.ffmpi.Op<Object> predefined;

  private final User_function function;
  private final boolean commute;
  private boolean freed;

  /** The operation of ffmpi that was asked for last, with its type. */
  private volatile Known known;

  private record Known(Datatype type, org.ffmpi.Op<Object> op) {}

  /**
   * Makes an operation of a function ({@code MPI_Op_create}).
   *
   * @param function combines elements
   * @param commute whether the order of the operands does not matter
   * @throws MPIException when the function is null
   */
  public Op(User_function function, boolean commute) throws MPIException {
    this(function, commute, 0);
  }

  /**
   * Makes an operation of a function, with a number ({@code MPI_Op_create}).
   *
   * @param function combines elements
   * @param commute whether the order of the operands does not matter
   * @param opCode what {@link #opCode} is to be
   * @throws MPIException when the function is null
   */
  public Op(User_function function, boolean commute, int opCode) throws MPIException {
    if (function == null) {
      throw Errors.raised(Errors.argument("function", null, "functions"));
    }
    this.name = "an operation of the program";
    this.predefined = null;
    this.function = function;
    this.commute = commute;
    this.opCode = opCode;
  }

  Op(String name, int opCode, org.ffmpi.Op<Object> predefined, boolean commute) {
    this.name = name;
    this.predefined = predefined;
    this.function = null;
    this.commute = commute;
    this.opCode = opCode;
  }

  /** Returns whether items of a type are operands as pairs that lie side by side. */
  boolean isOnDensePairs(Datatype type) {
    return isOnPairs() && Pairs.areDense(type);
  }

  boolean isCommutative() {
    return commute;
  }

  /** Returns whether the operation is on pairs of a value and an index. */
  private boolean isOnPairs() {
    return predefined == org.ffmpi.Op.MAXLOC || predefined == org.ffmpi.Op.MINLOC;
  }

  /**
   * Returns the function of a program's own operation, for objects.
   *
   * @throws MpiException ERR_OP when the operation is predefined or has been freed
   */
  User_function functionForObjects() {
    checkUsable();
    if (function == null) {
      throw MpiException.argument(ErrorClass.ERR_OP, "op", this, "operations of the program for MPI.OBJECT");
    }
    return function;
  }

  /**
   * Returns ffmpi's operation for elements of a type.
   *
   * @throws MpiException ERR_OP when the operation has been freed, or needs pairs and the type has none
   */
  org.ffmpi.Op<Object> of(Datatype type) {
    if (predefined != null && (!isOnPairs() || Pairs.areDense(type))) {
      return type.baseType == TypeCodes.BOOLEAN ? ofTruth() : predefined;
    }
    checkUsable();
    Known last = known;
    if (last == null || last.type != type) {
      last = new Known(type,
          predefined != null ? Pairs.spread(predefined, type) : UserReduction.op(function, commute, type));
      known = last;
    }
    return last.op;
  }

  /** Bit by bit is the same as logically, for elements of one bit. */
  private org.ffmpi.Op<Object> ofTruth() {
    return predefined == org.ffmpi.Op.BAND ? org.ffmpi.Op.LAND
        : predefined == org.ffmpi.Op.BOR ? org.ffmpi.Op.LOR
        : predefined == org.ffmpi.Op.BXOR ? org.ffmpi.Op.LXOR : predefined;
  }

  private void checkUsable() {
    if (freed) {
      throw MpiException.argument(ErrorClass.ERR_OP, "op", this, "operations that have not been freed");
    }
  }

  /**
   * Frees the operation ({@code MPI_Op_free}).
   *
   * @throws MPIException when it is predefined
   */
  public void free() throws MPIException {
    if (predefined != null) {
      throw Errors.raised(
          MpiException.argument(ErrorClass.ERR_OP, "op", this, "operations that are not predefined"));
    }
    freed = true;
    known = null;
  }

  /**
   * Does nothing: an operation that the program has forgotten needs no end.
   *
   * @throws MPIException never
   */
  @Override
  @SuppressWarnings({"removal", "deprecation"}) // programs may call it
  public void finalize() throws MPIException {}

  /**
   * Describes the operation for messages.
   *
   * @return its name
   */
  @Override
  public String toString() {
    return name + (freed ? " (freed)" : "");
  }
}
