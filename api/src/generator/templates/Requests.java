// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.request.RequestsImpl;

/**
 * A scope for nonblocking operations that are started and completed together.
 *
 * {@snippet :
 * try (Requests halo = world.requests()) {
 *   halo.irecv(top, up, 0);
 *   halo.irecv(bottom, down, 1);
 *   halo.isend(firstRow, up, 1);
 *   halo.isend(lastRow, down, 0);
 *   computeInterior();
 *   halo.await();                      // MPI_Waitall
 * }
 * }
 *
 * <p>The scope makes sure that no operation outlives the block in which its buffers are known: when the block is left
 * without {@link #await}, as by an exception, {@link #close} cancels operations where possible and waits a bounded time
 * for the others (setting {@code ffmpi.requests.grace}); if something is still in flight then, its buffers cannot be
 * given back to the program, and the job ends. One thread at a time may use a scope.
 */
public sealed interface Requests extends AutoCloseable permits RequestsImpl {
  /**
   * Adds a request to this scope, for example of a collective operation.
   *
   * @param request a request of the same world
   * @return the request
   * @throws MpiException ERR_REQUEST when the request is null or of another world, or the scope is closed
   */
  Request add(Request request);

  /**
   * Starts to send, as {@link Comm#isend(Buf, int, int)}.
   *
   * @param buf elements to send; not to be changed until the scope has been awaited
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request, which now belongs to this scope
   */
  @Standard({"MPI_Isend", "MPI_Isend_c"})
  Request isend(Buf<?> buf, int dest, int tag);

  /**
   * Starts a synchronous send, as {@link Comm#issend(Buf, int, int)}.
   *
   * @param buf elements to send; not to be changed until the scope has been awaited
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request, which now belongs to this scope
   */
  @Standard({"MPI_Issend", "MPI_Issend_c"})
  Request issend(Buf<?> buf, int dest, int tag);

  /**
   * Starts to receive, as {@link Comm#irecv(Buf, int, int)}.
   *
   * @param buf elements to fill; not to be touched until the scope has been awaited
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return the request, which now belongs to this scope
   */
  @Standard({"MPI_Irecv", "MPI_Irecv_c"})
  Request irecv(Buf<?> buf, int source, int tag);

  /**
   * Blocks until everything that was started in this scope is complete ({@code MPI_Waitall}, MPI-4.1 §3.7.5). More can
   * be started afterwards.
   *
   * @throws MpiException ERR_IN_STATUS when operations failed, see {@link Request#waitAll(List)}
   */
  @Standard({"MPI_Waitall"})
  void await();

  /**
   * Returns whether everything started in this scope is complete and, if so, completes it ({@code MPI_Testall}, MPI-4.1
   * §3.7.5). Does not block.
   *
   * @return true when complete
   * @throws MpiException as {@link #await}
   */
  @Standard({"MPI_Testall"})
  boolean test();

  /**
   * Leaves the scope. After {@link #await} there is nothing to do. Otherwise operations are cancelled where possible,
   * and the others given the time of the setting {@code ffmpi.requests.grace}; errors of these abandoned operations are
   * not reported.
   *
   * @throws MpiException ERR_PENDING when operations are still in flight after that time: the job ends
   */
  @Standard({"MPI_Waitall", "MPI_Cancel"})
  @Override
  void close();
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
  Request isend(@array@[] data, int dest, int tag);

  /**
   * Starts to receive into an array, as {@link Comm#irecv(@array@[], int, int)}.
   *
   * @param data filled from its first element on, as @type@; not to be touched until the scope has been awaited
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return the request, which now belongs to this scope
   */
  @Standard({"MPI_Irecv", "MPI_Irecv_c"})
  Request irecv(@array@[] data, int source, int tag);
  //end
}
