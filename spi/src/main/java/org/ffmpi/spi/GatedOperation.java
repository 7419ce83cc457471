// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A composite operation that one thread at a time advances. Its gate never makes a thread wait and loses no call: a
 * thread that finds another one inside leaves a mark, and the one inside repeats its work before it leaves. Without the
 * mark, a completion seen by neither could leave a parked thread asleep. A reentrant call is refused without a mark,
 * since its thread is about to check again anyway.
 */
public abstract class GatedOperation extends Operation {
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(GatedOperation.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int OPEN = 0;
  private static final int INSIDE = 1;
  private static final int INSIDE_AND_CALLED = 2;
  private static final int CLOSED = 3;

  private int state = CLOSED;

  /**
   * The thread inside. Only that thread writes it, so a thread reliably recognizes itself; others may read a stale
   * value.
   */
  private Thread inside;

  /** Creates an operation whose gate is closed. */
  protected GatedOperation() {}

  /**
   * Lets the caller in, or leaves a mark for the thread that is inside.
   *
   * @return true when the caller is now inside
   */
  protected final boolean enter() {
    while (true) {
      int s = (int) STATE.getAcquire(this);
      switch (s) {
        case OPEN -> {
          if (STATE.compareAndSet(this, OPEN, INSIDE)) {
            inside = Thread.currentThread();
            return true;
          }
        }
        case INSIDE -> {
          if (inside == Thread.currentThread() || STATE.compareAndSet(this, INSIDE, INSIDE_AND_CALLED)) {
            return false;
          }
        }
        default -> {
          return false;
        }
      }
    }
  }

  /**
   * Leaves, unless another thread has left a mark in the meantime.
   *
   * @return false when the caller is still inside and has to check again
   */
  protected final boolean leave() {
    inside = null;
    if (STATE.compareAndSet(this, INSIDE, OPEN)) {
      return true;
    }
    inside = Thread.currentThread();
    STATE.setRelease(this, INSIDE);
    return false;
  }

  /** Admits no thread any more: called inside, before the operation is completed. */
  protected final void close() {
    inside = null;
    STATE.setRelease(this, CLOSED);
  }

  /** Admits threads; earlier writes are visible to them. */
  protected final void open() {
    STATE.setRelease(this, OPEN);
  }
}
