// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock for sections of some ten to some thousand nanoseconds: one compare-and-set acquires it, one release store
 * releases it.
 *
 * <p>A thread that finds it held spins briefly and then yields, because the holder may have lost its core. After
 * {@link #close} no thread acquires it again: later callers get false and do not touch the segment.
 */
public final class EngineLock {
  private static final int FREE = 0;
  private static final int HELD = 1;
  private static final int CLOSED = 2;
  private static final int SPINS = 64;
  private static final int YIELDS = 96;
  private static final long NAP_NANOS = 20_000;
  private static final VarHandle STATE;
  private static final VarHandle WANTED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(EngineLock.class, "state", int.class);
      WANTED = lookup.findVarHandle(EngineLock.class, "wanted", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private int state;

  /** How many threads wait for the lock: a holder that only spins gives it to them. */
  private int wanted;

  /** Creates a free lock. */
  public EngineLock() {}

  /**
   * Acquires the lock if it is free.
   *
   * @return true when acquired
   */
  public boolean tryLock() {
    return (int) STATE.getOpaque(this) == FREE && STATE.compareAndSet(this, FREE, HELD);
  }

  /**
   * Acquires the lock.
   *
   * @return false when it is closed
   */
  public boolean lock() {
    return STATE.compareAndSet(this, FREE, HELD) || lockSlowly();
  }

  private boolean lockSlowly() {
    WANTED.getAndAdd(this, 1);
    try {
      return queueUp();
    } finally {
      WANTED.getAndAdd(this, -1);
    }
  }

  /** Returns whether another thread waits for the lock. */
  boolean isWanted() {
    return (int) WANTED.getOpaque(this) != 0;
  }

  private boolean queueUp() {
    boolean interrupted = false;
    try {
      for (int i = 0; ; i++) {
        int s = (int) STATE.getOpaque(this);
        if (s == FREE && STATE.compareAndSet(this, FREE, HELD)) {
          return true;
        }
        if (s == CLOSED) {
          return false;
        }
        if (i < SPINS) {
          Thread.onSpinWait();
        } else if (i < YIELDS || !Thread.currentThread().isVirtual()) {
          Thread.yield();
        } else {
          interrupted |= nap();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Virtual threads that only yield can keep the holder from its carrier. One that is interrupted would not park, and
   * one that interrupts itself gets a permit not to: the status is kept aside until the lock is acquired.
   *
   * @return whether the thread was interrupted
   */
  private static boolean nap() {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(NAP_NANOS);
    return interrupted;
  }

  /** Releases the lock. */
  public void unlock() {
    STATE.setRelease(this, FREE);
  }

  /** Waits for the holder and closes the lock. */
  public void close() {
    if (lock()) {
      STATE.setVolatile(this, CLOSED);
    }
  }

  /**
   * Returns whether the lock is closed.
   *
   * @return true after {@link #close}
   */
  public boolean isClosed() {
    return (int) STATE.getAcquire(this) == CLOSED;
  }
}
