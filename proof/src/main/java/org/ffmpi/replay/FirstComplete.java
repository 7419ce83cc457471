// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/** Takes what comes first, as a program without an observer does. Called by the threads of the program. */
final class FirstComplete {
  private FirstComplete() {}

  /** Returns the first complete operation; -1 for none, only without {@code wait}. */
  static int any(Engine engine, Operation[] operations, int length, boolean wait) {
    int found = find(operations, length);
    if (found < 0 && !wait) {
      engine.progress();
      return find(operations, length);
    }
    while (found < 0) {
      engine.awaitAny(operations, length);
      found = find(operations, length);
    }
    return found;
  }

  /** Replaces operations that are not complete by null; returns how many are left. */
  static int some(Engine engine, Operation[] operations, int length, boolean wait) {
    if (wait) {
      any(engine, operations, length, true);
    } else {
      engine.progress();
    }
    int left = 0;
    for (int i = 0; i < length; i++) {
      if (operations[i] != null && isDone(operations[i])) {
        left++;
      } else {
        operations[i] = null;
      }
    }
    return left;
  }

  /** Returns whether all are complete. */
  static boolean all(Engine engine, Operation[] operations, int length) {
    if (!areDone(operations, length)) {
      engine.progress();
      return areDone(operations, length);
    }
    return true;
  }

  private static boolean areDone(Operation[] operations, int length) {
    for (int i = 0; i < length; i++) {
      if (operations[i] != null && !isDone(operations[i])) {
        return false;
      }
    }
    return true;
  }

  private static int find(Operation[] operations, int length) {
    for (int i = 0; i < length; i++) {
      if (operations[i] != null && isDone(operations[i])) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isDone(Operation operation) {
    return operation.isDone() || operation.advance() && operation.isDone();
  }
}
