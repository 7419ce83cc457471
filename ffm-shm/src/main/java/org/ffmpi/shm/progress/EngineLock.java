// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * A lock for sections of some ten to some thousand nanoseconds. One compare-and-set acquires it, one release store
 * releases it.
 *
 * <p>A thread that finds it held spins briefly and then yields, because the holder may have lost its core. After
 * {@link #close} no thread acquires it again: later callers get false and do not touch the segment.
 *
 * <p>A stack overflow can hit the release of the lock, which then stays held, and the guarded data may be inconsistent.
 * So the lock records its owner, and a thread that waits for long checks whether the owner is still in the engine.
 */
public final class EngineLock {
  private static final int FREE = 0;
  private static final int HELD = 1;
  private static final int CLOSED = 2;
  private static final int SPINS = 64;
  private static final int YIELDS = 96;
  private static final long NAP_NANOS = 20_000;

  /** Rounds of waiting between two checks of the owner; the engine holds a lock for a fraction of one. */
  private static final int ROUNDS_PER_CHECK = 1 << 10;

  /** Checks in a row that must find the owner outside the engine: it may have left and returned between two. */
  private static final int CHECKS = 16;

  private static final VarHandle WANTED;
  private static final VarHandle OWNER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WANTED = lookup.findVarHandle(EngineLock.class, "wanted", int.class);
      OWNER = lookup.findVarHandle(EngineLock.class, "owner", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final AtomicInteger state = new AtomicInteger(FREE);

  /** Number of threads that wait for the lock; a holder that only spins releases it for them. */
  private volatile int wanted;

  /** The {@link LockOwner#number} of the thread that holds the lock; 0 when it is free. */
  private long owner;

  /** Creates a free lock. */
  public EngineLock() {}

  /**
   * Acquires the lock if it is free.
   *
   * @return true when acquired
   */
  public boolean tryLock() {
    if (state.getOpaque() != FREE || !state.compareAndSet(FREE, HELD)) {
      return false;
    }
    owner = LockOwner.number(Thread.currentThread());
    return true;
  }

  /**
   * Acquires the lock.
   *
   * @return false when it is closed
   * @throws MpiException ERR_INTERN when its owner has left the engine without releasing it
   */
  public boolean lock() {
    if (!state.compareAndSet(FREE, HELD)) {
      return lockSlowly();
    }
    owner = LockOwner.number(Thread.currentThread());
    return true;
  }

  private boolean lockSlowly() {
    WANTED.getAndAdd(this, 1);
    try {
      return queueUp();
    } finally {
      WANTED.getAndAdd(this, -1);
    }
  }

  /** Returns whether a thread holds the lock. Racy. */
  boolean isHeld() {
    return state.getOpaque() == HELD;
  }

  /** Returns whether another thread waits for the lock. */
  boolean isWanted() {
    return wanted != 0;
  }

  private boolean queueUp() {
    boolean interrupted = false;
    int gone = 0;
    try {
      for (int i = 0; ; i++) {
        if (tryLock()) {
          return true;
        }
        int s = state.getOpaque();
        if (s == CLOSED) {
          return false;
        }
        if (i % ROUNDS_PER_CHECK == ROUNDS_PER_CHECK - 1) {
          long holder = (long) OWNER.getOpaque(this);
          boolean isLeft = s == HELD && LockOwner.isOutsideEngine(holder) && (long) OWNER.getOpaque(this) == holder;
          gone = isLeft ? gone + 1 : 0;
          if (gone == CHECKS) {
            throw new MpiException(ErrorClass.ERR_INTERN, LockOwner.whatHappened(holder));
          }
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
   * Virtual threads that only yield can keep the holder from its carrier. An interrupted thread would not park, and one
   * that interrupts itself gets a permit that prevents parking: the status is restored once the lock is acquired.
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
    owner = 0;
    state.setRelease(FREE);
  }

  /** Waits for the holder and closes the lock. */
  public void close() {
    if (lock()) {
      state.set(CLOSED);
    }
  }

  /**
   * Returns whether the lock is closed.
   *
   * @return true after {@link #close}
   */
  public boolean isClosed() {
    return state.getAcquire() == CLOSED;
  }
}
