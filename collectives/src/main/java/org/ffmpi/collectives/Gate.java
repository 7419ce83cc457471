// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ffmpi.spi.Operation;

/**
 * Lets one thread at a time advance an operation, never makes one wait, and loses no call: a thread that finds another one
 * inside (or itself, called back by the engine) leaves a mark, and the one inside goes round once more before it leaves.
 * Without the mark, a completion seen by neither could leave a parked thread asleep.
 */
abstract sealed class Gate extends Operation permits Execution {
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int OPEN = 0;
  private static final int INSIDE = 1;
  private static final int INSIDE_AND_CALLED = 2;
  private static final int CLOSED = 3;

  private int state = CLOSED;

  Gate() {}

  /** Returns true when the caller is now inside. */
  final boolean enter() {
    while (true) {
      int s = (int) STATE.getAcquire(this);
      switch (s) {
        case OPEN -> {
          if (STATE.compareAndSet(this, OPEN, INSIDE)) {
            return true;
          }
        }
        case INSIDE -> {
          if (STATE.compareAndSet(this, INSIDE, INSIDE_AND_CALLED)) {
            return false;
          }
        }
        default -> {
          return false;
        }
      }
    }
  }

  /** Leaves; returns false, the caller still being inside, when somebody has called in the meantime. */
  final boolean leave() {
    if (STATE.compareAndSet(this, INSIDE, OPEN)) {
      return true;
    }
    STATE.setRelease(this, INSIDE);
    return false;
  }

  /** Lets nobody in any more: called inside, before the operation is completed. */
  final void close() {
    STATE.setRelease(this, CLOSED);
  }

  /** Lets threads in; what was written before is visible to them. */
  final void open() {
    STATE.setRelease(this, OPEN);
  }
}
