// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.shm.progress.JobAbort;
import org.ffmpi.shm.progress.Wakeups;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/**
 * Passes ends between a job and a meeting in which one of its ranks takes part. The end of the job ends the meeting,
 * and that of the meeting the job. Also finds processes that have died without a word, since no launcher watches a
 * meeting. One thread of each JVM looks at all of them ten times a second, but not at those that their rank has left.
 */
final class MeetingWatch {
  private static final long REST_NANOS = 100_000_000;
  private static final int KILLED = 137;
  private static final String CONNECTED = "a connected job has ended: ";

  /** The meetings of this JVM's ranks; guarded by itself, as the thread. */
  private static final List<MeetingWatch> ALL = new ArrayList<>();

  /** A share of a segment that a rank has left, and the time of that. */
  private record Share(JobSegment segment, long since) {}

  /** In the order of their times; guarded by {@link #ALL}. */
  private static final Queue<Share> LEFT = new ArrayDeque<>();

  private static boolean isRunning;

  private final JobSegment job;
  private final JobAbort end;
  private final JobSegment met;
  private final ShmEngine engine;

  MeetingWatch(JobSegment job, JobAbort end, JobSegment met, ShmEngine engine) {
    this.job = job;
    this.end = end;
    this.met = met;
    this.engine = engine;
  }

  boolean isOf(ShmEngine some) {
    return engine == some;
  }

  /** Begins to watch. */
  void begin() {
    synchronized (ALL) {
      ALL.add(this);
      startThread();
    }
  }

  /**
   * Releases a share of a segment that a rank has left, a while later: another thread of the rank, which polls for all
   * of its engines, may just be looking at an operation there.
   */
  static void releaseLater(JobSegment segment) {
    synchronized (ALL) {
      LEFT.add(new Share(segment, System.nanoTime()));
      startThread();
    }
  }

  private static void startThread() {
    if (!isRunning) {
      isRunning = true;
      Thread.ofPlatform().daemon().name("ffmpi-meetings").start(MeetingWatch::run);
    }
  }

  private static void run() {
    while (true) {
      List<MeetingWatch> all;
      synchronized (ALL) {
        if (ALL.isEmpty() && LEFT.isEmpty()) {
          isRunning = false;
          return;
        }
        all = List.copyOf(ALL);
      }
      releaseLeft();
      for (MeetingWatch watch : all) {
        if (!watch.look()) {
          synchronized (ALL) {
            ALL.remove(watch);
          }
        }
      }
      LockSupport.parkNanos(REST_NANOS);
    }
  }

  private static void releaseLeft() {
    while (true) {
      JobSegment segment;
      synchronized (ALL) {
        Share oldest = LEFT.peek();
        if (oldest == null || System.nanoTime() - oldest.since() < REST_NANOS) {
          return;
        }
        segment = LEFT.remove().segment();
      }
      segment.release();
      MeetingPlaces.forget(segment);
    }
  }

  /** Looks at both ends and at the processes; returns false when the rank has left the meeting. */
  private boolean look() {
    if (!met.tryRetain()) {
      return false;
    }
    try {
      if (hasLeft() || hasEnded() || hasJobEnded()) {
        return false;
      }
      findDead();
      return true;
    } finally {
      met.release();
    }
  }

  /** Returns whether the meeting has ended early; the job ends then. */
  boolean hasEnded() {
    if (!met.tryRetain()) {
      return false;
    }
    try {
      boolean isOver = !hasLeft() && met.isEnded();
      if (isOver) {
        end.endFromOutside(met.abortCode(), connected(met.abortReason()));
      }
      return isOver;
    } finally {
      met.release();
    }
  }

  /** Returns whether the rank has left, or is about to, so that an end of either side is none of the other. */
  private boolean hasLeft() {
    return met.state(engine.self()) >= RankLayout.LEAVING;
  }

  private boolean hasJobEnded() {
    if (!job.tryRetain()) {
      return false;
    }
    try {
      if (job.isEnded()) {
        end(job.abortCode(), job.abortReason());
        return true;
      }
      return false;
    } finally {
      job.release();
    }
  }

  /** Ends the meeting, unless this rank has left it. */
  void end(int code, String reason) {
    if (met.tryRetain()) {
      try {
        if (!hasLeft() && met.requestAbort(engine.self(), code, connected(reason))) {
          wakeAll();
        }
      } finally {
        met.release();
      }
    }
  }

  private static String connected(String reason) {
    return reason.startsWith(CONNECTED) ? reason : CONNECTED + reason;
  }

  private void findDead() {
    for (int peer = 0; peer < met.ranks(); peer++) {
      int state = met.state(peer);
      long born = met.born(peer);
      if (peer != engine.self() && born != 0 && (state == RankLayout.JOINED || state == RankLayout.LEAVING)
          && Processes.born(met.process(peer)) != born) {
        onDead(peer);
      }
    }
  }

  private void onDead(int peer) {
    met.ends().markEnded(peer); // of one that was leaving
    if (met.state(peer) != RankLayout.JOINED) {
      return;
    }
    if (met.survives()) {
      met.ends().markDead(peer, KILLED);
      wakeAll();
    } else {
      String who = met.name(peer, engine.self()) + " (pid " + met.process(peer) + ") has died";
      if (met.requestAbort(-1, KILLED, connected(who))) {
        wakeAll();
      }
    }
  }

  private void wakeAll() {
    new Wakeups(met, () -> { }).wakeAll();
  }
}
