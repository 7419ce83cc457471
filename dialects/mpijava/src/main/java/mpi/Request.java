// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.OptionalInt;
import org.ffmpi.RequestArrays;
import org.ffmpi.RequestException;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** A started operation ({@code MPI_Request}). One thread at a time may use it. */
public class Request {
  /** The end of a completed operation. */
  @FunctionalInterface
  interface Completion {
    /**
     * Returns the status; a receive of objects stores them first.
     *
     * @param request ffmpi's completed request
     * @param status how it ended
     */
    Status complete(org.ffmpi.Request request, org.ffmpi.Status status);
  }

  /** The end of an operation on memory, which has nothing to do. */
  static final Completion PLAIN = (_, status) -> Status.of(status);

  /** ffmpi's request while the operation is active, otherwise null. */
  private org.ffmpi.Request active;

  private Completion completion;

  /** Makes the request that stands for none, or that has not been started yet. */
  Request() {}

  Request(org.ffmpi.Request active) {
    this(active, PLAIN);
  }

  Request(org.ffmpi.Request active, Completion completion) {
    activate(active, completion);
  }

  final void activate(org.ffmpi.Request started, Completion then) {
    active = started;
    completion = then;
  }

  final boolean isActive() {
    return active != null;
  }

  /** Returns the status of ffmpi's completed request. */
  private Status completed(org.ffmpi.Status status, int index) {
    org.ffmpi.Request request = active;
    active = null;
    Status result = completion.complete(request, status);
    result.index = index;
    return result;
  }

  // ---- one request

