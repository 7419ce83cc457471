// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.util.Set;
import org.ffmpi.spi.CallObserver;
import org.ffmpi.spi.Channel;

/** Makes events of the calls that synchronize windows. Called by the threads that make these calls; never waits. */
final class FlightWindows implements CallObserver {
  /** The calls on windows that move data and synchronize nothing. */
  private static final Set<String> ACCESSES = Set.of(
      "put", "get", "accumulate", "getAccumulate", "fetchAndOp", "fetchAndAdd", "compareAndSwap", "rput", "rget",
      "raccumulate", "rgetAccumulate");

  private final FlightEngine engine;
  private final ThreadLocal<FlightEvents.WindowEpoch> running = new ThreadLocal<>();

  FlightWindows(FlightEngine engine) {
    this.engine = engine;
  }

  /** Returns the engine whose observer this is, possibly under one that records; null for another observer. */
  static FlightEngine engineOf(CallObserver observer) {
    CallObserver lowest = observer instanceof CallRecorder recorder ? recorder.below() : observer;
    return lowest instanceof FlightWindows windows ? windows.engine : null;
  }

  @Override
  public void opened(Channel channel) {
    engine.contexts().hide(channel);
  }

  @Override
  public long begin(Kind kind, String call, Channel channel, int target, long bytes) {
    if (kind == Kind.WINDOW && !ACCESSES.contains(call) && running.get() == null) {
      FlightEvents.WindowEpoch event = new FlightEvents.WindowEpoch();
      event.begin();
      event.rank = engine.self();
      event.call = call;
      event.target = target;
      running.set(event);
      return 1;
    }
    return 0;
  }

  @Override
  public void end(long begun) {
    if (begun != 0) {
      running.get().commit();
      running.remove();
    }
  }
}
