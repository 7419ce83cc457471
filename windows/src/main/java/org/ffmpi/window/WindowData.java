// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.Buf;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.plan.Plan;

/**
 * Puts and gets. Each call tests its arguments in a single condition; what is wrong, and the rare cases such as {@code
 * PROC_NULL}, are found out of line. Elements of a part that this rank reaches are copied here and now, by the plans of
 * both ends together; others are asked for.
 */
public final class WindowData {
  private final WindowState state;
  private final Epochs epochs;
  private final WindowTable table;
  private final Served served;
  /** Null where no part is reached through the kernel. */
  private final Crossing crossing;
  /** Null where not everything is checked. */
  private final AccessLog log;

  WindowData(
      WindowState state, Epochs epochs, WindowTable table, Served served, Crossing crossing, AccessLog log) {
    this.state = state;
    this.epochs = epochs;
    this.table = table;
    this.served = served;
    this.crossing = crossing;
    this.log = log;
  }

  // ---- put

  public void put(Buf<?> origin, int target, long disp) {
    BufImpl<?> buf = BufImpl.of(origin);
    if (needsCare(buf, target, false) && isNothingToDo(buf, target, false)) {
      return;
    }
    put(buf, target, disp, buf.count(), buf.plan());
  }

  public void put(Buf<?> origin, int target, long disp, long count, Datatype<?> type) {
    BufImpl<?> buf = BufImpl.of(origin);
    if (needsCare(buf, target, false) && isNothingToDo(buf, target, false)) {
      return;
    }
    put(buf, target, disp, count, TargetType.plan(state, count, type, buf));
  }

  private void put(BufImpl<?> buf, int target, long disp, long count, Plan plan) {
    if (buf.isCounted()) {
      Held.run(state, served, target, () -> putNow(buf, target, disp, count, plan), BufUses.reading(buf));
    } else {
      putNow(buf, target, disp, count, plan);
    }
  }

  private void putNow(BufImpl<?> buf, int target, long disp, long count, Plan plan) {
    try {
      long at = table.position(target, disp, count, plan);
      if (log != null) {
        log.put(target, at, count, plan);
      }
      long place = table.address(target, at, plan.trueLowerBound());
      if (place != 0) {
        Moves.toPart(buf, place, count, plan);
      } else if (crossing == null || !crossing.put(buf, target, at, count, plan)) {
        served.put(buf, target, at, count, plan);
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  // ---- get

  public void get(Buf<?> origin, int target, long disp) {
    BufImpl<?> buf = BufImpl.of(origin);
    if (needsCare(buf, target, true) && isNothingToDo(buf, target, true)) {
      return;
    }
    get(buf, target, disp, buf.count(), buf.plan());
  }

  public void get(Buf<?> origin, int target, long disp, long count, Datatype<?> type) {
    BufImpl<?> buf = BufImpl.of(origin);
    if (needsCare(buf, target, true) && isNothingToDo(buf, target, true)) {
      return;
    }
    get(buf, target, disp, count, TargetType.plan(state, count, type, buf));
  }

  private void get(BufImpl<?> buf, int target, long disp, long count, Plan plan) {
    if (buf.isCounted()) {
      Held.run(state, served, target, () -> getNow(buf, target, disp, count, plan),
          new BufUses().writes(buf));
    } else {
      getNow(buf, target, disp, count, plan);
    }
  }

  private void getNow(BufImpl<?> buf, int target, long disp, long count, Plan plan) {
    try {
      long at = table.position(target, disp, count, plan);
      if (log != null) {
        log.get(target, at, count, plan);
      }
      long place = table.address(target, at, plan.trueLowerBound());
      if (place != 0) {
        Moves.fromPart(place, count, plan, buf);
      } else if (crossing == null || !crossing.get(buf, target, at, count, plan)) {
        served.get(buf, target, at, count, plan);
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  // ---- out of line

  private boolean needsCare(BufImpl<?> buf, int target, boolean written) {
    return buf == null || !(written ? buf.isReceivable() : buf.isSendable()) || target < 0 || target >= state.size
        || !state.world.isUsable() || !epochs.covers(target);
  }

  /** Checks everything about an access and returns whether nothing is left to do. */
  private boolean isNothingToDo(BufImpl<?> buf, int target, boolean written) {
    state.checkCommunication();
    state.checkMemory("origin", buf, written);
    if (state.isNobody(target)) {
      return true;
    }
    epochs.checkCovers(target);
    return false;
  }
}
