// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;

/**
 * Finds conflicting accesses (MPI-4.1 §12.7), where everything is checked and ranks share memory: each target has a
 * table ({@link AccessLogLayout}) of the accesses under way. An access stands there from its call to the one that
 * completes it, which for one with a result may be a wait for its request; the origin that adds one compares it with
 * the others. Accesses to elements that lie apart, and those
 * that find the table full, are not checked.
 */
final class AccessLog {
  /** Kinds of accesses; that of an accumulate has its operation and its type in the higher bits. */
  private static final int PUT = 1;
  private static final int GET = 2;
  private static final int ACCUMULATE = 3;
  private static final int SWAP = 4;
  private static final int KIND_MASK = 0x7f;
  /** Bit of the kind of an accumulate with a result. */
  private static final int FETCHES = 0x80;
  private static final int OP_MASK = 0xff;

  /** Where the operation of an accumulate begins in its kind, and where its type does. */
  private static final int OP_SHIFT = 8;
  private static final int TYPE_SHIFT = 16;
  /** Where, in the bits of a type, the length of its elements begins. */
  private static final int SIZE_SHIFT = 8;

  /** The same memory as a part of another window. */
  private record Shared(int target, AccessLog log, int there, long shift) {}

  private final long[] logs;
  private final Stripes locks;
  private final int rank;
  private final WindowHints hints;
  private final AtomicInteger serials = new AtomicInteger();
  /** Number of fences that this rank has passed, which numbers the epochs between them. */
  private int fences;
  private boolean hadAccesses;
  private final List<Shared> shared = new CopyOnWriteArrayList<>();
  private final WindowOverlaps overlaps;
  private final Object name;
  private volatile boolean isClosed;

  /**
   * Creates the log of one rank.
   *
   * @param logs addresses of the tables of all targets
   * @param overlaps the windows of this rank
   * @param name describes the window
   */
  AccessLog(long[] logs, Stripes locks, int rank, WindowHints hints, WindowOverlaps overlaps, String name) {
    this.overlaps = overlaps;
    this.name = name;
    this.logs = logs;
    this.locks = locks;
    this.rank = rank;
    this.hints = hints;
  }

  // ---- other windows over the same memory

  /** Notes that a part is memory of another window, too; its position there is this one's and the shift. */
  void share(int target, AccessLog other, int there, long shift) {
    shared.add(new Shared(target, other, there, shift));
  }

  /** Forgets the other windows, before memory of this one is freed. */
  void close() {
    isClosed = true;
    overlaps.remove(this);
    shared.forEach(other -> other.log.shared.removeIf(back -> back.log == this));
    shared.clear();
  }

  /** Throws when an access through another window contradicts one here; not even accumulates are compatible then. */
  private void checkShared(AccessLog from, Shared as, int kind, long first, long end) {
    long log = logs[as.there];
    if (isClosed || AccessLogLayout.getPlainLength(log) == 0) {
      return;
    }
    locks.lock(log);
    try {
      long length = AccessLogLayout.getPlainLength(log);
      for (long i = 0; i < length; i++) {
        long entry = AccessLogLayout.entryAddress(log, i);
        int other = AccessLogLayout.getPlainKind(entry);
        if (AccessLogLayout.getPlainFirst(entry) < end + as.shift
            && first + as.shift < AccessLogLayout.getPlainEnd(entry)
            && AccessLogLayout.getPlainEpoch(entry) == fences && !(reads(kind) && reads(other))) {
          throw new MpiException(
              ErrorClass.ERR_RMA_CONFLICT, text(kind) + " of bytes " + first + " to " + (end - 1) + " of rank "
                  + as.target + "'s part of " + from.name + " contradicts " + text(other) + " of rank "
                  + AccessLogLayout.getPlainRank(entry) + " of " + name + ", to bytes "
                  + AccessLogLayout.getPlainFirst(entry) + " to " + (AccessLogLayout.getPlainEnd(entry) - 1)
                  + " there, which is the same memory: complete one before the other, or use one window");
        }
      }
    } finally {
      Stripes.unlock(log);
    }
  }

