// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.function.Supplier;
import org.ffmpi.Persistent;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** An operation that can be started any number of times with the same arguments ({@code MPI_Send_init} …). */
public class Prequest extends Request {
  /** Starts the operation once and returns ffmpi's request; null after {@link #Free}. */
  private Supplier<? extends org.ffmpi.Request> starter;

  private final Completion completion;

  /** ffmpi's persistent request; null for objects, which have a new one at each start. */
  private final Persistent kept;

  Prequest(Persistent request) {
    this.starter = () -> {
      request.start();
      return request;
    };
    this.completion = PLAIN;
    this.kept = request;
  }

  Prequest(Supplier<? extends org.ffmpi.Request> starter, Completion completion) {
    this.starter = starter;
    this.completion = completion;
    this.kept = null;
  }

  /**
   * Starts the operation ({@code MPI_Start}).
   *
   * @throws MPIException when it is active
   */
  public void Start() throws MPIException {
    if (isActive()) {
      throw Errors.raised(MpiException.argument(
          ErrorClass.ERR_REQUEST, "request", "one that is active", "requests that have been completed"));
    }
    if (starter == null) {
      throw Errors.raised(MpiException.argument(
          ErrorClass.ERR_REQUEST, "request", "one that has been freed", "requests that have not been freed"));
    }
    try {
      activate(starter.get(), completion);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  @Override
  public void Free() throws MPIException {
    starter = null;
    if (isActive()) {
      super.Free();
    } else if (kept != null) {
      kept.close();
    }
  }

  /**
   * Returns whether the request is freed; until then it represents its operation, active or not.
   *
   * @return false, true after {@link #Free}
   * @throws MPIException never
   */
  @Override
  public boolean Is_null() throws MPIException {
    return starter == null;
  }

  /**
   * Starts several operations, in the order of the array ({@code MPI_Startall}).
   *
   * @param array_of_requests requests that are not active; null is passed over
   * @throws MPIException when one is active; those before it have been started
   */
  public static void Startall(Prequest[] array_of_requests) throws MPIException {
    if (array_of_requests == null) {
      throw Errors.raised(
          MpiException.argument(ErrorClass.ERR_REQUEST, "array_of_requests", null, "an array of requests"));
    }
    for (Prequest request : array_of_requests) {
      if (request != null) {
        request.Start();
      }
    }
  }
}
