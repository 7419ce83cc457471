// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.process.CommState;
import org.ffmpi.spi.Operation;

/**
 * The class behind {@link CommRequest}. The new communicator is made at the first call that returns it. One that
 * nothing has asked for is closed with the request, so that the attributes that have been copied for it are deleted.
 *
 * @param <C> kind of the communicator
 */
public final class CommRequestImpl<C extends Comm> extends ForwardingRequest implements CommRequest<C> {
  private final RequestImpl request;
  private final Supplier<C> maker;
  private Consumer<? super C> last;
  private Runnable instead;
  private C made;

  /** Creates the request of a communicator that is made of a parent. */
  public CommRequestImpl(CommState parent, Operation operation, Supplier<C> maker) {
    this.maker = maker;
    this.request = new RequestImpl(parent.world, parent, RequestKind.COLLECTIVE, operation, this);
  }

  /** Returns the object behind a request. */
  public static <C extends Comm> CommRequestImpl<C> of(CommRequest<C> request) {
    return (CommRequestImpl<C>) request;
  }

  /** Adds a last step to the making of the new communicator. */
  public CommRequestImpl<C> then(Consumer<? super C> step) {
    last = step;
    return this;
  }

  /** Sets what is done, once, in place of the making when the operation has failed. */
  public CommRequestImpl<C> otherwise(Runnable action) {
    instead = action;
    return this;
  }

  @Standard({"MPI_Comm_idup", "MPI_Comm_idup_with_info"})
  @Override
  public C comm() {
    if (isActive()) {
      throw request.raise(new MpiException(
          ErrorClass.ERR_REQUEST, "request: is not complete yet, and the communicator not to be used"));
    }
    synchronized (this) {
      if (request.error() != null) {
        giveUp();
        throw request.raise(request.error());
      }
      return made();
    }
  }

  private C made() {
    if (made == null) {
      made = maker.get();
      if (last != null) {
        last.accept(made);
      }
    }
    return made;
  }

  private void giveUp() {
    Runnable action = instead;
    instead = null;
    if (action != null) {
      action.run();
    }
  }

  @Override
  public synchronized void onFree() {
    if (made != null || isActive() || !request.world().isOpen()) {
      return;
    }
    if (request.error() == null) {
      made().close();
    } else {
      giveUp();
    }
  }

  @Override
  public RequestImpl request() {
    return request;
  }

  @Override
  public String toString() {
    return request.toString();
  }
}
