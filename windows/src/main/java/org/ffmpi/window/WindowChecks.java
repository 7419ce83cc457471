// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WindowWatch;

/**
 * The checks of a window's accesses against each other, where everything is checked, by the {@link AccessLog} or by a
 * {@link WindowWatch}, which follows the order of all that ranks do. Called by the threads that call the window; what
 * is found is thrown.
 */
final class WindowChecks {
  /** Null where the watch checks, and without shared memory. */
  private final AccessLog log;
  /** Null unless races are looked for. */
  private final WindowWatch watch;

  private WindowChecks(AccessLog log, WindowWatch watch) {
    this.log = log;
    this.watch = watch;
  }

  /** Returns the checks of a window; null for none. */
  static WindowChecks of(AccessLog log, WindowWatch watch) {
    return log == null && watch == null ? null : new WindowChecks(watch == null ? log : null, watch);
  }

  /** Returns this rank's part as bytes, for its watch; an absent buffer without a buffer and without memory. */
  static FlatBuffer bytesOf(BufImpl<?> buf, MemorySegment memory, long bytes) {
    FlatBuffer part = new FlatBuffer();
    Plan plan = TypeHandle.planOf(Datatype.BYTE);
    if (buf != null) {
      part.set(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), bytes, plan);
    } else if (memory != null) {
      part.set(Memory.NATIVE, memory, Raw.address(memory), bytes, plan);
    }
    return part;
  }

  // ---- accesses

  void put(BufImpl<?> origin, int target, long position, long count, Plan plan) {
    if (log != null) {
      log.put(target, position, count, plan);
    } else {
      watch.access(new WindowWatch.Access(
          null, null, false, target, position, count, plan, flat(origin), null, null));
    }
  }

  void get(BufImpl<?> origin, int target, long position, long count, Plan plan) {
    if (log != null) {
      log.get(target, position, count, plan);
    } else {
      watch.access(new WindowWatch.Access(
          null, null, false, target, position, count, plan, null, null, flat(origin)));
    }
  }

  void accumulate(
      BufImpl<?> from, BufImpl<?> into, int target, long position, long count, Plan plan, Combination how) {
    if (log != null) {
      log.accumulate(target, position, count, plan, how.op(), how.unit());
    } else {
      watch.access(new WindowWatch.Access(
          how.op(), how.unit(), false, target, position, count, plan, flat(from), null, flat(into)));
    }
  }

  void swap(
      BufImpl<?> from, BufImpl<?> wanted, BufImpl<?> into, int target, long position, Plan plan,
      AccumulateUnit unit) {
    if (log != null) {
      log.swap(target, position, plan, unit);
    } else {
      watch.access(new WindowWatch.Access(
          PredefinedOp.REPLACE, unit, true, target, position, 1, plan, flat(from), flat(wanted), flat(into)));
    }
  }

  /** Adds a sum of one element whose result is at hand, see {@link Accumulations#fetchAndAdd}. */
  void fetchAndAdd(int target, long position, Plan plan, AccumulateUnit unit) {
    if (log != null) {
      log.accumulate(target, position, 1, plan, PredefinedOp.SUM, unit);
    } else {
      watch.access(new WindowWatch.Access(
          PredefinedOp.SUM, unit, false, target, position, 1, plan, null, null, null));
    }
  }

  /** Notes that the last access of this thread, a {@link #fetchAndAdd}, has its result. */
  void fetched(Operation completed) {
    if (log == null) {
      watch.requested(completed).release();
    }
  }

  private static FlatBuffer flat(BufImpl<?> buf) {
    if (buf == null) {
      return null;
    }
    FlatBuffer flat = new FlatBuffer();
    flat.set(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan());
    return flat;
  }

  Operation requested(Operation started) {
    return watch == null ? started : watch.requested(started);
  }

  // ---- completion

  /** Notes that this rank's accesses to a target are complete. */
  void completed(int target) {
    if (log != null) {
      log.removeCompleted(target);
    } else {
      watch.completed(target, false);
    }
  }

  void completedAll(int targets) {
    for (int target = 0; log != null && target < targets; target++) {
      log.removeCompleted(target);
    }
    if (log == null) {
      watch.completed(WindowWatch.ALL, false);
    }
  }

  void completedLocally(int target) {
    if (log == null) {
      watch.completed(target, true);
    }
  }

  // ---- order

  void beforeFence() {
    if (log == null) {
      watch.completed(WindowWatch.ALL, false);
      watch.before(WindowWatch.Order.FENCE, null);
    }
  }

  /** Returns whether the ranks have to meet once more before they access each other. */
  boolean afterFence() {
    if (log != null) {
      log.beginFenceEpoch();
      return true;
    }
    watch.after(WindowWatch.Order.FENCE, null);
    return false;
  }

  /** Reports to ranks, or to all if no rank is named. */
  void before(WindowWatch.Order order, int... ranks) {
    if (log == null) {
      watch.before(order, order == WindowWatch.Order.CLOSE ? null : ranks);
    }
  }

  void after(WindowWatch.Order order, int... ranks) {
    if (log == null) {
      watch.after(order, order == WindowWatch.Order.CLOSE ? null : ranks);
    }
  }

  void locked(int target, boolean exclusive) {
    if (log == null) {
      watch.locked(target, exclusive);
    }
  }

  void unlocking(int target, boolean exclusive) {
    if (log == null) {
      watch.unlocking(target, exclusive);
    }
  }

  /** Returns the watch, or null. */
  WindowWatch watch() {
    return watch;
  }
}
