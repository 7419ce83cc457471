// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Standard;

/** The point-to-point calls of {@link Comm} that exist once for each kind of array. Generated. */
public sealed interface ArrayCalls permits Comm {
  //for-each

  /**
   * Sends a whole array and blocks until it may be changed again ({@code MPI_Send} in standard mode, MPI-4.1 §3.2.1).
   * Allocates nothing.
   *
   * @param data all elements are sent, as @type@
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @throws org.ffmpi.base.MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG, ERR_OTHER after finalize
   */
  @Standard({"MPI_Send", "MPI_Send_c"})
  void send(@array@[] data, int dest, int tag);

  /**
   * Receives into an array and blocks until the message is there ({@code MPI_Recv} without a status, MPI-4.1 §3.2.4).
   * Allocates nothing.
   *
   * @param data filled from its first element on, as @type@; elements beyond the message are left as they are
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @throws org.ffmpi.base.MpiException ERR_TRUNCATE when the message is longer than the array, ERR_BUFFER when the
   *     array is null, ERR_RANK, ERR_TAG, ERR_OTHER after finalize
   */
  @Standard({"MPI_Recv", "MPI_Recv_c"})
  void recv(@array@[] data, int source, int tag);

  /**
   * Receives into an array, blocks until the message is there, and returns its status ({@code MPI_Recv}, MPI-4.1
   * §3.2.4). Allocates nothing.
   *
   * @param data filled from its first element on, as @type@; elements beyond the message are left as they are
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length, also when the call fails with ERR_TRUNCATE
   * @return {@code into}
   * @throws org.ffmpi.base.MpiException ERR_TRUNCATE when the message is longer than the array, ERR_BUFFER when the
   *     array is null, ERR_RANK, ERR_TAG, ERR_ARG when {@code into} is null, ERR_OTHER after finalize
   */
  @Standard({"MPI_Recv", "MPI_Recv_c"})
  Status recv(@array@[] data, int source, int tag, Status into);

  /**
   * Starts to send a whole array and returns at once ({@code MPI_Isend}, MPI-4.1 §3.7.2).
   *
   * @param data all elements are sent, as @type@; not to be changed until the request is complete
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request; one that is shared and complete when the message has already left
   * @throws org.ffmpi.base.MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG, ERR_OTHER after finalize
   */
  @Standard({"MPI_Isend", "MPI_Isend_c"})
  Request isend(@array@[] data, int dest, int tag);

  /**
   * Starts to receive into an array and returns at once ({@code MPI_Irecv}, MPI-4.1 §3.7.2).
   *
   * @param data filled from its first element on, as @type@; not to be touched until the request is complete
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return the request, whose completion fails with ERR_TRUNCATE when the message is longer than the array
   * @throws org.ffmpi.base.MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG, ERR_OTHER after finalize
   */
  @Standard({"MPI_Irecv", "MPI_Irecv_c"})
  Request irecv(@array@[] data, int source, int tag);
  //end
}
