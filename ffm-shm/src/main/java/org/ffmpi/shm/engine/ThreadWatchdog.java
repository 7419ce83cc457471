// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.diagnosis.Diagnosis;
import org.ffmpi.shm.diagnosis.JobState;
import org.ffmpi.shm.diagnosis.Standstill;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.progress.Wakeups;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/** Detects standstills of ranks in threads, which have no launcher, in a daemon thread that ends with the last rank. */
final class ThreadWatchdog implements Runnable {
  private static final int TIMED_OUT = 124;

  private final JobSegment segment;
  private final List<RankRuntime.Program> programs;
  private final Standstill standstill;
  private final int seconds;
  private final boolean ends;
  private final boolean isOfCheck;

  private ThreadWatchdog(JobSegment segment, List<RankRuntime.Program> programs, Settings settings) {
    this.segment = segment;
    this.programs = programs;
    this.seconds = Standstill.seconds(settings);
    this.ends = Standstill.ends(settings);
    this.isOfCheck = Standstill.isOfCheck(settings);
    this.standstill = new Standstill(seconds * 1_000_000_000L);
  }

  /** Starts the watchdog if the settings ask for it. It updates the places of the ranks' programs. */
  static void start(JobSegment segment, Settings settings, List<RankRuntime.Program> programs) {
    if (Standstill.seconds(settings) > 0) {
      segment.retain();
      ThreadWatchdog watchdog = new ThreadWatchdog(segment, programs, settings);
      Thread.ofPlatform().daemon().name("ffmpi-watchdog").start(watchdog);
    }
  }

  @Override
  public void run() {
    try {
      while (!isOver()) {
        LockSupport.parkNanos(Standstill.LOOK_NANOS);
        long now = System.nanoTime();
        programs.forEach(RankRuntime.Program::updatePlace);
        JobState state = JobState.read(segment);
        boolean isNew = standstill.isNew(state, now);
        boolean isInCalls = state.allWaitInCalls();
        if (isNew && (isInCalls || !isOfCheck)) {
          System.err.print(Standstill.headline("ffmpi: ", seconds) + Diagnosis.report(state, now));
        }
        if (ends && standstill.isReported() && isInCalls) {
          List<String> why = new ArrayList<>(Diagnosis.of(state, now));
          why.add(Diagnosis.places(state));
          why.removeIf(String::isEmpty);
          segment.requestAbort(
              -1, TIMED_OUT,
              "nothing had moved for " + seconds + " s" + (why.isEmpty() ? "" : ": " + String.join("; ", why)));
          new Wakeups(segment, () -> { }).wakeAll();
        }
      }
    } finally {
      segment.release();
    }
  }

  private boolean isOver() {
    boolean over = true;
    for (int rank = 0; rank < segment.ranks(); rank++) {
      over &= segment.state(rank) >= RankLayout.FINALIZED;
    }
    return over || segment.isEnded();
  }
}
