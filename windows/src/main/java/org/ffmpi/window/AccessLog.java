// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.PredefinedOp;

/**
 * Finds accesses that contradict each other (MPI-4.1 §12.7), where everything is checked and ranks share memory: each
 * target has a table of the accesses under way, in its synchronization block. An access stands there from its call to
 * the one that completes it, and whoever adds another one to the same bytes looks through the table. What cannot be
 * told for certain is no error: elements that lie apart, and accesses beyond the table's length.
 */
final class AccessLog {
  /** Kinds of accesses; what accumulates has its operation above. */
  private static final int PUT = 1;
  private static final int GET = 2;
  private static final int ACCUMULATE = 3;

  private static final int ENTRIES = 512;
  private static final int ENTRY = 40;
  private static final int HEAD = 64;

  private final long[] logs;
  private final Stripes locks;
  private final int rank;
  /** How often this rank has passed a fence: the number of the epoch between two of them. */
  private int fences;

  /**
   * Creates the log of one rank.
   *
   * @param logs addresses of the tables of all targets
   */
  AccessLog(long[] logs, Stripes locks, int rank) {
    this.logs = logs;
    this.locks = locks;
    this.rank = rank;
  }

  /** Returns the size of a table. */
  static long bytes() {
    return HEAD + (long) ENTRIES * ENTRY;
  }

  // ---- accesses

  void put(int target, long position, long count, Plan plan) {
    note(target, PUT, position, count, plan);
  }

  void get(int target, long position, long count, Plan plan) {
    note(target, GET, position, count, plan);
  }

  void accumulate(int target, long position, long count, Plan plan, PredefinedOp op) {
    note(target, ACCUMULATE | op.ordinal() << 8, position, count, plan);
  }

  private void note(int target, int kind, long position, long count, Plan plan) {
    if (!plan.isRun(count) || plan.packedBytes(count) == 0) {
      return;
    }
    long first = position + plan.trueLowerBound();
    long end = first + plan.packedBytes(count);
    long log = logs[target];
    locks.lock(log);
    try {
      int length = (int) Raw.getLong(log + 8);
      for (int i = 0; i < length; i++) {
        long entry = log + HEAD + (long) i * ENTRY;
        if (contradicts(entry, kind, first, end)) {
          throw conflict(entry, target, kind, first, end);
        }
      }
      if (length < ENTRIES) {
        long entry = log + HEAD + (long) length * ENTRY;
        Raw.putInt(entry, rank);
        Raw.putInt(entry + 4, kind);
        Raw.putInt(entry + 8, fences);
        Raw.putLong(entry + 16, first);
        Raw.putLong(entry + 24, end);
        Raw.putLong(log + 8, length + 1);
      }
    } finally {
      Stripes.unlock(log);
    }
  }

  private boolean contradicts(long entry, int kind, long first, long end) {
    int other = Raw.getInt(entry + 4);
    return Raw.getLong(entry + 16) < end && first < Raw.getLong(entry + 24) && Raw.getInt(entry + 8) == fences
        && !(kind == GET && other == GET) && !areAllowedTogether(kind, other);
  }

  /** Accumulating calls go together with one operation and NO_OP, as the hint accumulate_ops says by default. */
  private static boolean areAllowedTogether(int a, int b) {
    return (a & 0xff) == ACCUMULATE && (b & 0xff) == ACCUMULATE
        && (a == b || op(a) == PredefinedOp.NO_OP || op(b) == PredefinedOp.NO_OP);
  }

  private static PredefinedOp op(int kind) {
    return PredefinedOp.values()[kind >> 8];
  }

  private MpiException conflict(long entry, int target, int kind, long first, long end) {
    return new MpiException(ErrorClass.ERR_RMA_CONFLICT, text(kind) + " of bytes " + first + " to " + (end - 1)
        + " of rank " + target + "'s part contradicts " + text(Raw.getInt(entry + 4)) + " of rank " + Raw.getInt(entry)
        + " to bytes " + Raw.getLong(entry + 16) + " to " + (Raw.getLong(entry + 24) - 1) + " in the same epoch");
  }

  private static String text(int kind) {
    return switch (kind & 0xff) {
      case PUT -> "MPI_Put";
      case GET -> "MPI_Get";
      default -> "an accumulating call with " + op(kind).mpiName();
    };
  }

  // ---- completion

  /** Forgets this rank's accesses to a target, which are complete. */
  void completed(int target) {
    long log = logs[target];
    if (Raw.getLong(log + 8) == 0) {
      return;
    }
    locks.lock(log);
    try {
      int length = (int) Raw.getLong(log + 8);
      int kept = 0;
      for (int i = 0; i < length; i++) {
        long entry = log + HEAD + (long) i * ENTRY;
        if (Raw.getInt(entry) != rank) {
          Raw.copy(entry, log + HEAD + (long) kept * ENTRY, ENTRY);
          kept++;
        }
      }
      Raw.putLong(log + 8, kept);
    } finally {
      Stripes.unlock(log);
    }
  }

  /** Begins the epoch after a fence: what others have not forgotten yet belongs to the one before. */
  void fenced() {
    fences++;
    for (int target = 0; target < logs.length; target++) {
      completed(target);
    }
  }
}
