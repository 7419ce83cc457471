// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
public final class Request {
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

  private enum Kind {
    /** An operation of an engine. */
    STARTED,
    /** A receive from PROC_NULL. */
    FROM_NOBODY,
    /** The one request of all sends that are over; never becomes inactive. */
    SHARED
  }

  /** Creates the request of an operation that an engine has started. */
  Request(PointToPoint comm, Operation operation) {
    this(comm.world, comm, Kind.STARTED, operation);
  }

  private Request(World world, PointToPoint comm, Kind kind, Operation operation) {
    this.world = world;
    this.comm = comm;
    this.kind = kind;
    this.operation = operation;
  }

  static Request sent(World world, Operation completed) {
    return new Request(world, null, Kind.SHARED, completed);
  }

  static Request toNobody(PointToPoint comm) {
    return new Request(comm.world, comm, Kind.STARTED, comm.world.engine().completed());
  }

  static Request fromNobody(PointToPoint comm) {
    return new Request(comm.world, comm, Kind.FROM_NOBODY, comm.world.engine().completed());
  }

  // ---- one request

  /**
   * Blocks until the operation is complete ({@code MPI_Wait} without a status, MPI-4.1 §3.7.3). An interrupt of the
   * thread does not end the wait; the interrupt status is kept.
   *
   * @throws MpiException why the operation failed; ERR_OTHER after finalize
   */
  @Standard({"MPI_Wait"})
  public void await() {
    if (operation != null) {
      awaitOperation();
      complete();
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
  public Status await(Status into) {
    checkStatus(into);
    if (operation != null) {
      awaitOperation();
      complete();
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
  public boolean test() {
    if (operation != null) {
      if (!testOperation()) {
        return false;
      }
      complete();
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
  public boolean test(Status into) {
    checkStatus(into);
    if (operation != null) {
      if (!testOperation()) {
        return false;
      }
      complete();
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
  public Optional<Status> getStatus() {
    Operation running = operation;
    if (running == null) {
      return Optional.of(status(new Status()));
    }
    return testOperation() ? Optional.of(peek(running)) : Optional.empty();
  }

  /**
   * Tells whether no wait or successful test has completed this request yet. Local; makes no progress.
   *
   * @return false for an inactive request
   */
  public boolean isActive() {
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
  public void cancel() {
    Operation running = operation;
    if (running != null && !running.isDone()) {
      world.checkOpen();
      running.cancel();
    }
  }

  // ---- lists of requests

  /**
   * Blocks until all operations are complete ({@code MPI_Waitall} without statuses, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @throws MpiException ERR_IN_STATUS when operations failed, after all have completed: its text names each, and each
   *     error is among the suppressed ones; ERR_REQUEST when the list is null or its requests belong to different
   *     worlds
   */
  @Standard({"MPI_Waitall", "MPI_STATUSES_IGNORE"})
  public static void waitAll(List<Request> requests) {
    RequestLists.waitAll(requests, null);
  }

  /**
   * Blocks until all operations are complete and tells how each ended ({@code MPI_Waitall}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests get an empty status
   * @param into at least as long as the list; entry by entry filled, and created where it is null; what is beyond the
   *     list is not touched
   * @throws MpiException as {@link #waitAll(List)}; ERR_ARG when {@code into} is null or shorter than the list
   */
  @Standard({"MPI_Waitall"})
  public static void waitAll(List<Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    RequestLists.waitAll(requests, into);
  }

  /**
   * Makes some progress and completes all requests if all operations have ended ({@code MPI_Testall} without statuses,
   * MPI-4.1 §3.7.5); otherwise none. Does not block.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return true when all were complete
   * @throws MpiException as {@link #waitAll(List)}
   */
  @Standard({"MPI_Testall"})
  public static boolean testAll(List<Request> requests) {
    return RequestLists.testAll(requests, null);
  }

  /**
   * Makes some progress and completes all requests if all operations have ended ({@code MPI_Testall}, MPI-4.1 §3.7.5);
   * otherwise none. Does not block.
   *
   * @param requests requests of one world; null entries and inactive requests get an empty status
   * @param into at least as long as the list, filled when true is returned as by {@link #waitAll(List, Status[])}
   * @return true when all were complete
   * @throws MpiException as {@link #waitAll(List, Status[])}
   */
  @Standard({"MPI_Testall"})
  public static boolean testAll(List<Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    return RequestLists.testAll(requests, into);
  }

  /**
   * Blocks until one of the operations is complete and completes its request ({@code MPI_Waitany}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return index of the completed request, whose entry has become null; {@code UNDEFINED} when none was active
   * @throws MpiException why that operation failed; ERR_REQUEST when the list is null or its requests belong to
   *     different worlds
   */
  @Standard({"MPI_Waitany"})
  public static int waitAny(List<Request> requests) {
    return RequestLists.waitAny(requests, null);
  }

  /**
   * Blocks until one of the operations is complete, completes its request and tells how it ended ({@code MPI_Waitany},
   * MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled for the completed request; empty when none was active
   * @return index of the completed request, whose entry has become null; {@code UNDEFINED} when none was active
   * @throws MpiException as {@link #waitAny(List)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Waitany"})
  public static int waitAny(List<Request> requests, Status into) {
    RequestLists.checkStatus(into);
    return RequestLists.waitAny(requests, into);
  }

  /**
   * Makes some progress and completes one request if an operation has ended ({@code MPI_Testany}, MPI-4.1 §3.7.5). Does
   * not block.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return index of the completed request, whose entry has become null; {@code UNDEFINED} when none was active; empty
   *     when none is complete
   * @throws MpiException as {@link #waitAny(List)}
   */
  @Standard({"MPI_Testany"})
  public static OptionalInt testAny(List<Request> requests) {
    return RequestLists.testAny(requests, null);
  }

  /**
   * Makes some progress, completes one request if an operation has ended and tells how it ended ({@code MPI_Testany},
   * MPI-4.1 §3.7.5). Does not block.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled for the completed request; empty when none was active
   * @return as {@link #testAny(List)}
   * @throws MpiException as {@link #waitAny(List, Status)}
   */
  @Standard({"MPI_Testany"})
  public static OptionalInt testAny(List<Request> requests, Status into) {
    RequestLists.checkStatus(into);
    return RequestLists.testAny(requests, into);
  }

  /**
   * Blocks until at least one of the operations is complete and completes all that are ({@code MPI_Waitsome}, MPI-4.1
   * §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return indices of the completed requests, in ascending order; their entries have become null; of length 0 when
   *     none was active
   * @throws MpiException as {@link #waitAll(List)}
   */
  @Standard({"MPI_Waitsome"})
  public static int[] waitSome(List<Request> requests) {
    return RequestLists.waitSome(requests, null);
  }

  /**
   * Blocks until at least one of the operations is complete, completes all that are and tells how they ended
   * ({@code MPI_Waitsome}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into at least as long as the list; entry i is filled, or created, for the i-th index that is returned
   * @return as {@link #waitSome(List)}
   * @throws MpiException as {@link #waitAll(List, Status[])}
   */
  @Standard({"MPI_Waitsome"})
  public static int[] waitSome(List<Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    return RequestLists.waitSome(requests, into);
  }

  /**
   * Makes some progress and completes all requests whose operations have ended ({@code MPI_Testsome}, MPI-4.1 §3.7.5).
   * Does not block.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return indices of the completed requests, in ascending order; their entries have become null; of length 0 when
   *     none has completed, be it that none was active
   * @throws MpiException as {@link #waitAll(List)}
   */
  @Standard({"MPI_Testsome"})
  public static int[] testSome(List<Request> requests) {
    return RequestLists.testSome(requests, null);
  }

  /**
   * Makes some progress, completes all requests whose operations have ended and tells how they ended
   * ({@code MPI_Testsome}, MPI-4.1 §3.7.5). Does not block.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into at least as long as the list; entry i is filled, or created, for the i-th index that is returned
   * @return as {@link #testSome(List)}
   * @throws MpiException as {@link #waitAll(List, Status[])}
   */
  @Standard({"MPI_Testsome"})
  public static int[] testSome(List<Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    return RequestLists.testSome(requests, into);
  }

  // ---- for this package

  World world() {
    return world;
  }

  /** Returns what still runs, or null. */
  Operation operation() {
    return operation;
  }

  MpiException error() {
    return error;
  }

  /** Puts an error through the handler of the communicator that the request came from. */
  MpiException raise(MpiException reason) {
    return comm == null ? world.raise(reason) : comm.raise(reason);
  }

  /** Takes over the result of the operation, which has ended, and lets go of it. */
  void complete() {
    if (kind == Kind.SHARED) {
      return;
    }
    Operation ended = operation;
    operation = null;
    error = ended.error();
    if (kind == Kind.FROM_NOBODY) {
      source = Constants.PROC_NULL;
    } else if (ended != world.engine().completed()) {
      Envelope envelope = new Envelope();
      ended.envelope(envelope);
      source = comm.channel.rankOf(envelope.peer());
      tag = envelope.tag();
      bytes = envelope.bytes();
      cancelled = envelope.cancelled();
    }
  }

  /** Fills in the status of a request that has completed. */
  Status status(Status into) {
    return into.set(source, tag, bytes, cancelled, error == null ? ErrorClass.SUCCESS : error.errorClass());
  }

  private Status peek(Operation ended) {
    Status status = new Status();
    if (kind == Kind.FROM_NOBODY) {
      return status.setNobody();
    } else if (kind == Kind.SHARED) {
      return status;
    }
    ended.envelope(status.envelope());
    MpiException failure = ended.error();
    return status.received(comm.channel, failure == null ? ErrorClass.SUCCESS : failure.errorClass());
  }

  private void awaitOperation() {
    if (!operation.isDone()) {
      world.checkOpen();
      try {
        world.engine().await(operation);
      } catch (RuntimeException e) {
        throw raise(Failures.translate(e));
      }
    }
  }

  private boolean testOperation() {
    if (operation.isDone()) {
      return true;
    }
    world.checkOpen();
    try {
      return world.engine().test(operation);
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
    return "Request[" + status(new Status()) + "]";
  }
}
