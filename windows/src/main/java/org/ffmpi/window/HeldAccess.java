// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.buffer.BufUses;
import org.ffmpi.buffer.HeldMemory;

/**
 * An access whose buffers have to be held while it runs: those in memory with counted users, and those of objects. It
 * is complete at the origin when the call returns.
 */
final class HeldAccess {
  private HeldAccess() {}

  /** Runs an access while its buffers are held. */
  static void run(WindowState state, RemoteAccess remote, int target, Runnable access, BufUses uses) {
    HeldMemory held;
    try {
      held = uses.hold();
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    boolean done = false;
    try {
      access.run(); // calls the error handler itself
      done = true;
    } finally {
      if (!done) {
        held.close();
      }
    }
    try (held) {
      remote.completeLocally(target);
      held.deliver(null);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }
}