  /**
   * Blocks until the operation is complete ({@code MPI_Wait}).
   *
   * @return how it ended; that of no message when the request is not active
   * @throws MPIException why the operation failed
   */
  public Status Wait() throws MPIException {
    org.ffmpi.Request request = active;
    if (request == null) {
      return new Status();
    }
    org.ffmpi.Status status = SpareStatus.get();
    try {
      request.await(status);
      return completed(status, 0);
    } catch (MpiException e) {
      active = null;
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns whether the operation is complete ({@code MPI_Test}).
   *
   * @return how it ended; that of no message when the request is not active; null when it is not complete
   * @throws MPIException why the operation failed
   */
  public Status Test() throws MPIException {
    org.ffmpi.Request request = active;
    if (request == null) {
      return new Status();
    }
    org.ffmpi.Status status = SpareStatus.get();
    try {
      return request.test(status) ? completed(status, 0) : null;
    } catch (MpiException e) {
      active = null;
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns whether the request stands for no operation ({@code MPI_REQUEST_NULL}).
   *
   * @return true after completion
   * @throws MPIException never
   */
  public boolean Is_null() throws MPIException {
    return active == null;
  }

  /**
   * Releases the request; the operation continues, but objects of a receive are lost ({@code MPI_Request_free}). A
   * persistent one cannot be started again.
   *
   * @throws MPIException why the operation failed
   */
  public void Free() throws MPIException {
    org.ffmpi.Request request = active;
    active = null;
    if (request != null) {
      try {
        request.close();
      } catch (MpiException e) {
        throw Errors.thrown(e);
      }
    }
  }

  /**
   * Asks to cancel the operation, which has to be completed all the same ({@code MPI_Cancel}).
   *
   * @throws MPIException when the request is not active
   */
  public void Cancel() throws MPIException {
    org.ffmpi.Request request = active;
    if (request == null) {
      throw Errors.raised(
          MpiException.argument(ErrorClass.ERR_REQUEST, "request", "one that is not active", "active requests"));
    }
    try {
      request.cancel();
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Does nothing: a request that the program has forgotten completes by itself.
   *
   * @throws MPIException never
   */
  @Override
  @SuppressWarnings({"removal", "deprecation"}) // programs may call it
  public void finalize() throws MPIException {}

  // ---- several

  private static org.ffmpi.Request[] open(Request[] requests) {
    if (requests == null) {
      throw Errors.raised(
          MpiException.argument(ErrorClass.ERR_REQUEST, "array_of_requests", null, "an array of requests"));
    }
    org.ffmpi.Request[] open = new org.ffmpi.Request[requests.length];
    for (int i = 0; i < open.length; i++) {
      open[i] = requests[i] == null ? null : requests[i].active;
    }
    return open;
  }

  /** Completes those requests that ffmpi has completed, and throws the error of all. */
  private static MPIException failed(Request[] requests, MpiException error) {
    if (error instanceof RequestException some) {
      for (int index : some.completed()) {
        if (requests[index] != null) {
          requests[index].active = null;
        }
      }
    }
    return Errors.thrown(error);
  }

  /** Returns the statuses of all: null for null, that of no message for those that were not active. */
  private static Status[] all(Request[] requests, org.ffmpi.Status[] statuses) {
    Status[] results = new Status[requests.length];
    MPIException failure = null;
    for (int i = 0; i < results.length; i++) {
      try {
        if (requests[i] != null) {
          results[i] = requests[i].active == null ? new Status() : requests[i].completed(statuses[i], i);
        }
      } catch (MPIException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return results;
  }

  /** Returns the statuses of the completed ones. */
  private static Status[] some(Request[] requests, int[] indices, org.ffmpi.Status[] statuses) {
    Status[] results = new Status[indices.length];
    for (int i = 0; i < results.length; i++) {
      results[i] = requests[indices[i]].completed(statuses[i], indices[i]);
    }
    return results;
  }

  /**
   * Blocks until all operations are complete ({@code MPI_Waitall}).
   *
   * @param array_of_requests requests; null and those that are not active are passed over
   * @return how they ended; null for null, and the status of no message for those that were not active
   * @throws MPIException why operations failed
   */
  public static Status[] Waitall(Request[] array_of_requests) throws MPIException {
    org.ffmpi.Request[] open = open(array_of_requests);
    org.ffmpi.Status[] statuses = new org.ffmpi.Status[open.length];
    try {
      RequestArrays.waitAll(open, statuses);
    } catch (MpiException e) {
      throw failed(array_of_requests, e);
    }
    return all(array_of_requests, statuses);
  }

  /**
   * Returns whether all operations are complete ({@code MPI_Testall}).
   *
   * @param array_of_requests requests; null and those that are not active are passed over
   * @return their statuses, as those of {@link #Waitall}; null unless all are complete
   * @throws MPIException why operations failed
   */
  public static Status[] Testall(Request[] array_of_requests) throws MPIException {
    org.ffmpi.Request[] open = open(array_of_requests);
    org.ffmpi.Status[] statuses = new org.ffmpi.Status[open.length];
    try {
      if (!RequestArrays.testAll(open, statuses)) {
        return null;
      }
    } catch (MpiException e) {
      throw failed(array_of_requests, e);
    }
    return all(array_of_requests, statuses);
  }

  /**
   * Blocks until one of the operations is complete ({@code MPI_Waitany}).
   *
   * @param array_of_requests requests; null and those that are not active are passed over
   * @return how it ended, with its index, which is {@code MPI.UNDEFINED} when none was active
   * @throws MPIException why that operation failed
   */
  public static Status Waitany(Request[] array_of_requests) throws MPIException {
    org.ffmpi.Request[] open = open(array_of_requests);
    org.ffmpi.Status status = new org.ffmpi.Status();
    int index;
    try {
      index = RequestArrays.waitAny(open, status);
    } catch (MpiException e) {
      throw failed(array_of_requests, e);
    }
    if (index != Constants.UNDEFINED) {
      return array_of_requests[index].completed(status, index);
    }
    Status none = new Status();
    none.index = MPI.UNDEFINED;
    return none;
  }

  /**
   * Returns whether one of the operations is complete ({@code MPI_Testany}).
   *
   * @param array_of_requests requests; null and those that are not active are passed over
   * @return how it ended, with its index; null when none is complete, or active
   * @throws MPIException why that operation failed
   */
  public static Status Testany(Request[] array_of_requests) throws MPIException {
    org.ffmpi.Request[] open = open(array_of_requests);
    org.ffmpi.Status status = new org.ffmpi.Status();
    OptionalInt index;
    try {
      index = RequestArrays.testAny(open, status);
    } catch (MpiException e) {
      throw failed(array_of_requests, e);
    }
    if (index.isEmpty() || index.getAsInt() == Constants.UNDEFINED) {
      return null;
    }
    return array_of_requests[index.getAsInt()].completed(status, index.getAsInt());
  }

  /**
   * Blocks until at least one of the operations is complete ({@code MPI_Waitsome}).
   *
   * @param array_of_requests requests; null and those that are not active are passed over
   * @return how those ended that are complete, with their indices; null when none was active
   * @throws MPIException why some of them failed
   */
  public static Status[] Waitsome(Request[] array_of_requests) throws MPIException {
    org.ffmpi.Request[] open = open(array_of_requests);
    org.ffmpi.Status[] statuses = new org.ffmpi.Status[open.length];
    int[] indices;
    try {
      indices = RequestArrays.waitSome(open, statuses);
    } catch (MpiException e) {
      throw failed(array_of_requests, e);
    }
    return indices == org.ffmpi.Request.NONE_ACTIVE ? null : some(array_of_requests, indices, statuses);
  }

  /**
   * Completes those of the operations that are complete ({@code MPI_Testsome}).
   *
   * @param array_of_requests requests; null and those that are not active are passed over
   * @return how they ended, with their indices; an array without entries when none is complete, or active
   * @throws MPIException why some of them failed
   */
  public static Status[] Testsome(Request[] array_of_requests) throws MPIException {
    org.ffmpi.Request[] open = open(array_of_requests);
    org.ffmpi.Status[] statuses = new org.ffmpi.Status[open.length];
    int[] indices;
    try {
      indices = RequestArrays.testSome(open, statuses);
    } catch (MpiException e) {
      throw failed(array_of_requests, e);
    }
    return some(array_of_requests, indices, statuses);
  }
}
