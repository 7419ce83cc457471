// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.RunSettings;

/**
 * An operation that has been started and not yet been completed by the program ({@code MPI_Request}, MPI-4.1 §3.7).
 *
 * {@snippet :
 * Request incoming = world.irecv(halo, left, 0);
 * world.isend(edge, right, 0).await();
 * computeInterior();
 * Status status = incoming.await(new Status());
 * }
 *
 * <p>A request is <em>active</em> until a wait or a successful test has completed it, with or without an error; then it
 * is inactive, keeps its status and its error, and further waits and tests return, or throw, the same at once; only
 * {@linkplain Persistent persistent} ones keep nothing. Several requests that belong together are better kept in a
 * {@link Requests} scope.
 *
 * <p>Calls over a list take null and inactive requests for {@code MPI_REQUEST_NULL} and pass over them. As in C, the
 * entries of requests that such a call has completed become null, with or without an error, except those of persistent
 * ones; an unmodifiable list is left as it is, in which a send that was over when it started (all of those are one
 * shared request, which is never inactive) is found complete again by each call.
 *
 * <p>Errors of the operation appear where it is completed, through the error handler of its communicator. A request may
 * be used by any thread, by one at a time.
 */
@Standard({"MPI_Request"})
public sealed class Request extends RequestCalls permits Persistent, Grequest, CommRequest {
  private static final Status EMPTY = new Status();
  private final World world;
  private final CommState comm;
  private final Kind kind;
  private final boolean persistent;
  /** What still runs; null once complete, so that the buffer is not kept from being collected. */
  private Operation operation;
  /** How the operation ended that was completed last: in fields, which cost no further object. */
  private int source = Constants.ANY_SOURCE;
  private int tag = Constants.ANY_TAG;
  private long bytes;
  private boolean cancelled;
  private ErrorClass how = ErrorClass.SUCCESS;
  private MpiException error;
  /** What {@link #toCompletableFuture} has returned for the operation that runs, or null. */
  private CompletableFuture<Status> future;

  /** What a request is for. */
  enum Kind {
    /** A send, or what sends as well as receives. */
    SEND,
    /** A receive. */
    RECEIVE,
    /** A collective operation, which can be neither cancelled nor freed while it runs. */
    COLLECTIVE,
    /** What the program itself does. */
    GENERALIZED,
    /** All sends that were over when they started, which have one request; never becomes inactive. */
    SHARED
  }

  /** Creates the request of an operation that has been started. */
  Request(CommState comm, Kind kind, Operation operation) {
    this(comm.world, comm, kind, false, operation);
  }

  /**
   * Creates a request.
   *
   * @param comm null when it belongs to no communicator
   * @param persistent whether it can be started again: then it stays where it is and keeps no result when inactive
   * @param operation null when it begins inactive
   */
  Request(World world, CommState comm, Kind kind, boolean persistent, Operation operation) {
    this.world = world;
    this.comm = comm;
    this.kind = kind;
    this.persistent = persistent;
    this.operation = operation;
  }

  static Request sent(World world, Operation completed) {
    return new Request(world, null, Kind.SHARED, false, completed);
  }

  static Request toNobody(CommState comm) {
    return new Request(comm, Kind.SEND, comm.world.engine().completed());
  }

  static Request fromNobody(CommState comm) {
    return new Request(comm, Kind.RECEIVE, ReceivedFromNobody.INSTANCE);
  }

  // ---- one request

  /**
   * Blocks until the operation is complete ({@code MPI_Wait} without a status, MPI-4.1 §3.7.3). An interrupt of the
   * thread does not end the wait; the interrupt status is kept.
   *
   * @throws MpiException why the operation failed; ERR_OTHER after finalize
   */
  @Standard({"MPI_Wait"})
  public final void await() {
    Operation running = operation;
    if (running != null) {
      if (!running.isDone()) {
        awaitOperation(running);
      }
      end();
    } else if (persistent) {
      return;
    }
    throwError();
  }

