// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.ffmpi.spi.Operation;

/**
 * Composite operations, which advance whenever the rank makes progress. The first has a place of its own, which costs
 * one compare-and-set to fill and one to clear; the others are in a list with a lock.
 *
 * <p>Operations are reused: one that a thread has seen complete, and is about to drop, may have been started anew by
 * then. A thread that drops one therefore checks it once more afterwards, and adds it again if it is not complete.
 */
final class RegisteredOperations {
  private static final VarHandle FIRST;

  static {
    try {
      FIRST = MethodHandles.lookup().findVarHandle(RegisteredOperations.class, "first", Operation.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final EngineLock lock = new EngineLock();
  private volatile Operation first;
  private Operation[] others = new Operation[8];
  private int count;

  /** Racy; it decides whether polling is worth it. */
  boolean isEmpty() {
    return first == null && count == 0;
  }

  /** Adds an operation, unless it is still there from last time; returns false when the rank has left. */
  boolean add(Operation op) {
    if (lock.isClosed()) {
      return false;
    }
    if (FIRST.compareAndSet(this, (Operation) null, op)) {
      return true;
    }
    VarHandle.fullFence(); // a thread that drops it now sees that it is not complete
    return first == op || addToOthers(op);
  }

  private boolean addToOthers(Operation op) {
    if (!lock.lock()) {
      return false;
    }
    if (count == others.length) {
      others = Arrays.copyOf(others, 2 * count);
    }
    others[count++] = op;
    lock.unlock();
    return true;
  }

  /** Returns whether an operation of some contexts is not complete. */
  boolean any(LongPredicate contexts) {
    Operation op = first;
    boolean found = op != null && !op.isDone() && contexts.test(op.matchingContext());
    if (found || !lock.lock()) {
      return found;
    }
    for (int i = 0; !found && i < count; i++) {
      found = !others[i].isDone() && contexts.test(others[i].matchingContext());
    }
    lock.unlock();
    return found;
  }

  /** Removes an operation if it is the only one; from here on the caller makes its progress. */
  boolean acquireOnly(Operation op) {
    Operation there = first;
    return there == op && count == 0 && FIRST.compareAndSet(this, op, (Operation) null)
        || there == null && count == 1 && removeFromOthers(op);
  }

  /** Drops an operation that is complete, if it is the first; the others are dropped by the next poll. */
  void forget(Operation op) {
    if (first == op) {
      drop(op);
    }
  }

  /** Advances all operations and drops complete ones. Never called with the rank's lock held. */
  int advanceAll() {
    if (lock.isClosed()) {
      return 0;
    }
    int moved = 0;
    Operation op = first;
    if (op != null) {
      if (op.advance()) {
        moved++;
      }
      if (op.isDone()) {
        drop(op);
      }
    }
    for (int i = 0; i < count; i++) {
      op = at(i);
      if (op == null) {
        return moved;
      }
      if (op.advance()) {
        moved++;
      }
      if (op.isDone() && drop(op)) {
        i--;
      }
    }
    return moved;
  }

  private Operation at(int i) {
    if (!lock.tryLock()) {
      return null; // another thread is advancing them
    }
    Operation op = i < count ? others[i] : null;
    lock.unlock();
    return op;
  }

  /** Drops an operation that was seen complete. */
  private boolean drop(Operation op) {
    if (!FIRST.compareAndSet(this, op, (Operation) null) && !removeFromOthers(op)) {
      return false;
    }
    if (!op.isDone()) {
      add(op);
    }
    return true;
  }

  private boolean removeFromOthers(Operation op) {
    if (!lock.lock()) {
      return false;
    }
    try {
      for (int i = 0; i < count; i++) {
        if (others[i] == op) {
          System.arraycopy(others, i + 1, others, i, count - i - 1);
          others[--count] = null;
          return true;
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Stops adding and advancing; registered operations stay. */
  void close() {
    lock.close();
  }
}
