// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.transfer;

import java.util.Arrays;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.kernel.Copiers;
import org.ffmpi.datatype.plan.pattern.Copier;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.StreamOffsets;

/**
 * The transfer between sides whose runs fit together again after a short period, such as the members of two structs.
 * The steps of two cursors are recorded once, as a list of moves that is repeated.
 */
final class TableTransfer extends Transfer {
  /** Approximate length of the longest list, which should stay in the first-level cache beside the data. */
  private static final int MOST_MOVES = 512;

  /** Bytes after which both sides begin a unit. */
  private final long period;

  private final long sourceStride;
  private final long targetStride;

  /** The places of each move from both origins. */
  private final long[] froms;

  private final long[] tos;

  private final long[] lengths;

  /** Offset in the period at which each move begins, and its end. */
  private final long[] starts;

  private TableTransfer(EndlessPattern source, EndlessPattern target, long period) {
    super(source, target);
    this.period = period;
    this.sourceStride = period / unitBytes(source, period) * stride(source, period);
    this.targetStride = period / unitBytes(target, period) * stride(target, period);
    RunCursor from = new RunCursor();
    RunCursor to = new RunCursor();
    from.seek(source, 0, 0);
    to.seek(target, 0, 0);
    long[] s = new long[MOST_MOVES];
    long[] t = new long[MOST_MOVES];
    long[] sizes = new long[MOST_MOVES];
    int moves = 0;
    for (long left = period; left > 0; moves++) {
      long n = Math.min(Math.min(from.length, to.length), left);
      if (moves == s.length) { // adjoining parts count as one run, but cursors advance by parts
        s = Arrays.copyOf(s, 2 * moves);
        t = Arrays.copyOf(t, 2 * moves);
        sizes = Arrays.copyOf(sizes, 2 * moves);
      }
      s[moves] = from.address;
      t[moves] = to.address;
      sizes[moves] = n;
      from.skip(n);
      to.skip(n);
      left -= n;
    }
    this.froms = Arrays.copyOf(s, moves);
    this.tos = Arrays.copyOf(t, moves);
    this.lengths = Arrays.copyOf(sizes, moves);
    this.starts = StreamOffsets.of(lengths, 1);
  }

  /** Returns the transfer, or null when the list would be too long. */
  static TableTransfer between(EndlessPattern source, EndlessPattern target) {
    long a = unitBytes(source, 1);
    long b = unitBytes(target, 1);
    long times = b / gcd(a, b);
    if (times > MOST_MOVES || Math.multiplyHigh(a, times) != 0 || a * times < 0) {
      return null;
    }
    long period = a * times;
    // Each end of a run on either side ends a move.
    return moves(source, period) + moves(target, period) <= MOST_MOVES
        ? new TableTransfer(source, target, period)
        : null;
  }

  private static long moves(EndlessPattern core, long period) {
    if (core.isContiguous()) {
      return 1;
    }
    long units = period / core.unit.size;
    return units > MOST_MOVES || core.unit.runs > MOST_MOVES ? MOST_MOVES + 1 : units * core.unit.runs;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /** A side without gaps begins a unit wherever the other one does. */
  private static long unitBytes(EndlessPattern core, long any) {
    return core.isContiguous() ? any : core.unit.size;
  }

  private static long stride(EndlessPattern core, long any) {
    return core.isContiguous() ? any : core.unitStride;
  }

  @Override
  public void move(int kind, long src, Object array, long at, long from, long bytes) {
    Copier copier = kind == Memory.NATIVE ? null : Copiers.unpacking(kind);
    long index = from / period;
    long position = from - index * period;
    long s = src + index * sourceStride;
    long t = at + index * targetStride;
    long left = bytes;
    while (left > 0) {
      long n = Math.min(period - position, left);
      if (n < period) {
        part(copier, s, array, t, position, n);
      } else if (copier == null) {
        nativePeriod(s, t);
      } else {
        period(copier, s, array, t);
      }
      left -= n;
      position = 0;
      s += sourceStride;
      t += targetStride;
    }
  }

  private void nativePeriod(long s, long t) {
    for (int i = 0; i < lengths.length; i++) {
      Raw.copy(s + froms[i], t + tos[i], lengths[i]);
    }
  }

  private void period(Copier copier, long s, Object array, long t) {
    for (int i = 0; i < lengths.length; i++) {
      copier.blocks(array, t + tos[i], lengths[i], 1, lengths[i], s + froms[i], lengths[i]);
    }
  }

  private void part(Copier copier, long s, Object array, long t, long position, long bytes) {
    long end = position + bytes;
    long next = position;
    for (int i = StreamOffsets.find(starts, position); next < end; i++) {
      long skip = next - starts[i];
      long n = Math.min(starts[i + 1], end) - next;
      if (copier == null) {
        Raw.copy(s + froms[i] + skip, t + tos[i] + skip, n);
      } else {
        copier.blocks(array, t + tos[i] + skip, n, 1, n, s + froms[i] + skip, n);
      }
      next += n;
    }
  }
}
