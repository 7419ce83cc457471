// SPDX-License-Identifier: Apache-2.0
package mpi;

/** An object that a program has to free. */
public interface Freeable {
  /**
   * Frees the object.
   *
   * @throws MPIException when it cannot be freed
   */
  void free() throws MPIException;
}
