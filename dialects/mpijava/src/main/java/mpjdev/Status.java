// SPDX-License-Identifier: Apache-2.0
package mpjdev;

/** How an operation ended: what {@link mpi.Status} has of it. */
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
