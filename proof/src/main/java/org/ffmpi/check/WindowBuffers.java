// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WindowWatch;

/**
 * The buffers of one rank's accesses to a window, from the call until the synchronization that completes it, and the
 * memory of the window itself. Called by the threads that call the window. An access that has no result yet is waited
 * for, but not for long.
 */
final class WindowBuffers implements WindowWatch {
  /** How long the result of an access is waited for, to see later stores to its buffer. */
  private static final long RESULT_NANOS = 100_000_000;

  /** How many accesses may be without a result after that time before none is waited for. */
  private static final int MOST_LATE = 8;

  /** An access that is not complete; without buffers once those are free again. */
  private record Running(int target, List<LentBuffer> buffers) {}

  /** A get that is not complete, with its place at the target and its buffer. */
  private record Got(int target, long position, long count, Plan plan, int array, long offset) {
    static Got of(Access access) {
      FlatBuffer into = access.written();
      return into == null || !into.isPresent() ? null : new Got(
          access.target(), access.position(), access.count(), access.plan(), System.identityHashCode(into.owner()),
          into.offset());
    }
  }

  private final CheckEngine engine;
  private final CallPlace made = CallPlace.ofThisThread();
  private final Object memory;
  private final List<Running> running = new ArrayList<>();
  private final ThreadLocal<Running> lastOfThread = new ThreadLocal<>();
  private final Set<Got> gets = ConcurrentHashMap.newKeySet();
  private volatile int late;

  WindowBuffers(CheckEngine engine, Parts parts) {
    this.engine = engine;
    this.memory = parts.own().isPresent() ? parts.own().owner() : null;
  }

  @Override
  public boolean comparesAccesses() {
    return false;
  }

  @Override
  public void access(Access access) {
    lastOfThread.remove();
    Got got = access.op() == null && access.read() == null ? Got.of(access) : null;
    if (got != null && gets.contains(got)) {
      return; // the same get again, which leaves the same in its buffer
    }
    CallPlace place = CallPlace.ofThisThread();
    List<LentBuffer> used = new CopyOnWriteArrayList<>();
    if (access.op() != PredefinedOp.NO_OP) {
      add(used, access.read(), false, place);
    }
    add(used, access.compared(), false, place);
    add(used, access.written(), true, place);
    engine.buffers().lend(used);
    used.forEach(LentBuffer::remember);
    Running started = new Running(access.target(), used);
    synchronized (running) {
      running.add(started);
    }
    lastOfThread.set(started);
    if (got != null) {
      gets.add(got);
    }
  }

  private static void add(List<LentBuffer> into, FlatBuffer buffer, boolean isWritten, CallPlace place) {
    if (buffer != null && buffer.isPresent() && buffer.count() > 0) {
      into.add(new LentBuffer(
          isWritten, place, buffer.kind(), buffer.owner(), buffer.offset(), buffer.count(), buffer.plan()));
    }
  }

  @Override
  public void started(Operation pending) {
    Running last = lastOfThread.get();
    boolean hasResult = false;
    for (int i = 0; last != null && i < last.buffers.size(); i++) {
      hasResult |= last.buffers.get(i).isWritten;
    }
    if (!hasResult) {
      return;
    }
    if (pending != null && !pending.isDone()) {
      if (late >= MOST_LATE || !engine.awaitFor(pending, RESULT_NANOS)) {
        late++;
        return;
      }
    }
    for (LentBuffer buffer : last.buffers) {
      if (buffer.isWritten) {
        buffer.rememberWritten();
      }
    }
  }

  @Override
  public Operation requested(Operation started, Runnable onSeen) {
    Running last = lastOfThread.get();
    return new LentOperation(engine, started, last == null ? List.of() : last.buffers, onSeen).awaken();
  }

  @Override
  public void completed(int target, boolean locally) {
    List<Running> ended = new ArrayList<>();
    gets.removeIf(got -> target == ALL || got.target == target);
    synchronized (running) {
      running.removeIf(each -> {
        boolean isEnded = target == ALL || each.target == target;
        if (isEnded) {
          ended.add(each);
        }
        return isEnded;
      });
    }
    MpiException misuse = null;
    for (Running each : ended) {
      misuse = misuse == null ? engine.buffers().findMisuse(each.buffers) : misuse;
      engine.buffers().giveBack(each.buffers);
      each.buffers.clear(); // its request, if it has one, may be completed later
    }
    if (misuse != null) {
      throw misuse;
    }
  }

  @Override
  public void before(Order order, int[] ranks) {
    if (order == Order.CLOSE) {
      completed(ALL, false);
      if (memory != null && !Memory.isAlive(memory)) {
        throw new MpiException(
            ErrorClass.ERR_BUFFER,
            made + " uses memory until " + CallPlace.ofThisThread() + "; its arena was closed before that: close it"
                + " after the window");
      }
    }
  }

  @Override
  public void after(Order order, int[] ranks) {}

  @Override
  public void locked(int target, boolean exclusive) {}

  @Override
  public void unlocking(int target, boolean exclusive) {}

  @Override
  public void attached(MemorySegment attached) {}

  @Override
  public void detached(MemorySegment detached) {}
}
