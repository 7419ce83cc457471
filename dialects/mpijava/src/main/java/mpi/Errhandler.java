// SPDX-License-Identifier: Apache-2.0
package mpi;

/** What happens when a call fails: one of {@code MPI.ERRORS_RETURN} and {@code MPI.ERRORS_ARE_FATAL}. */
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
