// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.process.World;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.request.RequestTraits;
import org.ffmpi.spi.Operation;

/** The accesses that return requests: each starts the access without one, and returns a request for it. */
public final class WindowRequests {
  private final WindowState state;
  private final Epochs epochs;
  private final WindowData data;
  private final Accumulations accumulations;
  private final RemoteAccess remote;
  /** Null unless everything is checked. */
  private final WindowChecks checks;
  private final RequestTraits traits = new OfWindow();

  WindowRequests(
      WindowState state, Epochs epochs, WindowData data, Accumulations accumulations, RemoteAccess remote,
      WindowChecks checks) {
    this.state = state;
    this.epochs = epochs;
    this.data = data;
    this.accumulations = accumulations;
    this.remote = remote;
    this.checks = checks;
  }

  public Request rput(Buf<?> origin, int target, long disp) {
    checkLocks(target);
    data.put(origin, target, disp);
    return request(target);
  }

  public Request rput(Buf<?> origin, int target, long disp, long count, Datatype<?> type) {
    checkLocks(target);
    data.put(origin, target, disp, count, type);
    return request(target);
  }

  public Request rget(Buf<?> origin, int target, long disp) {
    checkLocks(target);
    data.get(origin, target, disp);
    return request(target);
  }

  public Request rget(Buf<?> origin, int target, long disp, long count, Datatype<?> type) {
    checkLocks(target);
    data.get(origin, target, disp, count, type);
    return request(target);
  }

  public Request raccumulate(Buf<?> origin, int target, long disp, Op<?> op) {
    checkLocks(target);
    accumulations.accumulate(origin, target, disp, op);
    return request(target);
  }

  public Request raccumulate(Buf<?> origin, int target, long disp, long count, Datatype<?> type, Op<?> op) {
    checkLocks(target);
    accumulations.accumulate(origin, target, disp, count, type, op);
    return request(target);
  }

  public Request rgetAccumulate(Buf<?> origin, Buf<?> result, int target, long disp, Op<?> op) {
    checkLocks(target);
    accumulations.getAccumulate(origin, result, target, disp, op);
    return request(target);
  }

  public Request rgetAccumulate(
      Buf<?> origin, Buf<?> result, int target, long disp, long count, Datatype<?> type, Op<?> op) {
    checkLocks(target);
    accumulations.getAccumulate(origin, result, target, disp, count, type, op);
    return request(target);
  }

  private void checkLocks(int target) {
    state.checkCommunication();
    if (target >= 0 && target < state.size) {
      epochs.checkLocks(target);
    }
  }

  /** Returns a request for the access that this thread has just started. */
  private Request request(int target) {
    Operation pending = target == Constants.PROC_NULL ? null : remote.pending(target);
    if (pending == null && checks != null) {
      pending = checks.takePending();
    }
    AccessOrder.completeReads();
    Operation started = pending == null ? state.engine.completed() : pending;
    return new RequestImpl(
        state.world, null, RequestKind.ONE_SIDED,
        checks == null || target == Constants.PROC_NULL ? started : checks.requested(started), traits);
  }

  /** What all requests of the window share. */
  private final class OfWindow implements RequestTraits {
    @Override
    public RequestImpl request() {
      throw new UnsupportedOperationException("the requests themselves hold their state");
    }

    @Override
    public MpiException raise(World world, MpiException reason) {
      return state.raise(reason);
    }
  }
}
