// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for sections of some ten to some thousand nanoseconds: one compare-and-set to take, one release store to give.
 *
 * <p>Who finds it taken spins briefly and then yields, because the holder may have lost its core. {@link #close} takes it
 * for good; later callers get false and leave the engine alone.
 */
class EngineLock {
  private static final int FREE = 0;
  private static final int TAKEN = 1;
  private static final int CLOSED = 2;
  private static final int SPINS = 64;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(EngineLock.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private int state;

  final boolean tryLock() {
    return (int) STATE.getOpaque(this) == FREE && STATE.compareAndSet(this, FREE, TAKEN);
  }

  /** Takes the lock; false when it was closed. */
  final boolean lock() {
    return STATE.compareAndSet(this, FREE, TAKEN) || lockSlowly();
  }

  private boolean lockSlowly() {
    for (int i = 0; ; i++) {
      int s = (int) STATE.getOpaque(this);
      if (s == FREE && STATE.compareAndSet(this, FREE, TAKEN)) {
        return true;
      }
      if (s == CLOSED) {
        return false;
      }
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  final void unlock() {
    STATE.setRelease(this, FREE);
  }

  /** Waits for the holder and closes the lock. */
  final void close() {
    if (lock()) {
      STATE.setVolatile(this, CLOSED);
    }
  }

  final boolean isClosed() {
    return (int) STATE.getAcquire(this) == CLOSED;
  }
}
