// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Operation;

/** The class behind {@link Persistent}, which can start its operation again. */
public final class PersistentImpl extends ForwardingRequest implements Persistent {
  private final RequestImpl request;
  private final Supplier<Operation> start;
  private final Runnable onFree;
  private boolean closed;
  /** Seen in the list that is about to be started. */
  private boolean listed;

  /**
   * Creates an inactive request.
   *
   * @param kind what the operation is
   * @param start starts the operation; never waits, and throws errors without having started anything
   */
  public PersistentImpl(CommState comm, RequestKind kind, Supplier<Operation> start) {
    this(comm, kind, start, null);
  }

  /**
   * Creates an inactive request.
   *
   * @param kind what the operation is
   * @param start starts the operation; never waits, and throws errors without having started anything
   * @param onFree releases resources for further starts; may be null
   */
  public PersistentImpl(CommState comm, RequestKind kind, Supplier<Operation> start, Runnable onFree) {
    this.start = start;
    this.onFree = onFree;
    this.request = new RequestImpl(comm.world, comm, kind, null, this);
    request.keep();
  }

  /** Returns the object behind a persistent request. */
  public static PersistentImpl of(Persistent persistent) {
    return persistent instanceof PersistentImpl plain ? plain : ((Partitioned) persistent).persistent();
  }

  @Standard({"MPI_Start"})
  @Override
  public void start() {
    if (closed || isActive() || !request.world().isUsable()) {
      request.world().checkCommunication();
      throw request.raise(new MpiException(ErrorClass.ERR_REQUEST, "request: " + whyNotStartable()));
    }
    try {
      request.begin(start.get());
    } catch (RuntimeException e) {
      throw request.raise(Failures.translate(e));
    }
  }

  /** Starts all operations of a list, see {@link Persistent#startAll}. */
  public static void beginAll(List<? extends Request> requests) {
    if (requests == null) {
      throw RequestLists.noList();
    }
    int checked = 0;
    try {
      for (; checked < requests.size(); checked++) {
        checkStartable(requests, checked);
        of((Persistent) requests.get(checked)).listed = true;
      }
    } finally {
      for (int i = 0; i < checked; i++) {
        of((Persistent) requests.get(i)).listed = false;
      }
    }
    for (int i = 0; i < requests.size(); i++) {
      of((Persistent) requests.get(i)).start();
    }
  }

  private static void checkStartable(List<? extends Request> requests, int index) {
    Request entry = requests.get(index);
    PersistentImpl known = entry instanceof Persistent persistent ? of(persistent) : null;
    if (known != null && !known.closed && !known.isActive() && !known.listed) {
      return;
    }
    String why;
    if (entry == null) {
      why = "is null";
    } else if (known == null) {
      why = "is not persistent";
    } else {
      why = known.listed ? "is in the list twice" : known.whyNotStartable();
    }
    MpiException error =
        new MpiException(ErrorClass.ERR_REQUEST, "requests: request " + index + " " + why + "; nothing was started");
    throw entry == null ? error : RequestImpl.of(entry).raise(error);
  }

  private String whyNotStartable() {
    return closed ? "has been closed" : "is active: it can be started again when a wait or test has completed it";
  }

  // ---- what the request asks

  @Override
  public RequestImpl request() {
    return request;
  }

  @Override
  public boolean isPersistent() {
    return true;
  }

  @Override
  public void onFree() {
    if (!closed) {
      closed = true;
      if (onFree != null) {
        onFree.run();
      }
    }
  }

  @Override
  public String toString() {
    return request.toString();
  }
}