  /**
   * Blocks until the operation is complete and tells how it ended ({@code MPI_Wait}, MPI-4.1 §3.7.3).
   *
   * @param into filled with source, tag and length of a received message, also when the operation failed
   * @return {@code into}
   * @throws MpiException why the operation failed; ERR_ARG when {@code into} is null, ERR_OTHER after finalize
   */
  @Standard({"MPI_Wait"})
  public final Status await(Status into) {
    checkStatus(into);
    Operation running = operation;
    if (running != null) {
      if (!running.isDone()) {
        awaitOperation(running);
      }
      end();
    } else if (persistent) {
      return into.setEmpty();
    }
    status(into);
    throwError();
    return into;
  }

  /**
   * Makes some progress and tells whether the operation is complete ({@code MPI_Test} without a status, MPI-4.1
   * §3.7.3); if so, the request has become inactive. Does not block.
   *
   * @return true when complete
   * @throws MpiException why the operation failed; ERR_OTHER after finalize
   */
  @Standard({"MPI_Test"})
  public final boolean test() {
    Operation running = operation;
    if (running != null) {
      if (!testOperation(running)) {
        return false;
      }
      end();
    } else if (persistent) {
      return true;
    }
    throwError();
    return true;
  }

  /**
   * Makes some progress and tells whether and how the operation ended ({@code MPI_Test}, MPI-4.1 §3.7.3). Does not
   * block.
   *
   * @param into filled when the call returns true or the operation failed
   * @return true when complete
   * @throws MpiException why the operation failed; ERR_ARG when {@code into} is null, ERR_OTHER after finalize
   */
  @Standard({"MPI_Test"})
  public final boolean test(Status into) {
    checkStatus(into);
    Operation running = operation;
    if (running != null) {
      if (!testOperation(running)) {
        return false;
      }
      end();
    } else if (persistent) {
      into.setEmpty();
      return true;
    }
    status(into);
    throwError();
    return true;
  }

  /**
   * Makes some progress and tells how the operation ended, without completing the request
   * ({@code MPI_Request_get_status}, MPI-4.1 §3.7.6). Does not block and does not throw the operation's error, which
   * stays to be thrown by a wait or test.
   *
   * @return the status, with the error if there was one; empty while the operation is in flight
   * @throws MpiException ERR_OTHER after finalize
   */
  @Standard({"MPI_Request_get_status"})
  public final Optional<Status> getStatus() {
    Status status = new Status();
    return getStatus(status) ? Optional.of(status) : Optional.empty();
  }

  /**
   * Makes some progress and tells how the operation ended, without completing the request
   * ({@code MPI_Request_get_status}, MPI-4.1 §3.7.6). Does not block and does not throw the operation's error, which
   * stays to be thrown by a wait or test.
   *
   * @param into filled when true is returned, with the error if there was one
   * @return false while the operation is in flight
   * @throws MpiException ERR_ARG when {@code into} is null, ERR_OTHER after finalize
   */
  @Standard({"MPI_Request_get_status"})
  public final boolean getStatus(Status into) {
    checkStatus(into);
    Operation running = operation;
    if (running == null) {
      inactive(into);
      return true;
    }
    if (!testOperation(running)) {
      return false;
    }
    look(running, into);
    return true;
  }

  /**
   * Tells whether no wait or successful test has completed this request yet. Local; makes no progress.
   *
   * @return false for an inactive request
   */
  public final boolean isActive() {
    return operation != null;
  }

