// SPDX-License-Identifier: Apache-2.0
package mpjdev;

/** The part of {@link mpi.Status} that MPJ Express declares here. */
public class Status {
  /** Rank of the sender ({@code MPI_SOURCE}). */
  public int source;

  /** Tag of the message ({@code MPI_TAG}). */
  public int tag;

  /** Index of the request in the array of a call with several. */
  public int index;

  /** Makes the status of no message. */
  public Status() {}
}
