// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.concurrent.locks.ReentrantLock;
import org.ffmpi.Grequest;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.process.World;
import org.ffmpi.spi.Operation;

/** The class behind {@link Grequest}, with the state that the program sets and its callbacks. */
public final class GrequestImpl extends ForwardingRequest implements Grequest {
  private final RequestImpl request;
  private final Callbacks callbacks;
  private final Work work;
  /** Guarded by {@link #work}, as is the next. */
  private boolean completed;
  private boolean given;
  /** Held while callbacks report the result: a future calls them as well, but not after the free callback. */
  private final ReentrantLock asking = new ReentrantLock();
  private boolean freed;
  private volatile boolean finished;

  /** The operation that threads wait for. */
  private static final class Work extends Operation {
    private final Callbacks callbacks;

    Work(Callbacks callbacks) {
      this.callbacks = callbacks;
    }

    void finish() {
      complete();
    }

    @Override
    public boolean isOfProgram() {
      return true;
    }

    @Override
    public boolean cancel() {
      try {
        callbacks.cancel(isDone());
        return false;
      } catch (Throwable e) {
        throw failure("cancel", e);
      }
    }
  }

  private GrequestImpl(World world, Callbacks callbacks, Work work) {
    this.callbacks = callbacks;
    this.work = work;
    this.request = new RequestImpl(world, null, RequestKind.GENERALIZED, work, this);
  }

  /** Makes an active request, see {@link Grequest#start}; the world is null when the environment was. */
  public static GrequestImpl start(World world, Callbacks callbacks) {
    if (world == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "mpi", null, "the environment of this rank");
    }
    world.checkOpen();
    if (callbacks == null) {
      throw world.raise(MpiException.argument(ErrorClass.ERR_ARG, "callbacks", null, "Grequest.Callbacks"));
    }
    return new GrequestImpl(world, callbacks, new Work(callbacks));
  }

  @Standard({"MPI_Grequest_complete"})
  @Override
  public void complete() {
    request.world().checkOpen();
    boolean unwanted;
    synchronized (work) {
      if (completed) {
        throw request.raise(new MpiException(ErrorClass.ERR_REQUEST, "request: has been completed before"));
      }
      completed = true;
      unwanted = given;
    }
    work.finish();
    request.world().engine().wakeWaiters();
    if (unwanted) {
      freeNow();
    }
  }

  @Override
  public boolean release() {
    boolean over;
    synchronized (work) {
      given = true;
      over = completed;
    }
    if (over) {
      freeNow();
    }
    return true;
  }

  private void freeNow() {
    MpiException failure = free(null);
    if (failure != null) {
      throw request.raise(failure);
    }
  }

  @Override
  public MpiException peek(Status into) {
    StatusAccess.setEmpty(into);
    asking.lock();
    try {
      if (!freed) {
        callbacks.query(into);
      }
      return null;
    } catch (Throwable e) {
      MpiException failure = failure("query", e);
      into.setError(failure.errorClass());
      return failure;
    } finally {
      asking.unlock();
    }
  }

  @Override
  public MpiException finish(Status into) {
    finished = true;
    MpiException failure = free(peek(into));
    if (failure != null) {
      into.setError(failure.errorClass());
    }
    return failure;
  }

  @Override
  public RequestImpl request() {
    return request;
  }

  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  public String toString() {
    return request.toString();
  }

  /** Returns whether a wait or test has completed this request, or is about to. */
  boolean isFinished() {
    return finished;
  }

  /** Calls the free callback; returns its error, else the one before. */
  private MpiException free(MpiException before) {
    asking.lock();
    try {
      freed = true;
      callbacks.free();
      return before;
    } catch (Throwable e) {
      MpiException failure = failure("free", e);
      if (before != null && before != failure) {
        failure.addSuppressed(before);
      }
      return failure;
    } finally {
      asking.unlock();
    }
  }

  private static MpiException failure(String callback, Throwable thrown) {
    return thrown instanceof MpiException known
        ? known
        : new MpiException(
            ErrorClass.ERR_OTHER, "the " + callback + " callback of a generalized request threw " + thrown, thrown);
  }
}
