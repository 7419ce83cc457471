// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.buffer.BufUses;
import org.ffmpi.buffer.HeldMemory;

/**
 * Accesses with buffers that have to be held, those in memory with counted users and those of objects: they are
 * complete here when the call returns.
 */
final class Held {
  private Held() {}

  /** Makes an access while its buffers are held. */
  static void run(WindowState state, Served served, int target, Runnable access, BufUses uses) {
    HeldMemory held;
    try {
      held = uses.hold();
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    boolean made = false;
    try {
      access.run(); // puts its errors through the handler itself
      made = true;
    } finally {
      if (!made) {
        held.close();
      }
    }
    try (held) {
      served.completeHere(target);
      held.deliver(null);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }
}
