// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.concurrent.locks.ReentrantLock;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Operation;

/**
 * A generalized request: an operation of the program's own, which it performs in a thread of its own or where it likes,
 * and which can be waited for like those of MPI (MPI-4.1 §13.2).
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
 * <p>{@link #complete} says that the operation is over; any thread may call it. What a wait or test then reports is
 * asked of the {@linkplain Callbacks callbacks}, in the thread of that call.
 */
@Standard({"MPI_Grequest_start"})
public final class Grequest extends Request {
  private final Callbacks callbacks;
  private final Work work;
  /** Guarded by {@link #work}, as is the next. */
  private boolean completed;
  private boolean given;
  /** Held while callbacks tell how the operation ended: a future asks as well, and not after the free callback. */
  private final ReentrantLock asking = new ReentrantLock();
  private boolean freed;
  private volatile boolean finished;

  /**
   * What MPI asks the program about its operation. State that C passes as {@code extra_state} is kept by the
   * implementing object. Callbacks may call MPI. What one throws becomes the error of the call that made it: an {@link
   * MpiException} as it is, anything else as the cause of one of class ERR_OTHER.
   */
  public interface Callbacks {
    /**
     * Tells how the operation ended ({@code MPI_Grequest_query_function}): sets the status's source, tag, elements,
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
     * call or by {@link Grequest#complete}, whichever comes last. Does nothing unless overridden.
     *
     * @throws Exception the error with which the operation ends
     */
    @Standard({"MPI_Grequest_free_function"})
    default void free() throws Exception {}

    /**
     * Told of a call of {@link Request#cancel} ({@code MPI_Grequest_cancel_function}). The operation still has to be
     * completed, and {@link #query} to say whether it was cancelled. Does nothing unless overridden.
     *
     * @param complete whether {@link Grequest#complete} has been called
     * @throws Exception the error of the call of cancel
     */
    @Standard({"MPI_Grequest_cancel_function"})
    default void cancel(boolean complete) throws Exception {}
  }

  /** What is waited for. */
  private static final class Work extends Operation {
    private final Callbacks callbacks;

    Work(Callbacks callbacks) {
      this.callbacks = callbacks;
    }

    void finish() {
      complete();
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

  private Grequest(World world, Callbacks callbacks, Work work) {
    super(world, null, Kind.GENERALIZED, false, work);
    this.callbacks = callbacks;
    this.work = work;
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
  public static Grequest start(Mpi mpi, Callbacks callbacks) {
    if (mpi == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "mpi", null, "the environment of this rank");
    }
    World world = mpi.rankWorld();
    world.checkOpen();
    if (callbacks == null) {
      throw world.raise(MpiException.argument(ErrorClass.ERR_ARG, "callbacks", null, "Grequest.Callbacks"));
    }
    return new Grequest(world, callbacks, new Work(callbacks));
  }

  /**
   * Says that the operation is over ({@code MPI_Grequest_complete}, MPI-4.1 §13.2) and wakes who waits for it. Local.
   * What the calling thread did before is visible to who has found the request complete.
   *
   * @throws MpiException ERR_REQUEST when it has been called before, ERR_OTHER after finalize; what the free callback
   *     threw, when the request had been given up
   */
  @Standard({"MPI_Grequest_complete"})
  public void complete() {
    world().checkOpen();
    boolean unwanted;
    synchronized (work) {
      if (completed) {
        throw raise(new MpiException(ErrorClass.ERR_REQUEST, "request: has been completed before"));
      }
      completed = true;
      unwanted = given;
    }
    work.finish();
    world().engine().completedOutside();
    if (unwanted) {
      freeNow();
    }
  }

  @Override
  void release(Operation running) {
    boolean over;
    synchronized (work) {
      given = true;
      over = completed;
    }
    if (over) {
      freeNow();
    }
  }

  private void freeNow() {
    MpiException failure = free(null);
    if (failure != null) {
      throw raise(failure);
    }
  }

  @Override
  MpiException look(Operation ended, Status into) {
    into.setEmpty();
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
  MpiException finish(Operation ended, Status into) {
    finished = true;
    MpiException failure = free(look(ended, into));
    if (failure != null) {
      into.setError(failure.errorClass());
    }
    return failure;
  }

  /** Whether a wait or test has completed this request, or is about to. */
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
