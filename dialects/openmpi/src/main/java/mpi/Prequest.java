// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Persistent;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** An operation that can be started many times (a persistent {@code MPI_Request}). */
public final class Prequest extends Request {
  Prequest(Persistent request) {
    super(request);
  }

  private Persistent persistent() {
    return (Persistent) Errors.call(() -> Errors.present(ErrorClass.ERR_REQUEST, "request", request()));
  }

  /** Starts the operation ({@code MPI_Start}). */
  public void start() throws MPIException {
    Persistent known = persistent();
    try {
      known.start();
    } catch (MpiException e) { // the communicator's handler has seen it
      throw new MPIException(e);
    }
  }

  /**
   * Starts several operations ({@code MPI_Startall}).
   *
   * @param requests their requests
   */
  public static void startAll(Prequest[] requests) throws MPIException {
    List<Persistent> all = new ArrayList<>();
    Errors.run(() -> {
      if (requests == null) {
        throw MpiException.argument(ErrorClass.ERR_REQUEST, "requests", null, "an array of requests");
      }
      for (Prequest request : requests) {
        all.add((Persistent) Errors.present(
            ErrorClass.ERR_REQUEST, "request", request == null ? null : request.request()));
      }
    });
    try {
      Persistent.startAll(all);
    } catch (MpiException e) { // the communicator's handler has seen it
      throw new MPIException(e);
    }
  }
}
