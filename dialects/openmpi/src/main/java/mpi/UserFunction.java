// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;

/**
 * A reduction of the program's own. A program overrides one of the two methods: the one with buffers is called, and
 * calls the one with arrays unless it is overridden. For {@code MPI.BOOLEAN} the one with arrays is called.
 */
public abstract class UserFunction {
  /** For programs' own classes. */
  public UserFunction() {}

  /**
   * Combines elements of arrays ({@code MPI_User_function}).
   *
   * @param inVec array of the type's base type with the first operands
   * @param inOutVec array with the second operands; takes the results
   * @param count number of elements
   * @param datatype their type
   */
  public void call(Object inVec, Object inOutVec, int count, Datatype datatype) throws MPIException {
    throw new UnsupportedOperationException(
        getClass().getName() + " overrides neither call(Object, ...) nor call(ByteBuffer, ...)");
  }

  /**
   * Combines elements of buffers ({@code MPI_User_function}).
   *
   * @param in first operands
   * @param inOut second operands; takes the results
   * @param count number of elements
   * @param datatype their type
   */
  public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) throws MPIException {
    Object first = Operands.array(in, datatype.kind());
    Object second = Operands.array(inOut, datatype.kind());
    call(first, second, count, datatype);
    Operands.put(second, inOut);
  }
}
