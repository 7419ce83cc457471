// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;

/** A reduction of the program's own. A program overrides one of the two methods. */
public abstract class UserFunction {
  /** For programs' own classes. */
  public UserFunction() {}

  /**
   * Combines elements of arrays ({@code MPI_User_function}).
   *
   * @param inVec first operands
   * @param inOutVec second operands; takes the results
   * @param count number of elements
   * @param datatype their type
   * @throws MPIException as the program likes
   */
  public void call(Object inVec, Object inOutVec, int count, Datatype datatype) throws MPIException {
    throw new UnsupportedOperationException("Not supported yet.");
  }

  /**
   * Combines elements of buffers ({@code MPI_User_function}).
   *
   * @param in first operands
   * @param inOut second operands; takes the results
   * @param count number of elements
   * @param datatype their type
   * @throws MPIException as the program likes
   */
  public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) throws MPIException {
    throw new UnsupportedOperationException("Not supported yet.");
  }
}
