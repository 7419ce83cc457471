// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Source and destination of a shift, as {@link Cartcomm#Shift} returns them. */
public class ShiftParms {
  /** Rank to receive from, or {@code MPI.PROC_NULL}. */
  public int rank_source;

  /** Rank to send to, or {@code MPI.PROC_NULL}. */
  public int rank_dest;

  ShiftParms(int source, int dest) {
    this.rank_source = source;
    this.rank_dest = dest;
  }
}
