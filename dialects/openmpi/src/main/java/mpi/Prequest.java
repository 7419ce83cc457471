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
    return (Persistent) Errors.present(ErrorClass.ERR_REQUEST, "request", request());
  }

  /** Starts the operation ({@code MPI_Start}). */
  public void start() throws MPIException {
    Errors.run(() -> persistent().start());
  }

  /**
   * Starts several operations ({@code MPI_Startall}).
   *
   * @param requests their requests
   */
  public static void startAll(Prequest[] requests) throws MPIException {
    Errors.run(() -> {
      if (requests == null) {
        throw MpiException.argument(ErrorClass.ERR_REQUEST, "requests", null, "an array of requests");
      }
      List<Persistent> all = new ArrayList<>(requests.length);
      for (Prequest request : requests) {
        all.add(Errors.present(ErrorClass.ERR_REQUEST, "request", request).persistent());
      }
      Persistent.startAll(all);
    });
  }
}