  /**
   * Asks to cancel the operation ({@code MPI_Cancel}, MPI-4.1 §3.8.4). Local and at once; the request still has to be
   * completed, and {@link Status#isCancelled} tells then whether it was cancelled or had gone its way. An operation
   * that is complete stays as it is; a receive whose senders are all gone is cancelled even so.
   *
   * @throws MpiException ERR_REQUEST when the request is not active or is a collective operation that is in flight,
   *     ERR_OTHER after finalize
   */
  @Standard({"MPI_Cancel"})
  public final void cancel() {
    Operation running = operation;
    if (running == null) {
      world.checkOpen();
      throw raise(new MpiException(ErrorClass.ERR_REQUEST, "request: is not active, there is nothing to cancel"));
    }
    if (kind != Kind.GENERALIZED && running.isDone()) {
      forgive(running);
      return;
    }
    world.checkOpen();
    checkAllowed("cancelled");
    try {
      running.cancel();
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
    if (running.isDone()) {
      forgive(running); // another thread may have found out meanwhile that no sender is left
    }
  }

  /** It is no error that nobody sent to what is not wanted any more. */
  private void forgive(Operation ended) {
    if (kind == Kind.RECEIVE && ended.error() != null && !isMissed(ended.error())) {
      operation = CancelledReceive.INSTANCE;
    }
  }

  /**
   * Gives the request up ({@code MPI_Request_free}, MPI-4.1 §3.7.3). An operation in flight goes on and completes; its
   * buffer may be used again when something else tells that it has, such as an answer. If it fails later, the error
   * goes to the communicator's handler, which by default ends the job. The request is inactive at once; a persistent
   * one can no longer be started. Does not block. Of an inactive request, or after finalize, does nothing more.
   *
   * <p>At finalize, sends that were given up still go out, and receives that have found no message are dropped.
   *
   * @throws MpiException why the operation failed, if it has; ERR_REQUEST when it is a collective or partitioned
   *     operation that is in flight
   */
  @Standard({"MPI_Request_free"})
  public final void close() {
    Operation running = kind == Kind.SHARED ? null : operation;
    boolean held = running != null && world.isOpen();
    if (held && !running.isDone()) {
      checkAllowed("freed");
    }
    onClose();
    if (running != null) {
      operation = null;
    }
    if (held) {
      release(running);
    }
  }

  /**
   * Returns a future of the operation's status, for programs that go on from there by callbacks. Needs the progress
   * thread (setting {@code ffmpi.progress=thread}). Does not block.
   *
   * <p>The future is completed by a virtual thread, in which dependents may block and call MPI; with the operation's
   * error, if it fails. A cancelled operation completes it normally, with a status that says so. The request stays as
   * it is: it can be waited for as well, a persistent or generalized one still has to be, and to cancel the future does
   * not cancel the operation.
   *
   * @return a future; a complete one when the operation is
   * @throws MpiException ERR_OTHER when this rank has no progress thread, and after finalize
   */
  public final CompletableFuture<Status> toCompletableFuture() {
    world.checkOpen();
    if (!world.engine().hasProgressThread()) {
      throw raise(new MpiException(
          ErrorClass.ERR_OTHER, "a future needs the progress thread: set " + RunSettings.PROGRESS.name() + "=thread"));
    }
    CompletableFuture<Status> asked = future;
    if (asked == null) {
      asked = Futures.of(this, operation);
      future = operation == null || kind == Kind.SHARED ? null : asked;
    }
    return asked;
  }

  // ---- for this package

  final World world() {
    return world;
  }

  /** Returns the communicator that it came from, or null. */
  final Comm communicator() {
    return comm == null ? null : comm.comm();
  }

  /** Returns what still runs, or null. */
  final Operation operation() {
    return operation;
  }

  final MpiException error() {
    return error;
  }

  /** Puts an error through the handler of the communicator that the request came from. */
  final MpiException raise(MpiException reason) {
    return comm == null ? world.raise(reason) : comm.raise(reason);
  }

  /** Whether the request stays where it is when it has become inactive, to be started again. */
  final boolean isPersistent() {
    return persistent;
  }

  /** Makes this request active again. */
  final void begin(Operation started) {
    operation = started;
  }

  /** Returns why this request cannot be {@code what} while its operation is in flight, or null. */
  MpiException refusal(String what) {
    return kind == Kind.COLLECTIVE
        ? new MpiException(ErrorClass.ERR_REQUEST, "request: a collective operation in flight cannot be " + what)
        : null;
  }

  private void checkAllowed(String what) {
    MpiException refused = refusal(what);
    if (refused != null) {
      throw raise(refused);
    }
  }

  /** Told when the program gives the request up. */
  void onClose() {}

  /** Lets an operation go on that nobody will wait for. */
  void release(Operation running) {
    if (!running.isDone()) {
      running.abandon(this::onOrphanFailed);
    } else if (running.error() != null && isMissed(running.error())) {
      throw raise(running.error());
    }
  }

  /**
   * Puts the error of an operation that nobody waits for through the handler, in a thread of its own: the caller may
   * hold locks of the engine.
   */
  private void onOrphanFailed(MpiException failure) {
    if (world.isOpen() && isMissed(failure)) {
      Thread.ofPlatform().daemon().name("ffmpi-orphan").start(() -> raise(failure));
    }
  }

  /** Whether an error matters that nobody waits for: not when a receive can find no sender any more. */
  private boolean isMissed(MpiException failure) {
    return kind != Kind.RECEIVE || failure.errorClass() != ErrorClass.ERR_PROC_ABORTED;
  }

  /** Takes over the result of the operation, which has ended, and lets go of it. */
  final void end() {
    if (kind == Kind.SHARED) {
      return;
    }
    Operation ended = operation;
    operation = null;
    if (ended == world.engine().completed()) {
      keep(EMPTY);
      error = null;
    } else {
      Status status = new Status(); // which the compiler does without, if all of this is inlined
      error = finish(ended, status);
      keep(status);
      if (future == null) {
        world.engine().release(ended); // otherwise the progress thread still looks at it
      }
    }
    if (future != null) {
      Futures.settleLater(future, status(new Status()), error);
      future = null;
    }
  }

  private void keep(Status status) {
    source = status.source();
    tag = status.tag();
    bytes = status.bytes();
    cancelled = status.isCancelled();
    how = status.error();
  }

  /** Fills in how an operation ended that is over for good; returns its error, or null. */
  MpiException finish(Operation ended, Status into) {
    return look(ended, into);
  }

  /** Fills in how an operation ended, and leaves the request as it is; returns the error, or null. */
  MpiException look(Operation ended, Status into) {
    if (ended == world.engine().completed()) {
      into.setEmpty();
      return null;
    }
    MpiException failure = ended.error();
    ErrorClass how = failure == null ? ErrorClass.SUCCESS : failure.errorClass();
    if (comm == null) {
      into.setEmpty().setError(how); // of no communicator: it receives nothing
    } else {
      ended.envelope(into.envelope());
      into.received(comm.channel, how);
    }
    return failure;
  }

  /** Fills in the status of a request that has just been completed. */
  final Status status(Status into) {
    return into.set(source, tag, bytes, cancelled, how);
  }

  /** Fills in the status of an inactive request. */
  final Status inactive(Status into) {
    return persistent ? into.setEmpty() : status(into);
  }

  private void awaitOperation(Operation running) {
    world.checkCommunication();
    try {
      world.engine().await(running);
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
  }

  private boolean testOperation(Operation running) {
    if (running.isDone()) {
      return true;
    }
    world.checkCommunication();
    try {
      return world.engine().test(running);
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
  }

  private void throwError() {
    if (error != null) {
      throw raise(error);
    }
  }

  private void checkStatus(Status into) {
    if (into == null) {
      throw raise(RequestLists.noStatus());
    }
  }

  /**
   * Describes the request.
   *
   * @return whether it is active, or how it ended
   */
  @Override
  public String toString() {
    if (operation != null) {
      return operation.isDone() ? "Request[complete]" : "Request[in flight]";
    }
    return "Request[" + inactive(new Status()) + "]";
  }
}
