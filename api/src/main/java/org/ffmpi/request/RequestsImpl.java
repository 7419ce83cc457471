// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommState;

/** The scopes of {@link Requests}. One thread at a time may use a scope. */
public final class RequestsImpl implements Requests {
  private final CommState comm;
  private final List<Request> requests = new ArrayList<>();
  private boolean closed;

  /** Opens a scope for operations on a communicator. */
  public RequestsImpl(CommState comm) {
    this.comm = comm;
  }

  /** Returns what stands behind a scope. */
  public static RequestsImpl of(Requests scope) {
    return (RequestsImpl) scope;
  }

  /** Returns the communicator of a scope. */
  public static Comm comm(Requests scope) {
    return of(scope).comm.comm();
  }

  /** Takes a request into this scope, see {@link #add}. */
  public Request keep(Request request) {
    if (request == null) {
      throw comm.raise(MpiException.argument(ErrorClass.ERR_REQUEST, "request", null, "a request"));
    }
    if (RequestImpl.of(request).world().engine() != comm.engine) {
      throw comm.raise(new MpiException(ErrorClass.ERR_REQUEST, "request: belongs to another world than this scope"));
    }
    requests.add(request);
    if (closed) {
      leave();
      throw comm.raise(new MpiException(ErrorClass.ERR_REQUEST, "request: added to a scope that is closed"));
    }
    return request;
  }

  /** Blocks until all operations are complete, see {@link #await}. */
  public void complete() {
    try {
      RequestLists.waitAll(requests, null);
    } finally {
      requests.removeIf(r -> r == null || !r.isActive());
    }
  }

  /** Completes all operations if all have ended, see {@link #test}. */
  public boolean completeIfDone() {
    try {
      return RequestLists.testAll(requests, null);
    } finally {
      requests.removeIf(r -> r == null || !r.isActive());
    }
  }

  /** Frees the requests that have not been awaited, see {@link #close}. */
  public void leave() {
    closed = true;
    MpiException stuck = AbandonedRequests.abandon(comm.world, requests);
    requests.clear();
    if (stuck != null) {
      throw stuck;
    }
  }
}
