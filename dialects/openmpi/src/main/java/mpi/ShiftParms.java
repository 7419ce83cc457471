// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The two neighbours along a dimension of a grid ({@code MPI_Cart_shift}). */
public final class ShiftParms {
  private final int source;
  private final int dest;

  ShiftParms(int source, int dest) {
    this.source = source;
    this.dest = dest;
  }

  /**
   * Returns from whom a shift receives.
   *
   * @return a rank, or {@code MPI.PROC_NULL}
   */
  public int getRankSource() {
    return source;
  }

  /**
   * Returns to whom a shift sends.
   *
   * @return a rank, or {@code MPI.PROC_NULL}
   */
  public int getRankDest() {
    return dest;
  }
}
