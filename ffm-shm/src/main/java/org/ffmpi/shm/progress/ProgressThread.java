// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.spi.Operation;

/**
 * Moves a rank's messages while the program computes, and runs actions when operations are complete.
 *
 * <p>It leaves polling to threads that are in a call: as long as another thread polls, it only naps. Were it asleep on
 * the wait word meanwhile, every message to this rank would cost its sender a system call. When no other thread has
 * polled for a while it becomes the rank's poller, see {@link PollerRole#serve}.
 */
public final class ProgressThread {
  /** Time without a poll of another thread, after which this one polls. */
  private static final long NAP_NANOS = 100_000;

  /** Nap while another thread is the poller, which wakes this one when it leaves. */
  private static final long REST_NANOS = 20_000_000;

  /** Time between two checks of all watched operations: one may complete just before it is watched. */
  private static final long SCAN_NANOS = 1_000_000;

  private final RankProgress progress;
  private final JobAbort end;
  private final PollerRole role;
  private final int self;
  private final Thread thread;
  private final Set<Watch> watched = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<Watch> due = new ConcurrentLinkedQueue<>();
  private long lastScan;

  /** Set once the thread has stopped checking {@link #watched}. */
  private volatile boolean ended;

  /** A watched operation, as its parent, which is notified of its completion. */
  private final class Watch extends Operation {
    final Operation operation;
    final Runnable action;

    Watch(Operation operation, Runnable action) {
      this.operation = operation;
      this.action = action;
    }

    @Override
    protected void childCompleted() {
      due.add(this);
      LockSupport.unpark(thread);
    }
  }

  private ProgressThread(RankProgress progress, JobAbort end, PollerRole role, int self) {
    this.progress = progress;
    this.end = end;
    this.role = role;
    this.self = self;
    this.thread = Thread.ofPlatform().daemon().name("ffmpi-progress-" + self).unstarted(this::run);
  }

  /**
   * Starts the progress thread of a rank.
   *
   * @param progress the rank's progress
   * @param end the job's end
   * @param waiting the rank's waits
   * @param self the rank
   * @return the running thread
   */
  public static ProgressThread start(RankProgress progress, JobAbort end, Waiting waiting, int self) {
    ProgressThread started = new ProgressThread(progress, end, waiting.role(), self);
    started.role.setServer(started.thread);
    started.thread.start();
    return started;
  }

  /**
   * Runs an action once the operation is complete, or when this rank's progress ends. Any thread.
   *
   * @param operation one of the engine's operations
   * @param action neither blocks nor throws
   */
  public void watch(Operation operation, Runnable action) {
    Watch watch = new Watch(operation, action);
    watched.add(watch);
    operation.parent(watch);
    if (ended) {
      due.add(watch);
      fire();
    } else if (operation.isDone()) {
      watch.childCompleted();
      role.wakeWaiters();
    }
  }

  private void run() {
    try {
      while (!end.isOver()) {
        fire();
        long before = progress.lookCount();
        LockSupport.parkNanos(this, NAP_NANOS);
        if (progress.lookCount() == before) {
          role.setResting(true);
          if (!role.serve(this::hasDue, this::hasWatched, this::fire)) {
            LockSupport.parkNanos(this, REST_NANOS);
          }
          role.setResting(false);
        }
      }
    } catch (RuntimeException e) {
      if (!end.isOver()) {
        end.abort(ErrorClass.ERR_INTERN.code(), "the progress thread of rank " + self + " failed: " + e);
      }
    } finally {
      ended = true;
      due.addAll(watched);
      fire();
    }
  }

  private boolean hasDue() {
    return !due.isEmpty();
  }

  private boolean hasWatched() {
    return !watched.isEmpty();
  }

  /** Advances operations and runs the actions of those that are complete. */
  private void fire() {
    long now = System.nanoTime();
    if (!watched.isEmpty() && now - lastScan > SCAN_NANOS) {
      lastScan = now;
      due.addAll(watched);
    }
    for (Watch w = due.poll(); w != null; w = due.poll()) {
      Operation op = w.operation;
      if ((ended || op.isDone() || op.advance() && op.isDone()) && watched.remove(w)) {
        w.action.run();
      }
    }
  }

  /** Ends the thread, which runs the actions of all watched operations first. */
  public void close() {
    LockSupport.unpark(thread);
  }

  /** Waits for the end of the thread, which reads the segment until then. */
  public void join() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
