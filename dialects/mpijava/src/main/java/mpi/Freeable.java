// SPDX-License-Identifier: Apache-2.0
package mpi;

/** An object that programs can free. */
interface Freeable {
  /** Frees the object. */
  void free();
}