  // ---- accesses

  /** Adds an access, and returns its number at this rank. */
  int put(int target, long position, long count, Plan plan) {
    return add(target, PUT, position, count, plan);
  }

  int get(int target, long position, long count, Plan plan) {
    return add(target, GET, position, count, plan);
  }

  int accumulate(
      int target, long position, long count, Plan plan, PredefinedOp op, AccumulateUnit unit, boolean fetches) {
    int kind = ACCUMULATE | (fetches ? FETCHES : 0) | op.ordinal() << OP_SHIFT | typeBits(unit);
    return add(target, kind, position, count, plan);
  }

  int swap(int target, long position, Plan plan, AccumulateUnit unit) {
    return add(target, SWAP | typeBits(unit), position, 1, plan);
  }

  private int add(int target, int kind, long position, long count, Plan plan) {
    int serial = serials.incrementAndGet();
    if (plan.packedBytes(count) == 0) {
      return serial;
    }
    long ofTarget = logs[target];
    if (!reads(kind) && AccessLogLayout.getPlainQuiet(ofTarget) == fences + 1) {
      throw new MpiException(
          ErrorClass.ERR_RMA_CONFLICT, text(kind) + " to rank " + target + "'s part, but rank " + target
              + " has promised with MODE_NOPUT that there is none until the next fence");
    }
    AccessLogLayout.setPlainLast(ofTarget, fences + 1);
    if (!plan.isRun(count)) {
      return serial;
    }
    long first = position + plan.trueLowerBound();
    long end = first + plan.packedBytes(count);
    long log = logs[target];
    locks.lock(log);
    try {
      long length = AccessLogLayout.getPlainLength(log);
      for (long i = 0; i < length; i++) {
        long entry = AccessLogLayout.entryAddress(log, i);
        if (conflicts(entry, kind, first, end)) {
          throw conflict(entry, target, kind, first, end);
        }
      }
      if (length < AccessLogLayout.CAPACITY) {
        AccessLogLayout.setPlainEntry(
            AccessLogLayout.entryAddress(log, length), rank, kind, fences, serial, first, end);
        AccessLogLayout.setPlainLength(log, length + 1);
      }
    } finally {
      Stripes.unlock(log);
    }
    for (Shared other : shared) {
      if (other.target == target) {
        other.log.checkShared(this, other, kind, first, end);
      }
    }
    return serial;
  }

  private boolean conflicts(long entry, int kind, long first, long end) {
    int other = AccessLogLayout.getPlainKind(entry);
    return AccessLogLayout.getPlainFirst(entry) < end && first < AccessLogLayout.getPlainEnd(entry)
        && AccessLogLayout.getPlainEpoch(entry) == fences
        && !(reads(kind) && reads(other))
        && !(areCompatible(kind, other, AccessLogLayout.getPlainRank(entry) == rank)
            && (first - AccessLogLayout.getPlainFirst(entry)) % (typeBits(kind) >> TYPE_SHIFT + SIZE_SHIFT) == 0);
  }

  private static boolean reads(int kind) {
    return (kind & KIND_MASK) == GET || (kind & KIND_MASK) == ACCUMULATE && op(kind) == PredefinedOp.NO_OP;
  }

  /**
   * Returns whether two accumulates of the same elements may meet: of one type (MPI-4.1 §12.7.1), and with one
   * operation, or NO_OP unless accumulate_ops is same_op, or in the order of one rank (§12.7.2).
   */
  private boolean areCompatible(int a, int b, boolean ofOneRank) {
    return isAccumulate(a) && isAccumulate(b) && typeBits(a) == typeBits(b)
        && (isSwap(a) || isSwap(b) || op(a) == op(b)
            || !hints.sameOp() && (op(a) == PredefinedOp.NO_OP || op(b) == PredefinedOp.NO_OP
                || ofOneRank && hints.ordered()));
  }

  private static boolean isAccumulate(int kind) {
    return (kind & KIND_MASK) == ACCUMULATE || isSwap(kind);
  }

