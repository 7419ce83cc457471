// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.function.Supplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Operation;

/**
 * The request of a communicator that is being made ({@code MPI_Comm_idup}, MPI-4.1 §7.4.2): once it has been completed,
 * by whatever call, {@link #comm} is the new communicator.
 *
 * @param <C> kind of the communicator
 */
public final class CommRequest<C extends Comm> extends Request {
  private final Supplier<C> maker;
  private CommHints hints;
  private C made;

  CommRequest(CommState parent, Operation operation, Supplier<C> maker) {
    super(parent, Kind.COLLECTIVE, operation);
    this.maker = maker;
  }

  /** Has the new communicator begin with other hints than its parent's. */
  CommRequest<C> with(CommHints given) {
    hints = given;
    return this;
  }

  /**
   * Returns the new communicator. Does not block.
   *
   * @return the same communicator at each call, to be closed by the program
   * @throws MpiException ERR_REQUEST when the request has not been completed by a wait or test; why it failed, if it
   *     did
   */
  @Standard({"MPI_Comm_idup", "MPI_Comm_idup_with_info"})
  public C comm() {
    if (isActive()) {
      throw raise(new MpiException(
          ErrorClass.ERR_REQUEST, "request: is not complete yet, and the communicator not to be used"));
    }
    synchronized (this) {
      if (error() != null) {
        throw raise(error());
      }
      if (made == null) {
        made = maker.get();
        if (hints != null) {
          CommImpl.of(made).state().setHints(hints);
        }
      }
      return made;
    }
  }
}
