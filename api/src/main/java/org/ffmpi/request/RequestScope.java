// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.process.CommState;

/**
 * The part of a scope of {@link org.ffmpi.Requests} beside starting operations. One thread at a time may use a scope.
 */
abstract sealed class RequestScope permits ForwardingRequests {
  private final CommState comm;
  private final List<Request> requests = new ArrayList<>();
  private boolean closed;

  /** Opens a scope for operations on a communicator. */
  RequestScope(CommState comm) {
    this.comm = comm;
  }

  /** Returns the communicator of the scope. */
  final Comm comm() {
    return comm.comm();
  }

  /** Adds a request to this scope, see {@link org.ffmpi.Requests#add}. */
  public Request add(Request request) {
    if (request == null) {
      throw comm.raise(MpiException.argument(ErrorClass.ERR_REQUEST, "request", null, "a request"));
    }
    if (RequestImpl.of(request).world().engine() != comm.world.engine()) {
      throw comm.raise(new MpiException(ErrorClass.ERR_REQUEST, "request: belongs to another world than this scope"));
    }
    requests.add(request);
    if (closed) {
      close();
      throw comm.raise(new MpiException(ErrorClass.ERR_REQUEST, "request: added to a scope that is closed"));
    }
    return request;
  }

  /** Blocks until all operations are complete, see {@link org.ffmpi.Requests#await}. */
  @Standard({"MPI_Waitall"})
  public void await() {
    try {
      RequestLists.waitAll(requests, null);
    } finally {
      requests.removeIf(r -> r == null || !r.isActive());
    }
  }

  /** Completes all operations if all have ended, see {@link org.ffmpi.Requests#test}. */
  @Standard({"MPI_Testall"})
  public boolean test() {
    try {
      return RequestLists.testAll(requests, null);
    } finally {
      requests.removeIf(r -> r == null || !r.isActive());
    }
  }

  /** Frees the requests that have not been awaited, see {@link org.ffmpi.Requests#close}. */
  @Standard({"MPI_Waitall", "MPI_Cancel"})
  public void close() {
    closed = true;
    MpiException stuck = AbandonedRequests.abandon(comm.world, requests);
    requests.clear();
    if (stuck != null) {
      throw stuck;
    }
  }
}
