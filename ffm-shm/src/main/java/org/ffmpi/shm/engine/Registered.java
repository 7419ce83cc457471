// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.Arrays;
import org.ffmpi.spi.Operation;

/** Operations made of others that want to advance whenever the rank makes progress. The lock is this object itself. */
final class Registered extends EngineLock {
  private Operation[] operations = new Operation[8];
  private int count;

  /** Racy: for deciding whether polling is worth it. */
  boolean isEmpty() {
    return count == 0;
  }

  boolean add(Operation op) {
    if (!lock()) {
      return false;
    }
    if (count == operations.length) {
      operations = Arrays.copyOf(operations, 2 * count);
    }
    operations[count++] = op;
    unlock();
    return true;
  }

  /** Advances all, in order of registration, and drops what is complete. Never called with the engine's lock held. */
  int advanceAll() {
    int moved = 0;
    for (int i = 0; ; i++) {
      Operation op = at(i);
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
  }

  private Operation at(int i) {
    if (!tryLock()) {
      return null; // another thread is advancing them
    }
    Operation op = i < count ? operations[i] : null;
    unlock();
    return op;
  }

  private boolean drop(Operation op) {
    if (!lock()) {
      return false;
    }
    try {
      for (int i = 0; i < count; i++) {
        if (operations[i] == op) {
          System.arraycopy(operations, i + 1, operations, i, count - i - 1);
          operations[--count] = null;
          return true;
        }
      }
      return false;
    } finally {
      unlock();
    }
  }
}
