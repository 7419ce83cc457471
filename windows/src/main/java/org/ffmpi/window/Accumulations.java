// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.collective.OpAccess;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;

/**
 * The accumulating calls. They combine elements of a part that this rank reaches before they return, piece by piece
 * under the locks of {@link Stripes}, and request others of the part's owner. The calls of one rank are in order.
 */
public final class Accumulations {
  /** Bytes of one stage, for origins whose elements have no address or lie apart. */
  private static final int STAGE = 8192;

  /** The combination of the last call: programs repeat one operation on one type. */
  private record LastCall(Op<?> op, Datatype<?> type, Combination combination) {}

  private final WindowState state;
  private final Epochs epochs;
  private final WindowTable table;
  private final Stripes stripes;
  /** Addresses of the synchronization blocks of all ranks; null without shared memory. */
  private final long[] blocks;
  private final RemoteAccess remote;
  /** Null unless everything is checked. */
  private final WindowChecks checks;
  private final SingleWords words;
  private volatile LastCall lastCombining;
  /** The last call of REPLACE, or of compare-and-swap. */
  private volatile LastCall lastReplacing;
  private final AtomicReference<MemorySegment> stage = new AtomicReference<>();

  Accumulations(
      WindowState state, Epochs epochs, WindowTable table, Stripes stripes, long[] blocks, RemoteAccess remote,
      WindowChecks checks) {
    this.state = state;
    this.epochs = epochs;
    this.table = table;
    this.stripes = stripes;
    this.blocks = blocks;
    this.remote = remote;
    this.checks = checks;
    this.words = new SingleWords(state, epochs, table, stripes, blocks);
  }

  // ---- the calls

  public void accumulate(Buf<?> origin, int target, long disp, Op<?> op) {
    if (op != Op.NO_OP && combineWord(origin, null, target, disp, op)
        || isNothingToDo(origin, null, false, target, op)) {
      return;
    }
    BufImpl<?> buf = BufImpl.of(origin);
    combine(buf, null, target, disp, buf.count(), buf.plan(), combination(op, buf.type(), buf.type()));
  }

  public void accumulate(Buf<?> origin, int target, long disp, long count, Datatype<?> type, Op<?> op) {
    if (isNothingToDo(origin, null, false, target, op)) {
      return;
    }
    BufImpl<?> buf = BufImpl.of(origin);
    Plan plan = TargetType.plan(state, count, type, buf);
    combine(buf, null, target, disp, count, plan, combination(op, buf.type(), type));
  }

  public void getAccumulate(Buf<?> origin, Buf<?> result, int target, long disp, Op<?> op) {
    if (isNothingToDo(origin, result, true, target, op)) {
      return;
    }
    BufImpl<?> into = BufImpl.of(result);
    getAccumulate(origin, into, target, disp, into.count(), into.type(), op);
  }

  public void getAccumulate(
      Buf<?> origin, Buf<?> result, int target, long disp, long count, Datatype<?> type, Op<?> op) {
    if (!isNothingToDo(origin, result, true, target, op)) {
      getAccumulate(origin, BufImpl.of(result), target, disp, count, type, op);
    }
  }

  private void getAccumulate(
      Buf<?> origin, BufImpl<?> into, int target, long disp, long count, Datatype<?> type, Op<?> op) {
    Plan plan = TargetType.plan(state, count, type, into);
    BufImpl<?> from = op == Op.NO_OP ? null : BufImpl.of(origin);
    if (from != null) {
      TargetType.plan(state, count, type, from);
    }
    combination(op, into.type(), type); // throws if the result has another type
    combine(from, into, target, disp, count, plan, combination(op, from == null ? type : from.type(), type));
  }

