// SPDX-License-Identifier: Apache-2.0
package mpi;

/** An operation of reductions ({@code MPI_Op}). */
public final class Op implements Freeable {
  private org.ffmpi.Op<?> op;

  Op(org.ffmpi.Op<?> op) {
    this.op = op;
  }

  /**
   * Creates an operation ({@code MPI_Op_create}).
   *
   * @param function combines elements
   * @param commute whether the order of operands does not matter
   */
  public Op(UserFunction function, boolean commute) {
    throw new UnsupportedOperationException();
  }

  /** Returns ffmpi's operation, null once freed. */
  org.ffmpi.Op<?> op() {
    return op;
  }

  /**
   * Returns whether the order of operands does not matter ({@code MPI_Op_commutative}).
   *
   * @return as said when it was created; true for the predefined ones
   */
  public boolean isCommutative() {
    return op.isCommutative();
  }

  @Override
  public void free() throws MPIException {
    op.close();
    op = null;
  }

  /**
   * Returns whether the operation has been freed.
   *
   * @return true for {@code MPI_OP_NULL}
   */
  public boolean isNull() {
    return op == null;
  }
}
