// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Optional;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

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
 * is inactive, keeps its status and its error, and further waits and tests return, or throw, the same at once. Several
 * requests that belong together are better kept in a {@link Requests} scope.
 *
 * <p>Calls over a list take null and inactive requests for {@code MPI_REQUEST_NULL} and pass over them. As in C, the
 * entries of requests that such a call has completed become null; an unmodifiable list is left as it is, in which a
 * send that was over when it started (all of those are one shared request) is found complete again by each call.
 *
 * <p>Errors of the operation appear where it is completed, through the error handler of its communicator. A request may
 * be used by any thread, by one at a time.
 */
@Standard({"MPI_Request"})
public sealed class Request extends RequestCalls permits Persistent {
  private final World world;
  private final PointToPoint comm;
  private final Kind kind;
  /** What still runs; null once complete, so that the buffer is not kept from being collected. */
  private Operation operation;
  private int source = Constants.ANY_SOURCE;
  private int tag = Constants.ANY_TAG;
  private long bytes;
  private boolean cancelled;
  private MpiException error;

  /** What may be done with a request beside waiting for it. */
  enum Kind {
    /** A send, or what sends as well as receives. */
    SEND,
    /** A receive. */
    RECEIVE,
    /** A collective operation, which can be neither cancelled nor freed. */
    COLLECTIVE,
    /** An operation that can be started again: inactive requests stay where they are and keep no result. */
    PERSISTENT,
    /** The one request of all sends that are over; never becomes inactive. */
    SHARED
  }

  /** Creates the request of an operation that has been started. */
  Request(PointToPoint comm, Kind kind, Operation operation) {
    this(comm.world, comm, kind, operation);
  }

  /** Creates a request of a world that may belong to no communicator and may be inactive. */
  Request(World world, PointToPoint comm, Kind kind, Operation operation) {
    this.world = world;
    this.comm = comm;
    this.kind = kind;
    this.operation = operation;
  }

  static Request sent(World world, Operation completed) {
    return new Request(world, null, Kind.SHARED, completed);
  }

  static Request toNobody(PointToPoint comm) {
    return new Request(comm, Kind.SEND, comm.world.engine().completed());
  }

  static Request fromNobody(PointToPoint comm) {
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
    } else if (kind == Kind.PERSISTENT) {
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
    } else if (kind == Kind.PERSISTENT) {
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
    } else if (kind == Kind.PERSISTENT) {
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
    } else if (kind == Kind.PERSISTENT) {
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
   * completed, and {@link Status#isCancelled} tells then whether it was cancelled or had gone its way. A collective
   * operation cannot be cancelled and is left as it is.
   *
   * @throws MpiException ERR_OTHER after finalize
   */
  @Standard({"MPI_Cancel"})
  public final void cancel() {
    Operation running = operation;
    if (running != null && !running.isDone()) {
      world.checkOpen();
      running.cancel();
    }
  }

  // ---- for this package

  final World world() {
    return world;
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
    return kind == Kind.PERSISTENT;
  }

  /** Makes this request active again. */
  final void begin(Operation started) {
    operation = started;
  }

  /** Takes over the result of the operation, which has ended, and lets go of it. */
  final void end() {
    if (kind != Kind.SHARED) {
      Operation ended = operation;
      operation = null;
      take(ended);
    }
  }

  private void take(Operation ended) {
    error = ended.error();
    if (ended == world.engine().completed()) {
      set(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, false);
      return;
    }
    Envelope envelope = new Envelope();
    ended.envelope(envelope);
    set(comm.channel.rankOf(envelope.peer()), envelope.tag(), envelope.bytes(), envelope.cancelled());
  }

  private void set(int rank, int tag, long bytes, boolean cancelled) {
    this.source = rank;
    this.tag = tag;
    this.bytes = bytes;
    this.cancelled = cancelled;
  }

  /** Fills in the status of a request that has just been completed. */
  final Status status(Status into) {
    return into.set(source, tag, bytes, cancelled, error == null ? ErrorClass.SUCCESS : error.errorClass());
  }

  private Status inactive(Status into) {
    return kind == Kind.PERSISTENT ? into.setEmpty() : status(into);
  }

  /** Fills in the status of an operation that has ended, and leaves the request as it is. */
  final Status look(Operation ended, Status into) {
    if (comm == null) {
      return into.setEmpty();
    }
    ended.envelope(into.envelope());
    MpiException failure = ended.error();
    return into.received(comm.channel, failure == null ? ErrorClass.SUCCESS : failure.errorClass());
  }

  private void awaitOperation(Operation running) {
    world.checkOpen();
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
    world.checkOpen();
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
