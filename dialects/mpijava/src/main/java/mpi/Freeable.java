// SPDX-License-Identifier: Apache-2.0
package mpi;

/** What programs can free. */
interface Freeable {
  /** Frees the object. */
  void free();
}
