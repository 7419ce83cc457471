// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ffmpi.spi.Operation;

/**
 * The slow part of waiting. One thread of a rank at a time has the poller role: it polls, yields, and finally sleeps on
 * the rank's wait word ({@link Sleeper}). All others park on their own operation. An operation's completion unparks its
 * thread; a poller that leaves unparks its successor.
 */
final class PollerRole {
  private static final long PARK_NANOS = 1_000_000;
  private static final int PARKS_PER_SWEEP = 32;

  /**
   * Age at which a rank's first thread is bound to a core. Before, compilers are busy, and the kernel finds the thread
   * another core. Later the kernel may put two ranks on one core for a long time, since a rank that yields looks busy
   * to it; each would spin away the time that the other one needs, and a message of 4 us would take 50.
   */
  private static final long BIND_NANOS = 500_000_000;

  /** Yields, over all waits, between two checks of the rank's age; a power of two. */
  private static final int YIELDS_PER_CHECK = 1024;

  /** Polls of the progress thread in a row without a find, before it sleeps. */
  private static final int SERVING_POLLS = 20;

  private final RankProgress progress;
  private final JobAbort end;
  private final Sleeper sleeper;
  private final LongWaits longWaits;

  /** Polls after progress, before yielding again. */
  private final SpinLimit again;
  private final WaitCounts counts;

  /** Changed by {@link #configure} only. */
  private int yields;

  private final CoreShare core;
  private final long startedAt = System.nanoTime();
  private final ConcurrentLinkedQueue<Thread> parked = new ConcurrentLinkedQueue<>();

  /** Parked threads that wait for a condition without an operation; they check it whenever something has moved. */
  private final ConcurrentLinkedQueue<Thread> conditionWaiters = new ConcurrentLinkedQueue<>();

  /** Number of parked platform threads, to which the progress thread leaves polling; it serves virtual threads. */
  private final AtomicInteger parkedThreads = new AtomicInteger();

  /** The rank's progress thread, or null. */
  private volatile Thread server;

  /** The progress thread is the poller. */
  private volatile boolean serving;

  private volatile boolean resting;

  /** Yields of all waits so far; the poller's. */
  private int yielded;

  private boolean isBound;

  /** Polls of slow waits that moved messages; the poller's. */
  private long moves;

  PollerRole(RankProgress progress, JobAbort end, Sleeper sleeper, LongWaits longWaits, SpinLimit again, CoreShare core,
      WaitCounts counts) {
    this.progress = progress;
    this.end = end;
    this.sleeper = sleeper;
    this.longWaits = longWaits;
    this.again = again;
    this.core = core;
    this.counts = counts;
  }

  /** Changes the limits of spinning and yielding. */
  void configure(int spinsAgain, int mostYields) {
    again.set(spinsAgain);
    yields = mostYields;
  }

  /** Returns whether a thread of the program polls, yields or sleeps, or is parked. Racy. */
  boolean isWaiting() {
    return progress.poller.isHeld() && !serving || !parked.isEmpty();
  }

