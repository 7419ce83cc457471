// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.OptionalInt;
import org.ffmpi.RequestArrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;

/** An operation in progress ({@code MPI_Request}). */
public class Request implements Freeable {
  private static final Arguments.RequestHolder<Request> HOLDER = new Arguments.RequestHolder<>() {
    @Override
    public org.ffmpi.Request open(Request holder) {
      return holder.request;
    }

    @Override
    public void close(Request holder, org.ffmpi.Request left) {
      holder.request = left;
    }
  };

  private org.ffmpi.Request request;

  /** Creates the request of a call that has begun; null is {@code MPI_REQUEST_NULL}. */
  Request(org.ffmpi.Request request) {
    this.request = request;
  }

  /** Returns ffmpi's request; null after its completion, unless it is persistent. */
  final org.ffmpi.Request request() {
    return request;
  }

  private org.ffmpi.Request open() {
    return Errors.call(() -> Errors.present(ErrorClass.ERR_REQUEST, "request", request));
  }

  /** Becomes {@code MPI_REQUEST_NULL} after completion, unless persistent. */
  private void end() {
    if (!(this instanceof Prequest)) {
      request = null;
    }
  }

  /** Returns the exception for an error that a handler has seen. */
  private static MPIException error(MpiException raised) {
    return new MPIException(raised);
  }

