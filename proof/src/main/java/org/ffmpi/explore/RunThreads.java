// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ffmpi.ThreadWorld;
import org.ffmpi.check.CheckReport;

/** Starts the ranks of each run and waits for them. Used by the thread of the exploration. */
final class RunThreads {
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final int ranks;
  private final Map<String, String> settings;
  private final Explorer.Body body;
  private final Runnable before;
  private final Explorer.Limits limits;
  private final Results results;
  private MessageMemory memory = new MessageMemory();
  private Map<Integer, Throwable> failures = Map.of();
  private String stuck;

  RunThreads(int ranks, Map<String, String> settings, Explorer.Body body, Runnable before, Explorer.Limits limits,
      Results results) {
    this.ranks = ranks;
    this.settings = new HashMap<>(settings);
    this.settings.put("ffmpi.engine", ExploreProvider.NAME);
    this.body = body;
    this.before = before;
    this.limits = limits;
    this.results = results;
  }

  /** Returns what ranks have thrown in the last run, the first one first. */
  Map<Integer, Throwable> failures() {
    return failures;
  }

  /** Returns which rank has not come to an end in the last run, and where it was; null when all have. */
  String stuck() {
    return stuck;
  }

  Run run(RunPlan plan) {
    before.run();
    Run run = new Run(plan, memory);
    results.begin(run::line);
    CheckReport.send(run::addLeft); // where the settings ask for the full check, too
    ThreadWorld world;
    try {
      world = ScopedValue.where(Run.CURRENT, run)
          .call(() -> ThreadWorld.start(ranks, settings, mpi -> body.run(mpi, results)));
    } finally {
      CheckReport.send(null);
    }
    stuck = null;
    await(run, world);
    failures = new LinkedHashMap<>(world.failures());
    if (stuck == null) {
      memory.empty();
    } else {
      memory = new MessageMemory(); // ranks that still run may use the old one
    }
    return run;
  }

  private void await(Run run, ThreadWorld world) {
    try {
      for (Thread thread : world.threads()) {
        while (!thread.join(LOOK)) {
          long silent = System.nanoTime() - run.scheduler().movedAt();
          if (silent > limits.silence().toNanos()) {
            end(run, world);
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      world.abort("the thread that waited for the ranks was interrupted");
      stuck = "the thread that waited for the ranks was interrupted";
      Thread.currentThread().interrupt();
    }
  }

  private void end(Run run, ThreadWorld world) throws InterruptedException {
    ExploredRank running = run.scheduler().running();
    StringBuilder text = new StringBuilder("rank ").append(running == null ? "?" : running.self)
        .append(" has made no call for ").append(limits.silence().toSeconds())
        .append(" s: it computes for ever, or waits for something outside of MPI\n");
    if (running != null && running.thread != null) {
      for (StackTraceElement frame : running.thread.getStackTrace()) {
        text.append("    at ").append(frame).append('\n');
      }
    }
    stuck = text.toString();
    world.abort("rank " + (running == null ? "?" : running.self) + " makes no calls");
    for (Thread thread : world.threads()) {
      thread.interrupt();
    }
    for (Thread thread : world.threads()) {
      thread.join(GRACE);
    }
  }
}
