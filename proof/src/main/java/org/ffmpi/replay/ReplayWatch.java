// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.spi.Engine;

/**
 * Looks from time to time whether recorded outcomes can still come. They always do where the program is the recorded
 * one. If all ranks wait, and have for some seconds, the program is another one, and the watch ends the job with the
 * call that cannot have its outcome. With threads of the program beside the ranks' own, which may compute, or with a
 * debugger, that is not certain; then the watch reports the call and lets the job wait. A daemon thread of its own.
 */
final class ReplayWatch implements Runnable {
  private static final long LOOK_NANOS = 250_000_000;
  private static final long END_NANOS = 3_000_000_000L;
  private static final long REPORT_NANOS = 15_000_000_000L;

  private final Engine engine;
  private final ReplayPlace place;
  private final boolean hasThreads;
  /** The outcomes that are awaited; guarded by itself. */
  private final Set<AwaitedOutcome> awaited = Collections.newSetFromMap(new IdentityHashMap<>());
  private volatile boolean over;

  /**
   * Creates the watch of a rank.
   *
   * @param hasThreads whether the recording has choices of further threads
   */
  ReplayWatch(Engine engine, ReplayPlace place, boolean hasThreads) {
    this.engine = engine;
    this.place = place;
    this.hasThreads = hasThreads;
  }

  /** Starts the thread that looks. */
  ReplayWatch start() {
    Thread.ofPlatform().daemon().name("ffmpi-replay-" + engine.self()).start(this);
    return this;
  }

  /** Adds an outcome that has to come; returns it. */
  AwaitedOutcome begin(AwaitedOutcome outcome) {
    synchronized (awaited) {
      awaited.add(outcome);
    }
    return outcome;
  }

  /** Removes an outcome that has come, or cannot. */
  void end(AwaitedOutcome outcome) {
    synchronized (awaited) {
      awaited.remove(outcome);
    }
  }

  /** Ends the thread soon. */
  void close() {
    over = true;
  }

  private Optional<AwaitedOutcome> first() {
    synchronized (awaited) {
      return awaited.stream()
          .min(Comparator.comparing(AwaitedOutcome::isPosted).thenComparingLong(AwaitedOutcome::event));
    }
  }

  @Override
  public void run() {
    AwaitedOutcome last = null;
    long since = 0;
    long stillSince = 0;
    boolean reported = false;
    while (!over && engine.endReason().isEmpty()) {
      LockSupport.parkNanos(LOOK_NANOS);
      AwaitedOutcome first = first().orElse(null);
      long now = System.nanoTime();
      if (first == null || first != last) {
        last = first;
        since = now;
        stillSince = now;
        continue;
      }
      if (!engine.doAllOthersWait() || first.isPosted() && !engine.waits()) {
        stillSince = now;
      }
      if (now - stillSince > END_NANOS && !hasThreads && !isDebugged()) {
        end(first, true);
        return;
      }
      if (now - since > REPORT_NANOS && !first.isPosted() && !reported && !isDebugged()) {
        reported = true;
        end(first, false);
      }
    }
  }

  private void end(AwaitedOutcome first, boolean certain) {
    String present = engine.diagnosis();
    String own = lineOf(engine.self(), present);
    String other = first.peer() < 0 || first.peer() == engine.self() ? "" : lineOf(first.peer(), present);
    String now = own.isEmpty() ? "" : ": " + own + (other.isEmpty() ? "" : "; " + other);
    if (certain) {
      place.otherOutcome(first, "now all ranks wait" + now);
      engine.abort(ErrorClass.ERR_OTHER.code(), place.difference());
    } else {
      place.report("waits for what it got when it was recorded, at its event " + first.event() + ": "
          + first.describe() + (now.isEmpty() ? "" : "; now" + now.substring(1)));
    }
  }

  private static String lineOf(int rank, String diagnosis) {
    return diagnosis.lines()
        .map(String::strip)
        .filter(line -> line.startsWith("rank " + rank + ":"))
        .findFirst().orElse("");
  }

  private static boolean isDebugged() {
    try {
      return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .anyMatch(option -> option.startsWith("-agentlib:jdwp") || option.startsWith("-Xrunjdwp"));
    } catch (LinkageError e) {
      return false; // an image without that module
    }
  }
}
