// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.List;
import java.util.OptionalInt;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/** The calls of {@link Request} over lists of requests; {@link RequestLists} does the work. */
abstract sealed class RequestCalls permits Request {
  RequestCalls() {}

  /**
   * Blocks until all operations are complete ({@code MPI_Waitall} without statuses, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @throws MpiException ERR_IN_STATUS when operations failed, after all have completed: its text names each, and each
   *     error is among the suppressed ones; ERR_REQUEST when the list is null or its requests belong to different
   *     worlds
   */
  @Standard({"MPI_Waitall", "MPI_STATUSES_IGNORE"})
  public static void waitAll(List<? extends Request> requests) {
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
  public static void waitAll(List<? extends Request> requests, Status[] into) {
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
  public static boolean testAll(List<? extends Request> requests) {
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
  public static boolean testAll(List<? extends Request> requests, Status[] into) {
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
  public static int waitAny(List<? extends Request> requests) {
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
  public static int waitAny(List<? extends Request> requests, Status into) {
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
  public static OptionalInt testAny(List<? extends Request> requests) {
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
  public static OptionalInt testAny(List<? extends Request> requests, Status into) {
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
   * @throws MpiException as {@link #waitAll(List)}; which were completed is then seen by their entries
   */
  @Standard({"MPI_Waitsome"})
  public static int[] waitSome(List<? extends Request> requests) {
    return RequestLists.waitSome(requests, null);
  }

  /**
   * Blocks until at least one of the operations is complete, completes all that are and tells how they ended
   * ({@code MPI_Waitsome}, MPI-4.1 §3.7.5).
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into at least as long as the list; entry i is filled, or created, for the i-th index that is returned
   * @return as {@link #waitSome(List)}
   * @throws MpiException as {@link #waitAll(List, Status[])}; which were completed is then seen by their entries
   */
  @Standard({"MPI_Waitsome"})
  public static int[] waitSome(List<? extends Request> requests, Status[] into) {
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
   * @throws MpiException as {@link #waitAll(List)}; which were completed is then seen by their entries
   */
  @Standard({"MPI_Testsome"})
  public static int[] testSome(List<? extends Request> requests) {
    return RequestLists.testSome(requests, null);
  }

  /**
   * Makes some progress, completes all requests whose operations have ended and tells how they ended
   * ({@code MPI_Testsome}, MPI-4.1 §3.7.5). Does not block.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into at least as long as the list; entry i is filled, or created, for the i-th index that is returned
   * @return as {@link #testSome(List)}
   * @throws MpiException as {@link #waitAll(List, Status[])}; which were completed is then seen by their entries
   */
  @Standard({"MPI_Testsome"})
  public static int[] testSome(List<? extends Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    return RequestLists.testSome(requests, into);
  }

  // ---- without completing anything

  /**
   * Makes some progress and tells whether all operations have ended, without completing the requests
   * ({@code MPI_Request_get_status_all} without statuses, MPI-4.1 §3.7.6). Does not block, and throws no operation's
   * error.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return true when all were complete
   * @throws MpiException ERR_REQUEST when the list is null or its requests belong to different worlds, ERR_OTHER after
   *     finalize
   */
  @Standard({"MPI_Request_get_status_all"})
  public static boolean getStatusAll(List<? extends Request> requests) {
    return RequestLists.getStatusAll(requests, null);
  }

  /**
   * Makes some progress and tells whether and how all operations have ended, without completing the requests
   * ({@code MPI_Request_get_status_all}, MPI-4.1 §3.7.6). Does not block, and throws no operation's error.
   *
   * @param requests requests of one world; null entries and inactive requests get an empty status
   * @param into at least as long as the list, filled when true is returned as by {@link #waitAll(List, Status[])}, each
   *     with its operation's error
   * @return true when all were complete
   * @throws MpiException as {@link #getStatusAll(List)}; ERR_ARG when {@code into} is null or shorter than the list
   */
  @Standard({"MPI_Request_get_status_all"})
  public static boolean getStatusAll(List<? extends Request> requests, Status[] into) {
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
  public static OptionalInt getStatusAny(List<? extends Request> requests) {
    return RequestLists.getStatusAny(requests, null);
  }

  /**
   * Makes some progress, finds a request whose operation has ended and tells how, without completing it
   * ({@code MPI_Request_get_status_any}, MPI-4.1 §3.7.6). Does not block, and throws no operation's error.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into filled for the request that was found, with its operation's error; empty when none was active
   * @return as {@link #getStatusAny(List)}
   * @throws MpiException as {@link #getStatusAll(List)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Request_get_status_any"})
  public static OptionalInt getStatusAny(List<? extends Request> requests, Status into) {
    RequestLists.checkStatus(into);
    return RequestLists.getStatusAny(requests, into);
  }

  /**
   * Makes some progress and finds all requests whose operations have ended, without completing them
   * ({@code MPI_Request_get_status_some} without statuses, MPI-4.1 §3.7.6). Does not block, and throws no operation's
   * error.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @return their indices, in ascending order; of length 0 when none has ended, be it that none was active
   * @throws MpiException as {@link #getStatusAll(List)}
   */
  @Standard({"MPI_Request_get_status_some"})
  public static int[] getStatusSome(List<? extends Request> requests) {
    return RequestLists.getStatusSome(requests, null);
  }

  /**
   * Makes some progress, finds all requests whose operations have ended and tells how, without completing them
   * ({@code MPI_Request_get_status_some}, MPI-4.1 §3.7.6). Does not block, and throws no operation's error.
   *
   * @param requests requests of one world; null entries and inactive requests are passed over
   * @param into at least as long as the list; entry i is filled, or created, for the i-th index that is returned
   * @return as {@link #getStatusSome(List)}
   * @throws MpiException as {@link #getStatusAll(List, Status[])}
   */
  @Standard({"MPI_Request_get_status_some"})
  public static int[] getStatusSome(List<? extends Request> requests, Status[] into) {
    RequestLists.checkStatuses(requests, into);
    return RequestLists.getStatusSome(requests, into);
  }
}
