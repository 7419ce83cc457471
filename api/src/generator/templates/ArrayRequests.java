// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Standard;

/** The calls of {@link Requests} that exist once for each kind of array. Generated. */
abstract sealed class ArrayRequests permits Requests {
  /** What starts the operations. */
  final Comm comm;

  ArrayRequests(Comm comm) {
    this.comm = comm;
  }

  /**
   * Takes a request into this scope.
   *
   * @param request a request of the same world
   * @return the request
   */
  public abstract Request add(Request request);
  //for-each

  /**
   * Starts to send a whole array, as {@link Comm#isend(@array@[], int, int)}.
   *
   * @param data all elements are sent, as @type@; not to be changed until the scope has been awaited
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request, which now belongs to this scope
   */
  @Standard({"MPI_Isend", "MPI_Isend_c"})
  public Request isend(@array@[] data, int dest, int tag) {
    return add(comm.isend(data, dest, tag));
  }

  /**
   * Starts to receive into an array, as {@link Comm#irecv(@array@[], int, int)}.
   *
   * @param data filled from its first element on, as @type@; not to be touched until the scope has been awaited
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return the request, which now belongs to this scope
   */
  @Standard({"MPI_Irecv", "MPI_Irecv_c"})
  public Request irecv(@array@[] data, int source, int tag) {
    return add(comm.irecv(data, source, tag));
  }
  //end
}
