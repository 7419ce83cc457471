// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.Buf;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.plan.Plan;

/**
 * Puts and gets. Each call tests its arguments in a single condition; errors, and rare cases such as {@code PROC_NULL},
 * are handled out of line. Elements of a part that this rank reaches are copied before the call returns, by the plans
 * of both ends; the kernel or their owner transfers others.
 */
public final class WindowData {
  private final WindowState state;
  private final Epochs epochs;
  private final WindowTable table;
  private final RemoteAccess remote;
  /** Null when the kernel reaches no part. */
  private final CrossMemoryAccess crossMemory;
  /** Null unless everything is checked. */
  private final WindowChecks checks;

  WindowData(
      WindowState state, Epochs epochs, WindowTable table, RemoteAccess remote, CrossMemoryAccess crossMemory,
      WindowChecks checks) {
    this.state = state;
    this.epochs = epochs;
    this.table = table;
    this.remote = remote;
    this.crossMemory = crossMemory;
    this.checks = checks;
  }

  // ---- put

  public void put(Buf<?> origin, int target, long disp) {
    BufImpl<?> buf = BufImpl.of(origin);
    if (needsCheck(buf, target, false) && isNothingToDo(buf, target, false)) {
      return;
    }
    put(buf, target, disp, buf.count(), buf.plan());
  }

  public void put(Buf<?> origin, int target, long disp, long count, Datatype<?> type) {
    BufImpl<?> buf = BufImpl.of(origin);
    if (needsCheck(buf, target, false) && isNothingToDo(buf, target, false)) {
      return;
    }
    put(buf, target, disp, count, TargetType.plan(state, count, type, buf));
  }

  private void put(BufImpl<?> buf, int target, long disp, long count, Plan plan) {
    if (buf.isCounted()) {
      HeldAccess.run(state, remote, target, () -> putNow(buf, target, disp, count, plan), BufUses.reading(buf));
    } else {
      putNow(buf, target, disp, count, plan);
    }
  }

  private void putNow(BufImpl<?> buf, int target, long disp, long count, Plan plan) {
    try {
      long at = table.position(target, disp, count, plan);
      if (checks != null) {
        checks.put(buf, target, at, count, plan);
      }
      long place = table.address(target, at, plan.trueLowerBound());
      if (place != 0) {
        PartCopy.toPart(buf, place, count, plan);
      } else if (crossMemory == null || !crossMemory.put(buf, target, at, count, plan)) {
        remote.put(buf, target, at, count, plan);
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  // ---- get

  public void get(Buf<?> origin, int target, long disp) {
    BufImpl<?> buf = BufImpl.of(origin);
    if (needsCheck(buf, target, true) && isNothingToDo(buf, target, true)) {
      return;
    }
    get(buf, target, disp, buf.count(), buf.plan());
  }

  public void get(Buf<?> origin, int target, long disp, long count, Datatype<?> type) {
    BufImpl<?> buf = BufImpl.of(origin);
    if (needsCheck(buf, target, true) && isNothingToDo(buf, target, true)) {
      return;
    }
    get(buf, target, disp, count, TargetType.plan(state, count, type, buf));
  }

  private void get(BufImpl<?> buf, int target, long disp, long count, Plan plan) {
    if (buf.isCounted()) {
      HeldAccess.run(state, remote, target, () -> getNow(buf, target, disp, count, plan),
          new BufUses().writes(buf));
    } else {
      getNow(buf, target, disp, count, plan);
    }
  }

  private void getNow(BufImpl<?> buf, int target, long disp, long count, Plan plan) {
    try {
      long at = table.position(target, disp, count, plan);
      if (checks != null) {
        checks.get(buf, target, at, count, plan);
      }
      long place = table.address(target, at, plan.trueLowerBound());
      if (place != 0) {
        PartCopy.fromPart(place, count, plan, buf);
      } else if (crossMemory == null || !crossMemory.get(buf, target, at, count, plan)) {
        remote.get(buf, target, at, count, plan);
      }
      if (checks != null && !buf.isCounted()) {
        checks.started(() -> remote.pending(target));
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  // ---- out of line

  private boolean needsCheck(BufImpl<?> buf, int target, boolean written) {
    return buf == null || !(written ? buf.isReceivable() : buf.isSendable()) || target < 0 || target >= state.size
        || !state.world.isUsable() || !epochs.covers(target);
  }

  /** Checks an access argument by argument, and returns whether its target is PROC_NULL. */
  private boolean isNothingToDo(BufImpl<?> buf, int target, boolean written) {
    state.checkCommunication();
    state.checkMemory("origin", buf, written);
    if (state.isProcNull(target)) {
      return true;
    }
    epochs.checkCovers(target);
    return false;
  }
}