  /** Releases the request ({@code MPI_Request_free}); its operation continues. A null request stays one. */
  @Override
  public void free() throws MPIException {
    try {
      if (request != null) {
        request.close();
        request = null;
      }
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /** Requests cancellation of the operation ({@code MPI_Cancel}). */
  public final void cancel() throws MPIException {
    org.ffmpi.Request open = open();
    try {
      open.cancel();
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Returns whether this is {@code MPI_REQUEST_NULL}.
   *
   * @return true after completion or release
   */
  public final boolean isNull() {
    return request == null;
  }

  // ---- one request

  /**
   * Waits for the operation ({@code MPI_Wait}).
   *
   * @return its status
   */
  public final Status waitStatus() throws MPIException {
    org.ffmpi.Status into = new org.ffmpi.Status();
    try {
      if (request != null) {
        request.await(into);
      }
    } catch (MpiException e) {
      throw error(e);
    } finally {
      end();
    }
    return new Status(into);
  }

  /** Waits for the operation ({@code MPI_Wait}). */
  public final void waitFor() throws MPIException {
    try {
      if (request != null) {
        request.await();
      }
    } catch (MpiException e) {
      throw error(e);
    } finally {
      end();
    }
  }

  /**
   * Completes the operation if it is done ({@code MPI_Test}).
   *
   * @return its status, or null while it is not done
   */
  public final Status testStatus() throws MPIException {
    org.ffmpi.Status into = new org.ffmpi.Status();
    return testInto(into) ? new Status(into) : null;
  }

  /**
   * Completes the operation if it is done ({@code MPI_Test}).
   *
   * @return whether it is done
   */
  public final boolean test() throws MPIException {
    return testInto(null);
  }

  private boolean testInto(org.ffmpi.Status into) {
    if (request == null) {
      return true;
    }
    boolean done = true;
    try {
      done = into == null ? request.test() : request.test(into);
    } catch (MpiException e) {
      throw error(e);
    } finally {
      if (done) {
        end();
      }
    }
    return done;
  }

  /**
   * Returns the status of an operation that is done, without completing it ({@code MPI_Request_get_status}).
   *
   * @return its status, or null while it is not done
   */
  public final Status getStatus() throws MPIException {
    try {
      return request == null
          ? new Status(new org.ffmpi.Status())
          : request.getStatus().map(Status::new).orElse(null);
    } catch (MpiException e) {
      throw error(e);
    }
  }

  // ---- arrays of requests

  /** A call on requests in an array. */
  private interface ArrayCall<T> {
    T on(org.ffmpi.Request[] requests);
  }

  private static <T> T with(Request[] requests, ArrayCall<T> call) {
    org.ffmpi.Request[] open;
    try {
      open = Arguments.open(requests, HOLDER);
    } catch (MpiException e) {
      throw Errors.raise(e);
    }
    try {
      return call.on(open);
    } catch (MpiException e) {
      throw error(e);
    } finally {
      Arguments.close(requests, open, HOLDER);
    }
  }

  /**
   * Waits for one of several operations ({@code MPI_Waitany}).
   *
   * @param requests the requests
   * @return status of the completed one, its index included
   */
  public static Status waitAnyStatus(Request[] requests) throws MPIException {
    return with(requests, open -> {
      org.ffmpi.Status into = new org.ffmpi.Status();
      int index = RequestArrays.waitAny(open, into);
      return new Status(into, index);
    });
  }

  /**
   * Waits for one of several operations ({@code MPI_Waitany}).
   *
   * @param requests the requests
   * @return the index of the one that is complete, {@code MPI.UNDEFINED} when none is active
   */
  public static int waitAny(Request[] requests) throws MPIException {
    return with(requests, RequestArrays::waitAny);
  }

  /**
   * Completes one of several operations if one is done ({@code MPI_Testany}).
   *
   * @param requests the requests
   * @return status of the completed one, its index included; null when none is done
   */
  public static Status testAnyStatus(Request[] requests) throws MPIException {
    return with(requests, open -> {
      org.ffmpi.Status into = new org.ffmpi.Status();
      OptionalInt index = RequestArrays.testAny(open, into);
      return index.isPresent() ? new Status(into, index.getAsInt()) : null;
    });
  }

  /**
   * Completes one of several operations if one is done ({@code MPI_Testany}).
   *
   * @param requests the requests
   * @return the index of the one that is complete, {@code MPI.UNDEFINED} when none is done or active
   */
  public static int testAny(Request[] requests) throws MPIException {
    return with(requests, open -> RequestArrays.testAny(open).orElse(MPI.UNDEFINED));
  }

  /**
   * Waits for all of several operations ({@code MPI_Waitall}).
   *
   * @param requests the requests
   * @return their statuses
   */
  public static Status[] waitAllStatus(Request[] requests) throws MPIException {
    return with(requests, open -> {
      org.ffmpi.Status[] into = new org.ffmpi.Status[open.length];
      RequestArrays.waitAll(open, into);
      return all(into);
    });
  }

  /**
   * Waits for all of several operations ({@code MPI_Waitall}).
   *
   * @param requests the requests
   */
  public static void waitAll(Request[] requests) throws MPIException {
    with(requests, open -> {
      RequestArrays.waitAll(open);
      return null;
    });
  }

  /**
   * Completes all of several operations if all are done ({@code MPI_Testall}).
   *
   * @param requests the requests
   * @return their statuses; null when not all are done
   */
  public static Status[] testAllStatus(Request[] requests) throws MPIException {
    return with(requests, open -> {
      org.ffmpi.Status[] into = new org.ffmpi.Status[open.length];
      return RequestArrays.testAll(open, into) ? all(into) : null;
    });
  }

  /**
   * Completes all of several operations if all are done ({@code MPI_Testall}).
   *
   * @param requests the requests
   * @return whether all are done
   */
  public static boolean testAll(Request[] requests) throws MPIException {
    return with(requests, RequestArrays::testAll);
  }

  /**
   * Waits for at least one of several operations ({@code MPI_Waitsome}).
   *
   * @param requests the requests
   * @return statuses of the completed ones, indices included; null when none is active
   */
  public static Status[] waitSomeStatus(Request[] requests) throws MPIException {
    return with(requests, open -> {
      org.ffmpi.Status[] into = new org.ffmpi.Status[open.length];
      return some(RequestArrays.waitSome(open, into), into);
    });
  }

  /**
   * Waits for at least one of several operations ({@code MPI_Waitsome}).
   *
   * @param requests the requests
   * @return indices of those that are complete; null when none is active
   */
  public static int[] waitSome(Request[] requests) throws MPIException {
    return with(requests, open -> indices(RequestArrays.waitSome(open)));
  }

  /**
   * Completes those of several operations that are done ({@code MPI_Testsome}).
   *
   * @param requests the requests
   * @return their statuses, indices included; null when none is active
   */
  public static Status[] testSomeStatus(Request[] requests) throws MPIException {
    return with(requests, open -> {
      org.ffmpi.Status[] into = new org.ffmpi.Status[open.length];
      return some(RequestArrays.testSome(open, into), into);
    });
  }

  /**
   * Completes those of several operations that are done ({@code MPI_Testsome}).
   *
   * @param requests the requests
   * @return their indices; null when none is active
   */
  public static int[] testSome(Request[] requests) throws MPIException {
    return with(requests, open -> indices(RequestArrays.testSome(open)));
  }

  private static int[] indices(int[] complete) {
    return complete == org.ffmpi.Request.NONE_ACTIVE ? null : complete;
  }

  private static Status[] some(int[] complete, org.ffmpi.Status[] into) {
    if (complete == org.ffmpi.Request.NONE_ACTIVE) {
      return null;
    }
    Status[] statuses = new Status[complete.length];
    for (int i = 0; i < statuses.length; i++) {
      statuses[i] = new Status(into[i], complete[i]);
    }
    return statuses;
  }

  private static Status[] all(org.ffmpi.Status[] into) {
    Status[] statuses = new Status[into.length];
    for (int i = 0; i < statuses.length; i++) {
      statuses[i] = new Status(into[i], i);
    }
    return statuses;
  }
}
