// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.ffmpi.Win;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WindowWatch;

/**
 * The checks of a window's accesses, where everything is checked. The {@link AccessLog} compares them with each other,
 * unless a {@link WindowWatch} does, which follows the order of all that ranks do. The watch looks at their buffers.
 * Called by the threads that call the window; what is found is thrown.
 */
final class WindowChecks {
  /** Null where the watch compares accesses, and without shared memory. */
  private final AccessLog log;
  /** Null where a test has none. */
  private final WindowWatch watch;
  /** Whether this rank has accesses that no synchronization has completed. */
  private volatile boolean open;
  /** Whether the last fence has begun an epoch, and ended none with accesses. */
  private volatile boolean onlyOpens;
  /** The first lock after such a fence; null without one. */
  private volatile CallPlace lockInFence;
  private volatile boolean hasLockedAccess;
  /** The last access of a thread, as the log has it. */
  private final ThreadLocal<Logged> loggedOfThread = new ThreadLocal<>();
  /** What completes the last access of a thread, if it was not complete when it had been started. */
  private final ThreadLocal<Operation> pendingOfThread = new ThreadLocal<>();

  /** An access in the log. */
  private record Logged(int target, int serial) {}

  private WindowChecks(AccessLog log, WindowWatch watch) {
    this.log = log;
    this.watch = watch;
  }

  /** Returns the checks of a window; null for none. */
  static WindowChecks of(AccessLog log, WindowWatch watch) {
    return log == null && watch == null ? null
        : new WindowChecks(watch == null || !watch.comparesAccesses() ? log : null, watch);
  }

