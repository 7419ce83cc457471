// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.spi.Operation;

/**
 * Moves a rank's messages while the program computes, and tells those who asked when an operation is complete.
 *
 * <p>It stays out of the way of threads that are in a call: as long as anybody else looks for messages, it only looks
 * up now and then. Were it asleep on the wait word meanwhile, every message to this rank would cost its sender a system
 * call. When nobody has looked for a while it becomes the rank's poller, see {@link Waiting#serve}.
 */
final class ProgressThread {
  /** How long nobody else must have looked. */
  private static final long NAP_NANOS = 100_000;

  /** While another thread is the poller, which wakes this one when it leaves. */
  private static final long REST_NANOS = 20_000_000;

  /** How often all watched operations are looked at: a completion may have just missed being told to watch. */
  private static final long SCAN_NANOS = 1_000_000;

  private final ShmEngine engine;
  private final Waiting waiting;
  private final Thread thread;
  private final Set<Watch> watched = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<Watch> due = new ConcurrentLinkedQueue<>();
  private long lastScan;

  /** The thread looks at {@link #watched} no more. */
  private volatile boolean ended;

  /** An operation that is watched, as the parent that is told of its completion. */
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

  private ProgressThread(ShmEngine engine, Waiting waiting) {
    this.engine = engine;
    this.waiting = waiting;
    this.thread = Thread.ofPlatform().daemon().name("ffmpi-progress-" + engine.self).unstarted(this::run);
  }

  static ProgressThread start(ShmEngine engine, Waiting waiting) {
    ProgressThread progress = new ProgressThread(engine, waiting);
    waiting.servedBy(progress.thread);
    progress.thread.start();
    return progress;
  }

  /** Has the action run once the operation is complete, or when that cannot happen any more. Any thread may call. */
  void watch(Operation operation, Runnable action) {
    Watch watch = new Watch(operation, action);
    watched.add(watch);
    operation.parent(watch);
    if (ended) {
      due.add(watch);
      fire();
    } else if (operation.isDone()) {
      watch.childCompleted();
      engine.completedOutside();
    }
  }

  private void run() {
    try {
      while (!engine.isOver()) {
        fire();
        long before = engine.looks();
        LockSupport.parkNanos(this, NAP_NANOS);
        if (engine.looks() == before) {
          waiting.resting(true);
          if (!waiting.serve(this::isWanted, this::isAsked, this::fire)) {
            LockSupport.parkNanos(this, REST_NANOS);
          }
          waiting.resting(false);
        }
      }
    } catch (RuntimeException e) {
      if (!engine.isOver()) {
        engine.abort(ErrorClass.ERR_INTERN.code(), "the progress thread of rank " + engine.self + " failed: " + e);
      }
    } finally {
      ended = true;
      due.addAll(watched);
      fire();
    }
  }

  private boolean isWanted() {
    return !due.isEmpty();
  }

  private boolean isAsked() {
    return !watched.isEmpty();
  }

  /** Runs the actions of operations that are complete, having moved those that only advance when they are looked at. */
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

  /** The rank leaves: the thread will see that, run what is still watched, and end. */
  void close() {
    LockSupport.unpark(thread);
  }

  /** Waits for the thread to end: it looks into the segment until then. */
  void join() {
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
