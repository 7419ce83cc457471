// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A reduction operation of the program's own ({@code MPI_User_function}). */
public abstract class User_function {
  /** For programs' subclasses. */
  public User_function() {}

  /**
   * Combines elements: each of {@code inoutvec} becomes what the operation makes of the one of {@code invec}, from
   * lower ranks, and itself ({@code MPI_User_function}). Must not communicate.
   *
   * @param invec array of the left operands
   * @param inoffset index of the first of them
   * @param inoutvec array of the right operands, which the results replace
   * @param inoutoffset index of the first of them
   * @param count number of elements of the type
   * @param datatype their type
   * @throws MPIException what is wrong
   */
  public abstract void Call(
      Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) throws MPIException;
}