  private static boolean isSwap(int kind) {
    return (kind & KIND_MASK) == SWAP;
  }

  private static boolean fetches(int kind) {
    return (kind & KIND_MASK) == GET || isSwap(kind) || (kind & FETCHES) != 0;
  }

  private static int typeBits(AccumulateUnit unit) {
    return (unit.representation() | (int) unit.extent() << SIZE_SHIFT) << TYPE_SHIFT;
  }

  private static int typeBits(int kind) {
    return kind >> TYPE_SHIFT << TYPE_SHIFT;
  }

  private static PredefinedOp op(int kind) {
    return PredefinedOp.values()[kind >> OP_SHIFT & OP_MASK];
  }

  private MpiException conflict(long entry, int target, int kind, long first, long end) {
    return new MpiException(ErrorClass.ERR_RMA_CONFLICT, text(kind) + " of bytes " + first + " to " + (end - 1)
        + " of rank " + target + "'s part contradicts " + text(AccessLogLayout.getPlainKind(entry)) + " of rank "
        + AccessLogLayout.getPlainRank(entry) + " to bytes " + AccessLogLayout.getPlainFirst(entry) + " to "
        + (AccessLogLayout.getPlainEnd(entry) - 1) + " in the same epoch");
  }

  private static String text(int kind) {
    return switch (kind & KIND_MASK) {
      case PUT -> "MPI_Put";
      case GET -> "MPI_Get";
      case SWAP -> "MPI_Compare_and_swap";
      default -> "an accumulating call with " + op(kind).mpiName();
    };
  }

  // ---- completion

  /** Removes this rank's accesses to a target, which are complete. */
  void removeCompleted(int target) {
    remove(target, false, 0);
  }

  /** Removes this rank's accesses to all targets. */
  void removeAllCompleted() {
    for (int target = 0; target < logs.length; target++) {
      remove(target, false, 0);
    }
  }

  /** Removes those of this rank's accesses to a target that are complete with their results. */
  void removeFetched(int target) {
    remove(target, true, 0);
  }

  void removeAllFetched() {
    for (int target = 0; target < logs.length; target++) {
      remove(target, true, 0);
    }
  }

  /** Removes the access with a number, unless it has no result. */
  void removeFetched(int target, int serial) {
    remove(target, true, serial);
  }

  private void remove(int target, boolean onlyFetched, int serial) {
    long log = logs[target];
    if (AccessLogLayout.getPlainLength(log) == 0) {
      return;
    }
    locks.lock(log);
    try {
      long length = AccessLogLayout.getPlainLength(log);
      long kept = 0;
      for (long i = 0; i < length; i++) {
        long entry = AccessLogLayout.entryAddress(log, i);
        if (AccessLogLayout.getPlainRank(entry) != rank || onlyFetched && !fetches(AccessLogLayout.getPlainKind(entry))
            || serial != 0 && AccessLogLayout.getPlainSerial(entry) != serial) {
          Raw.copy(entry, AccessLogLayout.entryAddress(log, kept), AccessLogLayout.ENTRY_BYTES);
          kept++;
        }
      }
      AccessLogLayout.setPlainLength(log, kept);
    } finally {
      Stripes.unlock(log);
    }
  }

  /**
   * Begins the epoch after a fence, while all ranks are in it. Entries that other ranks have not removed yet belong to
   * the one before.
   *
   * @param hasPuts whether puts and accumulates to this rank's part may follow
   */
  void beginFenceEpoch(boolean hasPuts) {
    boolean any = false;
    for (long log : logs) {
      any |= AccessLogLayout.getPlainLast(log) == fences + 1;
    }
    hadAccesses = any;
    fences++;
    if (!hasPuts) {
      AccessLogLayout.setPlainQuiet(logs[rank], fences + 1);
    }
    removeAllCompleted();
  }

  /** Returns whether any rank has accessed a part in the epoch that the last fence has ended. */
  boolean hadAccesses() {
    return hadAccesses;
  }
}
