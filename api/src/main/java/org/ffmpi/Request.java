// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestLists;

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
 * <p>A request is <em>active</em> until a wait or a successful test has completed it, with or without an error, or
 * until it has been {@linkplain #close closed}. From then on it is inactive, which is the same as {@code
 * MPI_REQUEST_NULL}: waits, tests and looks return at once with an empty status and without an error, calls over lists
 * pass over it, and there is nothing to cancel. Its status and its error are returned once, by the call that completes
 * it. Only {@linkplain Persistent persistent} requests become active again. Several requests that belong together are
 * better kept in a {@link Requests} scope.
 *
 * <p>Calls over a list pass over null entries as well. The entries of requests that such a call has completed become
 * null, with or without an error, except those of persistent ones. An unmodifiable list, such as that of
 * {@link List#of}, is left as it is: its entries are inactive then, and each is found complete once.
 *
 * <p>Errors of the operation appear where it is completed, through the error handler of its communicator. A request may
 * be used by any thread, by one at a time. A reference to a completed request is of no use and better dropped: the
 * object of a short send that was over when it started may, some 64 sends of its thread later, be that of another one.
 */
@Standard({"MPI_Request"})
public sealed interface Request permits RequestImpl, Persistent, Grequest, CommRequest, ValueRequest {
  /**
   * What {@link #waitSome}, {@link #testSome} and {@link #getStatusSome} return when no request of the list is active
   * ({@code MPI_UNDEFINED} as outcount): an array of length 0, to be compared by {@code ==}. Where requests are active
   * and none is complete, they return another array of length 0.
   */
  int[] NONE_ACTIVE = {};

  // ---- one request

  /**
   * Blocks until the operation is complete ({@code MPI_Wait} without a status, MPI-4.1 §3.7.3). An interrupt of the
   * thread does not end the wait; the interrupt status is kept.
   *
   * @throws MpiException why the operation failed; ERR_OTHER after finalize
   */
  @Standard({"MPI_Wait"})
  void await();

  /**
   * Blocks until the operation is complete and returns how it ended ({@code MPI_Wait}, MPI-4.1 §3.7.3).
   *
   * @param into filled with source, tag and length of a received message, also when the operation failed
   * @return {@code into}
   * @throws MpiException why the operation failed; ERR_ARG when {@code into} is null, ERR_OTHER after finalize
   */
  @Standard({"MPI_Wait"})
  Status await(Status into);

  /**
   * Makes some progress and returns whether the operation is complete ({@code MPI_Test} without a status, MPI-4.1
   * §3.7.3); if so, the request has become inactive. Does not block.
   *
   * @return true when complete
   * @throws MpiException why the operation failed; ERR_OTHER after finalize
   */
  @Standard({"MPI_Test"})
  boolean test();

  /**
   * Makes some progress and returns whether and how the operation ended ({@code MPI_Test}, MPI-4.1 §3.7.3). Does not
   * block.
   *
   * @param into filled when the call returns true or the operation failed
   * @return true when complete
   * @throws MpiException why the operation failed; ERR_ARG when {@code into} is null, ERR_OTHER after finalize
   */
  @Standard({"MPI_Test"})
  boolean test(Status into);

  /**
   * Makes some progress and returns how the operation ended, without completing the request
   * ({@code MPI_Request_get_status}, MPI-4.1 §3.7.6). Does not block and does not throw the operation's error, which
   * stays to be thrown by a wait or test.
   *
   * @return a new status, with the error if there was one; that of an inactive request has nothing in it; empty while
   *     the operation is in flight
   * @throws MpiException ERR_OTHER after finalize
   */
  @Standard({"MPI_Request_get_status"})
  Optional<Status> getStatus();

  /**
   * Makes some progress and returns how the operation ended, without completing the request
   * ({@code MPI_Request_get_status}, MPI-4.1 §3.7.6). Does not block and does not throw the operation's error, which
   * stays to be thrown by a wait or test.
   *
   * @param into filled when true is returned; its {@linkplain Status#error error} stays as it is (MPI-4.1 §3.2.5),
   *     unless the request is inactive
   * @return false while the operation is in flight
   * @throws MpiException ERR_ARG when {@code into} is null, ERR_OTHER after finalize
   */
  @Standard({"MPI_Request_get_status"})
  boolean getStatus(Status into);

  /**
   * Returns whether the operation has been started and no wait or successful test has completed it, nor {@link #close}
   * given it up. Local; makes no progress.
   *
   * @return false for an inactive request
   */
  boolean isActive();

  /**
   * Asks to cancel the operation ({@code MPI_Cancel}, MPI-4.1 §3.8.4). Local and at once; the request still has to be
   * completed, and {@link Status#isCancelled} then returns whether it was cancelled or completed normally. An operation
   * that is complete stays as it is; a receive whose senders are all gone is cancelled even so.
   *
   * @throws MpiException ERR_REQUEST when the request is not active, or is that of a collective, partitioned or
   *     one-sided operation, complete or not; ERR_OTHER after finalize
   */
  @Standard({"MPI_Cancel"})
  void cancel();

  /**
   * Frees the request ({@code MPI_Request_free}, MPI-4.1 §3.7.3). An operation in flight continues and completes; its
   * buffer may be used again when another event shows its completion, such as an answer. If it fails later, the error
   * goes to the communicator's handler, which by default ends the job. The request is inactive at once; a persistent
   * one can no longer be started. Does not block. Of an inactive request, or after finalize, does nothing more.
   *
   * <p>At finalize, sends that were given up still go out, and receives that have found no message are dropped.
   *
   * @throws MpiException why the operation failed, if it has; ERR_REQUEST when the request is active and that of a
   *     collective, partitioned or one-sided operation, complete or not
   */
  @Standard({"MPI_Request_free"})
  void close();

  /**
   * Returns a future of the operation's status, for programs that continue by callbacks. Needs the progress thread
   * (setting {@code ffmpi.progress=thread}). Does not block.
   *
   * <p>The future is completed by a virtual thread, in which dependents may block and call MPI; with the operation's
   * error, if it fails. A cancelled operation completes it normally, with a status that says so. The request stays as
   * it is: it can be waited for as well, a persistent or generalized one still has to be, and to cancel the future does
   * not cancel the operation.
   *
   * @return a future; a complete one when the operation is
   * @throws MpiException ERR_OTHER when this rank has no progress thread, and after finalize
   */
  CompletableFuture<Status> toCompletableFuture();

  // ---- lists of requests

  /**
   * Blocks until all operations are complete ({@code MPI_Waitall} without statuses, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @throws RequestException ERR_IN_STATUS when operations failed, after all have completed
   * @throws MpiException ERR_REQUEST when the list is null or its requests belong to different worlds
   */
  @Standard({"MPI_Waitall", "MPI_STATUSES_IGNORE"})
  static void waitAll(List<? extends Request> requests) {
    RequestLists.waitAll(requests, null);
  }

  /**
   * Blocks until all operations are complete and returns how each ended ({@code MPI_Waitall}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests get an empty status
   * @param into at least as long as the list; entry by entry filled, and created where it is null; what is beyond the
   *     list is not touched
   * @throws MpiException as {@link #waitAll(List)}; ERR_ARG when {@code into} is null or shorter than the list
   */
  @Standard({"MPI_Waitall"})
  static void waitAll(List<? extends Request> requests, Status[] into) {
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
  static boolean testAll(List<? extends Request> requests) {
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
  static boolean testAll(List<? extends Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    return RequestLists.testAll(requests, into);
  }

  /**
   * Blocks until one of the operations is complete and completes its request ({@code MPI_Waitany}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return index of the completed request, whose entry has become null; {@code UNDEFINED} when none was active
   * @throws RequestException why that operation failed, with its index
   * @throws MpiException ERR_REQUEST when the list is null or its requests belong to different worlds
   */
  @Standard({"MPI_Waitany"})
  static int waitAny(List<? extends Request> requests) {
    return RequestLists.waitAny(requests, null);
  }

  /**
   * Blocks until one of the operations is complete, completes its request and returns how it ended
   * ({@code MPI_Waitany}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled for the completed request; empty when none was active
   * @return index of the completed request, whose entry has become null; {@code UNDEFINED} when none was active
   * @throws MpiException as {@link #waitAny(List)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Waitany"})
  static int waitAny(List<? extends Request> requests, Status into) {
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
  static OptionalInt testAny(List<? extends Request> requests) {
    return RequestLists.testAny(requests, null);
  }

  /**
   * Makes some progress, completes one request if an operation has ended and returns how it ended
   * ({@code MPI_Testany}, MPI-4.1 §3.7.5). Does not block.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled for the completed request; empty when none was active
   * @return as {@link #testAny(List)}
   * @throws MpiException as {@link #waitAny(List, Status)}
   */
  @Standard({"MPI_Testany"})
  static OptionalInt testAny(List<? extends Request> requests, Status into) {
    RequestLists.checkStatus(into);
    return RequestLists.testAny(requests, into);
  }

  /**
   * Blocks until at least one of the operations is complete and completes all that are ({@code MPI_Waitsome}, MPI-4.1
   * §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return indices of the completed requests, in ascending order; their entries have become null;
   *     {@link #NONE_ACTIVE} when none was active
   * @throws RequestException ERR_IN_STATUS when some of those that were completed had failed, with the indices
   * @throws MpiException ERR_REQUEST when the list is null or its requests belong to different worlds
   */
  @Standard({"MPI_Waitsome"})
  static int[] waitSome(List<? extends Request> requests) {
    return RequestLists.waitSome(requests, null);
  }

  /**
   * Blocks until at least one of the operations is complete, completes all that are and returns how they ended
   * ({@code MPI_Waitsome}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into at least as long as the list; entry i is filled, or created, for the i-th index that is returned
   * @return as {@link #waitSome(List)}
   * @throws RequestException as {@link #waitSome(List)}
   * @throws MpiException as {@link #waitSome(List)}; ERR_ARG when {@code into} is null or shorter than the list
   */
  @Standard({"MPI_Waitsome"})
  static int[] waitSome(List<? extends Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    return RequestLists.waitSome(requests, into);
  }

  /**
   * Makes some progress and completes all requests whose operations have ended ({@code MPI_Testsome}, MPI-4.1 §3.7.5).
   * Does not block.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return indices of the completed requests, in ascending order; their entries have become null; of length 0 when
   *     none is complete; {@link #NONE_ACTIVE} when none was active
   * @throws RequestException as {@link #waitSome(List)}
   * @throws MpiException as {@link #waitSome(List)}
   */
  @Standard({"MPI_Testsome"})
  static int[] testSome(List<? extends Request> requests) {
    return RequestLists.testSome(requests, null);
  }

  /**
   * Makes some progress, completes all requests whose operations have ended and returns how they ended
   * ({@code MPI_Testsome}, MPI-4.1 §3.7.5). Does not block.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into at least as long as the list; entry i is filled, or created, for the i-th index that is returned
   * @return as {@link #testSome(List)}
   * @throws RequestException as {@link #waitSome(List)}
   * @throws MpiException as {@link #waitSome(List, Status[])}
   */
  @Standard({"MPI_Testsome"})
  static int[] testSome(List<? extends Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    return RequestLists.testSome(requests, into);
  }

  // ---- without completing anything

  /**
   * Makes some progress and returns whether all operations have ended, without completing the requests
   * ({@code MPI_Request_get_status_all} without statuses, MPI-4.1 §3.7.6). Does not block, and throws no operation's
   * error.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return true when all were complete
   * @throws MpiException ERR_REQUEST when the list is null or its requests belong to different worlds, ERR_OTHER after
   *     finalize
   */
  @Standard({"MPI_Request_get_status_all"})
  static boolean getStatusAll(List<? extends Request> requests) {
    return RequestLists.getStatusAll(requests, null);
  }

  /**
   * Makes some progress and returns whether and how all operations have ended, without completing the requests
   * ({@code MPI_Request_get_status_all}, MPI-4.1 §3.7.6). Does not block, and throws no operation's error.
   *
   * @param requests requests of one world; null entries and inactive requests get an empty status
   * @param into at least as long as the list, filled when true is returned as by {@link #waitAll(List, Status[])}, each
   *     with its operation's error
   * @return true when all were complete
   * @throws MpiException as {@link #getStatusAll(List)}; ERR_ARG when {@code into} is null or shorter than the list
   */
  @Standard({"MPI_Request_get_status_all"})
  static boolean getStatusAll(List<? extends Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    return RequestLists.getStatusAll(requests, into);
  }

  /**
   * Makes some progress and finds a request whose operation has ended, without completing it
   * ({@code MPI_Request_get_status_any} without a status, MPI-4.1 §3.7.6). Does not block, and throws no operation's
   * error.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return its index; {@code UNDEFINED} when none was active; empty when none is complete
   * @throws MpiException as {@link #getStatusAll(List)}
   */
  @Standard({"MPI_Request_get_status_any"})
  static OptionalInt getStatusAny(List<? extends Request> requests) {
    return RequestLists.getStatusAny(requests, null);
  }

  /**
   * Makes some progress, finds a request whose operation has ended and returns how, without completing it
   * ({@code MPI_Request_get_status_any}, MPI-4.1 §3.7.6). Does not block, and throws no operation's error.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled for the request that was found, but for its error, which stays as it is (MPI-4.1 §3.2.5);
   *     empty when none was active
   * @return as {@link #getStatusAny(List)}
   * @throws MpiException as {@link #getStatusAll(List)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Request_get_status_any"})
  static OptionalInt getStatusAny(List<? extends Request> requests, Status into) {
    RequestLists.checkStatus(into);
    return RequestLists.getStatusAny(requests, into);
  }

  /**
   * Makes some progress and finds all requests whose operations have ended, without completing them
   * ({@code MPI_Request_get_status_some} without statuses, MPI-4.1 §3.7.6). Does not block, and throws no operation's
   * error.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return their indices, in ascending order; of length 0 when none has ended; {@link #NONE_ACTIVE} when none was
   *     active
   * @throws MpiException as {@link #getStatusAll(List)}
   */
  @Standard({"MPI_Request_get_status_some"})
  static int[] getStatusSome(List<? extends Request> requests) {
    return RequestLists.getStatusSome(requests, null);
  }

  /**
   * Makes some progress, finds all requests whose operations have ended and returns how, without completing them
   * ({@code MPI_Request_get_status_some}, MPI-4.1 §3.7.6). Does not block, and throws no operation's error.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into at least as long as the list; entry i is filled, or created, for the i-th index that is returned
   * @return as {@link #getStatusSome(List)}
   * @throws MpiException as {@link #getStatusAll(List, Status[])}
   */
  @Standard({"MPI_Request_get_status_some"})
  static int[] getStatusSome(List<? extends Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    return RequestLists.getStatusSome(requests, into);
  }
}
