// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

/** The binary interfaces of C libraries of MPI, which differ in handles, numbers, and the form of a status. */
public enum MpiAbi {
  /** The ABI of MPI-5: handles are pointers, predefined ones with small fixed values. */
  STANDARD("the ABI of MPI-5", 8),

  /** The ABI of MPICH, and of Intel MPI, MVAPICH and Cray MPICH: handles are ints with fixed values. */
  MPICH("MPICH's ABI", 4),

  /** The ABI of Open MPI: handles are pointers, predefined ones the addresses of variables of the library. */
  OPEN_MPI("Open MPI's ABI", 8);

  private final String title;
  private final int handleBytes;

  MpiAbi(String title, int handleBytes) {
    this.title = title;
    this.handleBytes = handleBytes;
  }

  /**
   * Returns the size of a handle in memory, such as in an array of requests.
   *
   * @return 4 or 8
   */
  public int handleBytes() {
    return handleBytes;
  }

  @Override
  public String toString() {
    return title;
  }
}
