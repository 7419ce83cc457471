// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * An operation made of others, with a gate that lets one thread at a time advance it, never makes one wait, and loses
 * no call: a thread that finds another one inside leaves a mark, and the one inside goes round once more before it
 * leaves. Without the mark, a completion seen by neither could leave a parked thread asleep. A thread that is called
 * back while it is inside is turned away without a mark: it is about to look again anyway.
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
   * Who is inside. Written by that thread only, and so read reliably by that thread; all others may see anything else.
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
   * Leaves, unless somebody has called in the meantime.
   *
   * @return false when the caller is still inside and has to look again
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

  /** Lets threads in; what was written before is visible to them. */
  protected final void open() {
    STATE.setRelease(this, OPEN);
  }
}
