// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.request.GrequestImpl;

/**
 * A generalized request, for an operation that the program itself performs in any thread, and that can be waited for
 * like those of MPI (MPI-4.1 §13.2).
 *
 * {@snippet :
 * Grequest reading = Grequest.start(mpi, status -> status.setElements(Datatype.BYTE, file.length()));
 * Thread.ofVirtual().start(() -> {
 *   readAll(file, data);
 *   reading.complete();
 * });
 * Request.waitAll(List.of(reading, world.irecv(halo, left, 0)));
 * }
 *
 * <p>{@link #complete} marks the end of the operation; any thread may call it. What a wait or test then reports is
 * asked of the {@linkplain Callbacks callbacks}, in the thread of that call.
 */
@Standard({"MPI_Grequest_start"})
public sealed interface Grequest extends Request permits GrequestImpl {
  /**
   * What MPI asks the program about its operation. State that C passes as {@code extra_state} is kept by the
   * implementing object. Callbacks may call MPI. What one throws becomes the error of the call that made it: an
   * {@link MpiException} as it is, anything else as the cause of one of class ERR_OTHER.
   */
  interface Callbacks {
    /**
     * Reports how the operation ended ({@code MPI_Grequest_query_function}): sets the status's source, tag, elements,
     * whether it was cancelled, and its error where that is to be reported without throwing. Called once the operation
     * has been completed, by each wait, test and get-status call that finds it so, also when the status is ignored.
     *
     * @param status an empty status, to be filled
     * @throws Exception the error with which the operation ends
     */
    @Standard({"MPI_Grequest_query_function"})
    void query(Status status) throws Exception;

    /**
     * Releases what belongs to the operation ({@code MPI_Grequest_free_function}). Called once: after {@link #query} by
     * the wait or test that completes the request; for a request that was {@linkplain Request#close given up}, by that
     * call or by {@link Grequest#complete}, the later of both. Does nothing unless overridden.
     *
     * @throws Exception the error with which the operation ends
     */
    @Standard({"MPI_Grequest_free_function"})
    default void free() throws Exception {}

    /**
     * Called by {@link Request#cancel} ({@code MPI_Grequest_cancel_function}). The operation still has to be
     * completed, and {@link #query} to say whether it was cancelled. Does nothing unless overridden.
     *
     * @param complete whether {@link Grequest#complete} has been called
     * @throws Exception the error of the call of cancel
     */
    @Standard({"MPI_Grequest_cancel_function"})
    default void cancel(boolean complete) throws Exception {}
  }

  /**
   * Makes an active request of an operation that the program performs ({@code MPI_Grequest_start}, MPI-4.1 §13.2).
   * Local.
   *
   * @param mpi the environment of this rank
   * @param callbacks asked about the operation; kept until the request is freed
   * @return the request, which is to be {@linkplain #complete completed} and waited for
   * @throws MpiException ERR_ARG when an argument is null, ERR_OTHER after finalize
   */
  @Standard({"MPI_Grequest_start"})
  static Grequest start(Mpi mpi, Callbacks callbacks) {
    return GrequestImpl.start(mpi == null ? null : mpi.rankWorld(), callbacks);
  }

  /**
   * Marks the end of the operation ({@code MPI_Grequest_complete}, MPI-4.1 §13.2) and wakes waiting threads. Local.
   * What the calling thread did before is visible to who has found the request complete.
   *
   * @throws MpiException ERR_REQUEST when it has been called before, ERR_OTHER after finalize; what the free callback
   *     threw, when the request had been given up
   */
  @Standard({"MPI_Grequest_complete"})
  void complete();
}
