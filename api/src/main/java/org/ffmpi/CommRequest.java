// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.request.CommRequestImpl;

/**
 * The request of a communicator that is being made ({@code MPI_Comm_idup}, MPI-4.1 §7.4.2): once any call has completed
 * it, {@link #comm} is the new communicator. A program that does not want it any more closes the request instead of
 * asking for it: the communicator is closed then, with the attributes that have been copied for it. If the program does
 * neither, it is a communicator that is never closed.
 *
 * @param <C> kind of the communicator
 */
public sealed interface CommRequest<C extends Comm> extends Request permits CommRequestImpl {
  /**
   * Returns the new communicator. Does not block.
   *
   * @return the same communicator at each call, to be closed by the program
   * @throws MpiException ERR_REQUEST when the request has not been completed by a wait or test; why it failed, if it
   *     did
   */
  @Standard({"MPI_Comm_idup", "MPI_Comm_idup_with_info"})
  C comm();
}