  public void fetchAndOp(Buf<?> origin, Buf<?> result, int target, long disp, Op<?> op) {
    if (result != null && combineWord(origin, result, target, disp, op)
        || isNothingToDo(origin, result, true, target, op)) {
      return;
    }
    BufImpl<?> into = BufImpl.of(result);
    checkOne("result", into);
    BufImpl<?> from = op == Op.NO_OP ? null : BufImpl.of(origin);
    if (from != null) {
      checkOne("origin", from);
    }
    combine(from, into, target, disp, 1, into.plan(),
        combination(op, from == null ? into.type() : from.type(), into.type()));
  }

  /** Fast path for one element, if operation and type equal those of the last call. */
  private boolean combineWord(Buf<?> origin, Buf<?> result, int target, long disp, Op<?> op) {
    LastCall last = op == Op.REPLACE ? lastReplacing : lastCombining;
    return checks == null && last != null && last.op == op && last.combination.word() != null
        && words.combine(last.combination, last.type, origin, result, target, disp);
  }

  private void checkOne(String argument, BufImpl<?> buf) {
    if (buf.count() != 1) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_COUNT, "count of " + argument, buf.count(), "1 element of a predefined type"));
    }
    if (!buf.type().isPredefined()) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_TYPE, "type of " + argument, buf.type(), "predefined types"));
    }
  }

  public long fetchAndAdd(long value, int target, long disp) {
    state.checkCommunication();
    state.checkRank("target", target);
    epochs.checkCovers(target);
    try {
      long at = table.position(target, disp, 1, Long.BYTES, 0, Long.BYTES);
      long place = table.address(target, at, 0);
      if (place == 0) {
        long[] result = {0};
        fetchAndOp(Buf.of(new long[] {value}), Buf.of(result), target, disp, Op.SUM);
        remote.complete(target);
        return result[0];
      }
      if (checks != null) {
        AccumulateUnit unit = AccumulateUnit.of(Datatype.INT64_T);
        checks.fetchAndAdd(target, at, unit.plan(), unit);
      }
      long word = SyncLayout.stripeAddress(blocks[target], Stripes.of(at));
      stripes.lock(word);
      long before = Raw.getLong(place);
      Raw.putLong(place, before + value);
      Stripes.unlock(word);
      if (checks != null) {
        checks.fetched(state.engine.completed());
      }
      return before;
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public void compareAndSwap(Buf<?> origin, Buf<?> compare, Buf<?> result, int target, long disp) {
    LastCall last = lastReplacing;
    if (checks == null && last != null && last.combination.word() != null
        && words.swap(last.combination, last.type, origin, compare, result, target, disp)
        || isNothingToDo(origin, result, true, target, Op.REPLACE)) {
      return;
    }
    state.checkMemory("compare", compare, false);
    BufImpl<?> from = BufImpl.of(origin);
    BufImpl<?> wanted = BufImpl.of(compare);
    BufImpl<?> into = BufImpl.of(result);
    checkOne("origin", from);
    checkOne("compare", wanted);
    checkOne("result", into);
    if (isCounted(from) || isCounted(wanted) || isCounted(into)) {
      HeldAccess.run(state, remote, target, () -> swap(from, wanted, into, target, disp),
          BufUses.reading(from).reads(wanted).writes(into));
    } else {
      swap(from, wanted, into, target, disp);
    }
  }

  private void swap(BufImpl<?> from, BufImpl<?> wanted, BufImpl<?> into, int target, long disp) {
    AccumulateUnit unit = combination(Op.REPLACE, from.type(), into.type()).unit();
    if (!unit.isComparable()
        || wanted.type() != from.type() && !unit.equals(AccumulateUnit.of(wanted.type()))) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_TYPE, "types", from.type() + " and " + wanted.type(), "one integer, logical or byte type"));
    }
    try {
      Plan plan = into.plan();
      long at = table.position(target, disp, 1, plan);
      if (checks != null) {
        checks.swap(from, wanted, into, target, at, plan, unit);
      }
      long place = table.address(target, at, plan.trueLowerBound());
      if (place != 0) {
        compareAndSwap(from, wanted, into, place, SyncLayout.stripeAddress(blocks[target], Stripes.of(at)));
      } else {
        remote.compareAndSwap(from, wanted, into, target, at, unit);
      }
      if (checks != null) {
        checks.started(() -> remote.pending(target));
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private void compareAndSwap(BufImpl<?> from, BufImpl<?> wanted, BufImpl<?> into, long place, long word) {
    long bytes = into.packedBytes();
    long scratch = StripeLayout.scratchAddress(word);
    stripes.lock(word);
    try {
      pack(wanted, 0, bytes, scratch);
      boolean equal = Raw.equal(scratch, place, bytes);
      into.plan().unpack(place, into.memoryKind(), into.memoryOwner(), into.memoryOffset(), 1, 0, bytes);
      if (equal) {
        pack(from, 0, bytes, place);
      }
    } finally {
      Stripes.unlock(word);
    }
  }

  private static void pack(BufImpl<?> buf, long from, long bytes, long to) {
    buf.plan().pack(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), from, bytes, to);
  }

  // ---- checks

  /**
   * Makes the checks that are common to all calls, and returns whether the target is PROC_NULL.
   *
   * @param fetches whether the call has a result
   */
  private boolean isNothingToDo(Buf<?> origin, Buf<?> result, boolean fetches, int target, Op<?> op) {
    state.checkCommunication();
    if (op == null || OpAccess.predefined(op) == null || op == Op.NO_OP && !fetches) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_OP, "op", op,
          fetches ? "predefined operations, REPLACE and NO_OP" : "predefined operations and REPLACE"));
    }
    if (op != Op.NO_OP) {
      state.checkMemory("origin", origin, false);
    }
    if (fetches) {
      state.checkMemory("result", result, true);
    }
    if (state.isProcNull(target)) {
      return true;
    }
    epochs.checkCovers(target);
    return false;
  }

  private static boolean isCounted(BufImpl<?> buf) {
    return buf != null && buf.isCounted();
  }

  private Combination combination(Op<?> op, Datatype<?> originType, Datatype<?> type) {
    LastCall last = op == Op.REPLACE ? lastReplacing : lastCombining;
    if (last != null && last.op == op && last.type == type && originType == type) {
      return last.combination;
    }
    try {
      AccumulateUnit unit = AccumulateUnit.of(type);
      if (originType != type && !unit.equals(AccumulateUnit.of(originType))) {
        throw MpiException.argument(ErrorClass.ERR_TYPE, "type", type, "types made of " + AccumulateUnit.of(originType)
            + ", as the other end's " + originType);
      }
      PredefinedOp predefined = OpAccess.predefined(op);
      Combination made = Combination.of(predefined, unit);
      if (originType == type && type.isPredefined()) {
        LastCall now = new LastCall(op, type, made);
        if (op == Op.REPLACE) {
          lastReplacing = now;
        } else {
          lastCombining = now;
        }
      }
      return made;
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  // ---- combining

  private void combine(
      BufImpl<?> from, BufImpl<?> into, int target, long disp, long count, Plan plan, Combination how) {
    if (isCounted(from) || isCounted(into)) {
      HeldAccess.run(
          state, remote, target, () -> combineNow(from, into, target, disp, count, plan, how),
          BufUses.reading(from).writes(into));
    } else {
      combineNow(from, into, target, disp, count, plan, how);
    }
  }

  private void combineNow(
      BufImpl<?> from, BufImpl<?> into, int target, long disp, long count, Plan plan, Combination how) {
    try {
      long at = table.position(target, disp, count, plan);
      if (checks != null) {
        checks.accumulate(from, into, target, at, count, plan, how);
      }
      if (plan.packedBytes(count) == 0) {
        return;
      }
      long place = table.address(target, at, plan.trueLowerBound());
      if (place == 0) {
        remote.combine(from, into, target, at, count, plan, how);
      } else if (plan.isRun(count) && how.unit().isDense()) {
        combineRun(from, into, blocks[target], at + plan.trueLowerBound(), place + plan.trueLowerBound(),
            plan.packedBytes(count), how);
      } else {
        combineScattered(from, into, blocks[target], at, place, count, plan, how);
      }
      if (checks != null && into != null && !into.isCounted()) {
        checks.started(() -> remote.pending(target));
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Combines contiguous elements, one piece of a stripe at a time. */
  private void combineRun(
      BufImpl<?> from, BufImpl<?> into, long block, long at, long place, long bytes, Combination how) {
    boolean direct = from != null && from.memoryKind() == Memory.NATIVE && from.plan().isRun(from.count());
    if (from == null || direct) {
      long source = direct ? from.memoryOffset() + from.plan().trueLowerBound() : 0;
      for (long done = 0; done < bytes;) {
        long n = pieceBytes(at + done, bytes - done, how.unit().size());
        long word = SyncLayout.stripeAddress(block, Stripes.of(at + done));
        stripes.lock(word);
        try {
          fetch(into, place + done, done, n);
          how.apply(source + done, place + done, n);
        } finally {
          Stripes.unlock(word);
        }
        done += n;
      }
      if (direct) {
        Reference.reachabilityFence(from.memoryOwner());
      }
    } else if (bytes <= StripeLayout.SCRATCH_BYTES && pieceBytes(at, bytes, how.unit().size()) == bytes) {
      long word = SyncLayout.stripeAddress(block, Stripes.of(at));
      stripes.lock(word);
      try {
        pack(from, 0, bytes, StripeLayout.scratchAddress(word));
        fetch(into, place, 0, bytes);
        how.apply(StripeLayout.scratchAddress(word), place, bytes);
      } finally {
        Stripes.unlock(word);
      }
    } else {
      combineStaged(from, into, block, at, place, bytes, how);
    }
  }

  /** Combines contiguous elements with an origin that is an array, or whose elements lie apart. */
  private void combineStaged(
      BufImpl<?> from, BufImpl<?> into, long block, long at, long place, long bytes, Combination how) {
    MemorySegment mine = stage.getAndSet(null);
    if (mine == null) {
      mine = Arena.ofAuto().allocate(STAGE + 64, 64);
    }
    long staged = Raw.address(mine);
    long most = STAGE - STAGE % how.unit().size();
    for (long done = 0; done < bytes;) {
      long n = Math.min(most, pieceBytes(at + done, bytes - done, how.unit().size()));
      pack(from, done, n, staged);
      long word = SyncLayout.stripeAddress(block, Stripes.of(at + done));
      stripes.lock(word);
      try {
        fetch(into, place + done, done, n);
        how.apply(staged, place + done, n);
      } finally {
        Stripes.unlock(word);
      }
      done += n;
    }
    stage.set(mine);
  }

  /** Returns the bytes from a position on of elements that begin in the same piece. */
  private static long pieceBytes(long position, long bytes, long unit) {
    long inside = Stripes.end(position) - position;
    return Math.min(bytes, (inside + unit - 1) / unit * unit);
  }

  private static void fetch(BufImpl<?> into, long place, long from, long bytes) {
    if (into != null) {
      into.plan().unpack(
          place, into.memoryKind(), into.memoryOwner(), into.memoryOffset(), into.count(), from, bytes);
    }
  }

  /** Combines elements with gaps between or inside them. */
  private void combineScattered(
      BufImpl<?> from, BufImpl<?> into, long block, long at, long place, long count, Plan plan, Combination how) {
    ScatteredElements.combine(stripes, block, at, place, count, plan, how,
        from == null ? null : (first, bytes, to) -> pack(from, first, bytes, to),
        into == null ? null : (packed, first, bytes) -> fetch(into, packed, first, bytes));
  }
}
