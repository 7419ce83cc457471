// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Reaction to the failure of a call, {@code MPI.ERRORS_RETURN} or {@code MPI.ERRORS_ARE_FATAL}. */
public class Errhandler {
  private final String name;

  Errhandler(String name) {
    this.name = name;
  }

  /**
   * Returns the name of the handler.
   *
   * @return {@code MPI.ERRORS_RETURN} or {@code MPI.ERRORS_ARE_FATAL}
   */
  @Override
  public String toString() {
    return name;
  }
}