  /** Returns this rank's part as bytes; an absent buffer without any of its own, as in shared and dynamic windows. */
  static FlatBuffer bytesOf(Win.Flavor flavor, BufImpl<?> buf, MemorySegment memory, long bytes) {
    FlatBuffer part = new FlatBuffer();
    if (flavor == Win.Flavor.SHARED) {
      return part;
    }
    Plan plan = TypeHandle.planOf(Datatype.BYTE);
    if (buf != null) {
      part.set(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), bytes, plan);
    } else if (memory != null) {
      part.set(Memory.NATIVE, memory, Raw.address(memory), bytes, plan);
    }
    return part;
  }

  // ---- accesses

  private void begin() {
    open = true;
    hasLockedAccess = true;
    pendingOfThread.remove();
  }

  void put(BufImpl<?> origin, int target, long position, long count, Plan plan) {
    begin();
    if (log != null) {
      loggedOfThread.set(new Logged(target, log.put(target, position, count, plan)));
    }
    if (watch != null) {
      watch.access(new WindowWatch.Access(
          null, null, false, target, position, count, plan, flat(origin), null, null));
    }
  }

  void get(BufImpl<?> origin, int target, long position, long count, Plan plan) {
    begin();
    if (log != null) {
      loggedOfThread.set(new Logged(target, log.get(target, position, count, plan)));
    }
    if (watch != null) {
      watch.access(new WindowWatch.Access(
          null, null, false, target, position, count, plan, null, null, flat(origin)));
    }
  }

  void accumulate(
      BufImpl<?> from, BufImpl<?> into, int target, long position, long count, Plan plan, Combination how) {
    begin();
    if (log != null) {
      loggedOfThread.set(new Logged(
          target, log.accumulate(target, position, count, plan, how.op(), how.unit(), into != null)));
    }
    if (watch != null) {
      watch.access(new WindowWatch.Access(
          how.op(), how.unit(), false, target, position, count, plan, flat(from), null, flat(into)));
    }
  }

  void swap(
      BufImpl<?> from, BufImpl<?> wanted, BufImpl<?> into, int target, long position, Plan plan,
      AccumulateUnit unit) {
    begin();
    if (log != null) {
      loggedOfThread.set(new Logged(target, log.swap(target, position, plan, unit)));
    }
    if (watch != null) {
      watch.access(new WindowWatch.Access(
          PredefinedOp.REPLACE, unit, true, target, position, 1, plan, flat(from), flat(wanted), flat(into)));
    }
  }

  /** Adds a sum of one element whose result is at hand, see {@link Accumulations#fetchAndAdd}. */
  void fetchAndAdd(int target, long position, Plan plan, AccumulateUnit unit) {
    begin();
    if (log != null) {
      loggedOfThread.set(new Logged(
          target, log.accumulate(target, position, 1, plan, PredefinedOp.SUM, unit, true)));
    }
    if (watch != null) {
      watch.access(new WindowWatch.Access(
          PredefinedOp.SUM, unit, false, target, position, 1, plan, null, null, null));
    }
  }

  /** Notes that the last access of this thread, a {@link #fetchAndAdd}, has its result. */
  void fetched(Operation completed) {
    if (log != null) {
      complete(loggedOfThread.get());
    } else if (watch != null) {
      watch.requested(completed, () -> {}).release();
    }
  }

  /**
   * Notes that the last access of this thread, which has a result, has been started.
   *
   * @param pending returns what completes when the access is complete at this rank; null when it is
   */
  void started(Supplier<Operation> pending) {
    if (watch != null && !watch.comparesAccesses()) {
      Operation last = pending.get();
      watch.started(last);
      pendingOfThread.set(last == null || last.isDone() && last.error() == null ? null : last);
    }
  }

  /** Returns what completes the last access of this thread, if {@link #started} was told; otherwise null. */
  Operation takePending() {
    Operation last = pendingOfThread.get();
    pendingOfThread.remove();
    return last;
  }

  /** Returns whether this rank has accesses that no synchronization has completed. */
  boolean hasOpen() {
    return open;
  }

  private static FlatBuffer flat(BufImpl<?> buf) {
    if (buf == null) {
      return null;
    }
    FlatBuffer flat = new FlatBuffer();
    flat.set(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan());
    return flat;
  }

  /** Returns an operation that stands for the last access of this thread, which completes with another one. */
  Operation requested(Operation started) {
    if (watch == null) {
      return started;
    }
    Logged last = log == null ? null : loggedOfThread.get();
    return watch.requested(started, () -> complete(last));
  }

  private void complete(Logged access) {
    if (access != null) {
      log.removeFetched(access.target, access.serial);
    }
  }

  // ---- completion

  /** Notes that this rank's accesses to a target are complete. */
  void completed(int target) {
    open = false;
    if (log != null) {
      log.removeCompleted(target);
    }
    if (watch != null) {
      watch.completed(target, false);
    }
  }

  void completedAll() {
    open = false;
    if (log != null) {
      log.removeAllCompleted();
    }
    if (watch != null) {
      watch.completed(WindowWatch.ALL, false);
    }
  }

  void completedLocally(int target) {
    if (log != null && target == WindowWatch.ALL) {
      log.removeAllFetched();
    } else if (log != null) {
      log.removeFetched(target);
    }
    if (watch != null) {
      watch.completed(target, true);
    }
  }

  // ---- order

  /** Notes that this rank locks a part though the last fence has begun an epoch. */
  void lockedAfterFence() {
    lockInFence = onlyOpens ? CallPlace.ofThisThread() : null;
    hasLockedAccess = false;
  }

  /** Returns the lock since the last fence under which this rank has accessed a part, or null. */
  CallPlace lockInFence() {
    return hasLockedAccess ? lockInFence : null;
  }

  /** Notes that this rank's accesses are complete before a fence. */
  void completedByFence() {
    open = false;
    if (watch != null) {
      watch.completed(WindowWatch.ALL, false);
    }
  }

  void beforeFence() {
    if (watch != null) {
      watch.before(WindowWatch.Order.FENCE, null);
    }
  }

  /**
   * Begins the epoch after a fence.
   *
   * @param opens whether accesses may follow the fence
   * @param hasPuts whether puts and accumulates to this rank's part may follow
   * @return whether the ranks have to meet once more before they access each other
   */
  boolean afterFence(boolean opens, boolean hasPuts) {
    lockInFence = null;
    if (watch != null) {
      watch.after(WindowWatch.Order.FENCE, null);
    }
    if (log != null) {
      log.beginFenceEpoch(hasPuts);
    }
    onlyOpens = opens && log != null && !log.hadAccesses();
    return log != null;
  }

  /** Reports to ranks, or to all if no rank is named. */
  void before(WindowWatch.Order order, int... ranks) {
    if (log != null && order == WindowWatch.Order.CLOSE) {
      log.close();
    }
    if (watch != null) {
      watch.before(order, order == WindowWatch.Order.CLOSE ? null : ranks);
    }
  }

  void after(WindowWatch.Order order, int... ranks) {
    if (watch != null) {
      watch.after(order, order == WindowWatch.Order.CLOSE ? null : ranks);
    }
  }

  void locked(int target, boolean exclusive) {
    if (watch != null) {
      watch.locked(target, exclusive);
    }
  }

  void unlocking(int target, boolean exclusive) {
    if (watch != null) {
      watch.unlocking(target, exclusive);
    }
  }

  /** Returns the watch, or null. */
  WindowWatch watch() {
    return watch;
  }
}