  /** Blocks until the condition holds; {@code op} may be null. Returns false when the time is over first. */
  boolean await(BooleanSupplier condition, Operation op, long nanos) {
    boolean interrupted = false;
    int parks = 0;
    long begin = counts.begin();
    long deadline = nanos == Long.MAX_VALUE ? Long.MAX_VALUE : System.nanoTime() + nanos;
    try {
      while (!condition.getAsBoolean()) {
        interrupted |= Thread.interrupted(); // an interrupted thread cannot park; its status is restored at the end
        if (op != null) {
          op.advance();
        }
        if (Sleeper.isOver(deadline)) {
          return condition.getAsBoolean();
        }
        if (mayPoll() && progress.poller.tryLock()) {
          try {
            if (poll(condition, op, deadline)) {
              return true;
            }
          } finally {
            leave();
          }
        } else if (progress.poller.isClosed()) {
          throw progress.lock.finalizedError();
        } else {
          park(condition, op, deadline);
          if (++parks % PARKS_PER_SWEEP == 0) {
            progress.sweep(true); // the progress thread does not sweep for parked threads
          }
        }
      }
      return true;
    } finally {
      counts.end(begin);
      longWaits.onAwake(moves);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits as the poller if the role is free; returns false when it is not, or when the thread is interrupted. */
  boolean awaitAsPoller(BooleanSupplier condition) {
    if (!mayPoll() || !progress.poller.tryLock()) {
      return false;
    }
    long begin = counts.begin();
    try {
      return poll(condition, null, Long.MAX_VALUE);
    } finally {
      counts.end(begin);
      longWaits.onAwake(moves);
      leave();
    }
  }

  /** Virtual threads leave polling to the progress thread, if there is one: they cannot sleep on the wait word. */
  private boolean mayPoll() {
    return server == null || !Thread.currentThread().isVirtual();
  }

  /** Polls until the condition holds; returns false when the time is over or the thread is interrupted. */
  private boolean poll(BooleanSupplier condition, Operation op, long deadline) {
    int idle = 0;
    int spins = 0;
    while (true) {
      if (progress.pollOnce() > 0) {
        idle = 0;
        moves++;
        wakeConditionWaiters();
        // More is likely to come, as to a rank that serves others while it waits, and a yield would lose the core.
        // A thread of this rank that has been woken may need the core.
        spins = parked.isEmpty() ? again.next() : 0;
      }
      if (op != null) {
        op.advance(); // also when nothing moved: another thread may have left a buffer that only this one may fill
      }
      if (condition.getAsBoolean()) {
        return true;
      }
      if (spins > 0) {
        spins--;
        Thread.onSpinWait();
        continue;
      }
      if (idle++ < yields && !core.isShared()) {
        if ((++yielded & YIELDS_PER_CHECK - 1) == 0 && !isBound && System.nanoTime() - startedAt > BIND_NANOS) {
          sleeper.bindThread();
          isBound = true;
        }
        core.yield(sleeper.wakesAtOnce());
        continue;
      }
      if (Sleeper.isOver(deadline) || Thread.currentThread().isInterrupted()) {
        return false;
      }
      end.check();
      if (progress.sweep(true) == 0) {
        longWaits.onSleep(op, condition, moves);
        sleeper.sleep(condition, deadline);
        wakeConditionWaiters(); // they may wait for what woke this thread
      }
      idle = Math.max(0, yields - 2); // a poll or two after each sleep, not the whole round again
    }
  }

  /** Waits while another thread of this rank polls. */
  private void park(BooleanSupplier condition, Operation op, long deadline) {
    Thread me = Thread.currentThread();
    if (op != null) {
      op.waiter(me);
    }
    parked.add(me);
    boolean isThread = !me.isVirtual();
    if (isThread) {
      parkedThreads.getAndIncrement();
    }
    if (op == null) {
      conditionWaiters.add(me);
    }
    try {
      if (serving && isThread) {
        progress.lock.wakeOwn(); // the progress thread releases the role
      }
      if (!condition.getAsBoolean() && !Sleeper.isOver(deadline)) {
        longWaits.onSleep(op, condition, moves);
        counts.park();
        LockSupport.parkNanos(PARK_NANOS);
      }
    } finally {
      parked.remove(me);
      if (isThread) {
        parkedThreads.getAndDecrement();
      }
      if (op == null) {
        conditionWaiters.remove(me);
      } else {
        op.waiter(null);
      }
    }
    end.check();
    if (!condition.getAsBoolean()) {
      progress.pollOnce(); // a confined buffer may wait for this very thread
    }
  }

  /** Releases the role and unparks a successor. */
  private void leave() {
    progress.poller.unlock();
    Thread next = parked.peek();
    if (next != null) {
      LockSupport.unpark(next);
    } else if (server != null) {
      // A napping progress thread polls soon enough; waking it each time costs a switch of threads per longer wait.
      VarHandle.fullFence();
      if (resting) {
        LockSupport.unpark(server);
      }
    }
  }

  /** Unparks the threads that wait for a condition, after something has moved. */
  void wakeConditionWaiters() {
    for (Thread t : conditionWaiters) {
      LockSupport.unpark(t);
    }
  }

  /** Wakes the waiting threads of this rank, after the program itself has completed an operation. */
  void wakeWaiters() {
    if (progress.lock.lock()) {
      progress.lock.unlock(); // wakes the poller
    }
    wakeConditionWaiters();
  }

  // ---- for the progress thread

  void setServer(Thread progressThread) {
    server = progressThread;
  }

  /** Sets whether a poller that leaves wakes the progress thread, which could not {@link #serve}. */
  void setResting(boolean is) {
    resting = is;
  }

  /**
   * Polls as long as no other thread of this rank polls or waits for the role.
   *
   * @param wanted whether {@code between} has work
   * @param asked whether a caller watches for completions
   * @param between runs after each poll, without a lock
   * @return false when another thread is the poller
   */
  boolean serve(BooleanSupplier wanted, BooleanSupplier asked, Runnable between) {
    if (!progress.poller.tryLock()) {
      return false;
    }
    serving = true;
    try {
      int idle = 0;
      long looks = progress.lookCount();
      while (!end.isOver() && parkedThreads.get() == 0 && progress.lookCount() == looks) {
        if (progress.pollOnce() > 0) {
          idle = 0;
          wakeConditionWaiters();
        }
        between.run();
        if (idle++ >= SERVING_POLLS) {
          if (progress.sweep(asked.getAsBoolean()) == 0) {
            sleeper.sleep(() -> wanted.getAsBoolean() || parkedThreads.get() != 0, Long.MAX_VALUE);
          }
          between.run();
          idle = SERVING_POLLS / 2;
        }
        looks = progress.lookCount();
      }
      return true;
    } finally {
      serving = false;
      leave();
    }
  }
}
