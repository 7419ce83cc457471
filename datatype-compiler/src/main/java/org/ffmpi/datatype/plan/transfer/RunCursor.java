// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.transfer;

import org.ffmpi.datatype.plan.pattern.BlockPattern;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.EqualRunsPattern;
import org.ffmpi.datatype.plan.pattern.LoopPattern;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.ffmpi.datatype.plan.pattern.RunsPattern;
import org.ffmpi.datatype.plan.pattern.ScatterPattern;
import org.ffmpi.datatype.plan.pattern.SequencePattern;

/**
 * A position in the endless stream of a plan's units, which advances run by run. The innermost loop or list is in
 * fields, so that most steps are an addition; only at its end the cursor climbs the patterns around it.
 *
 * <p>For one thread at a time. Used again and again, since it is as large as the deepest pattern needs.
 */
public final class RunCursor {
  /** Patterns at least double their size with each level. */
  private static final int MAX_DEPTH = Long.SIZE;

  /** Address and length of the rest of the current run. */
  long address;

  long length;

  // The innermost loop or list.
  private long[] displacements;
  private long[] lengths;
  private long origin;
  private long step;
  private long block;
  private int next;
  private int end;
  private long left;

  // The patterns around it, from the outside in.
  private final Pattern[] patterns = new Pattern[MAX_DEPTH];
  private final long[] origins = new long[MAX_DEPTH];
  private final long[] indexes = new long[MAX_DEPTH];
  private final long[] copies = new long[MAX_DEPTH];
  private int depth;

  private Pattern unit;
  private long unitOrigin;
  private long unitStride;

  /** Creates a cursor that is nowhere yet. */
  public RunCursor() {}

  /** Returns where the rest of the current run lies. */
  public long address() {
    return address;
  }

  /** Returns the bytes of the rest of the current run. */
  public long length() {
    return length;
  }

  /** Moves to byte {@code from} of the stream of elements of which the first lies at {@code at}. */
  public void seek(EndlessPattern core, long at, long from) {
    unit = core.isContiguous() ? null : core.unit;
    depth = 0;
    if (unit == null) {
      address = at + core.displacement + from;
      length = Long.MAX_VALUE;
      return;
    }
    long copy = from / unit.size;
    unitStride = core.unitStride;
    unitOrigin = at + core.displacement + copy * unitStride;
    long within = from - copy * unit.size;
    if (unit instanceof BlockPattern) {
      strided(unitOrigin, unitStride, unit.size, Long.MAX_VALUE, 0, within);
    } else {
      enter(unit, unitOrigin, within);
    }
  }

  /** Advances by some bytes, at most the rest of the run. */
  public void skip(long bytes) {
    address += bytes;
    length -= bytes;
    if (length == 0) {
      advance();
    }
  }

  private void advance() {
    if (displacements == null) {
      if (left > 0) {
        left--;
        origin += step;
        address = origin;
        length = block;
        return;
      }
    } else if (next < end) {
      address = origin + displacements[next];
      length = lengths == null ? block : lengths[next];
      next++;
      return;
    }
    climb();
  }

  /** Advances the innermost pattern that has a next step. */
  private void climb() {
    while (depth > 0) {
      int top = depth - 1;
      long index = ++indexes[top];
      if (patterns[top] instanceof LoopPattern loop) {
        if (index < loop.count) {
          enter(loop.body, origins[top] + index * loop.stride, 0);
          return;
        }
      } else if (patterns[top] instanceof SequencePattern sequence) {
        if (index < sequence.parts.length) {
          enter(sequence.parts[(int) index], origins[top] + sequence.displacements[(int) index], 0);
          return;
        }
      } else if (enterNext((ScatterPattern) patterns[top], top, (int) index)) {
        return;
      }
      depth--;
    }
    unitOrigin += unitStride;
    enter(unit, unitOrigin, 0);
  }

  /** Enters the next copy of the row before {@code row}, or else that row; returns false behind the last. */
  private boolean enterNext(ScatterPattern scatter, int level, int row) {
    int current = row - 1;
    if (!(scatter.body instanceof BlockPattern) && ++copies[level] < scatter.counts[current]) {
      indexes[level] = current;
      enter(scatter.body, origins[level] + scatter.displacements[current] + copies[level] * scatter.stride, 0);
      return true;
    }
    if (row < scatter.counts.length) {
      row(scatter, origins[level], row, level, 0, 0);
      return true;
    }
    return false;
  }

  /** Descends to byte {@code from} of a pattern's stream. */
  private void enter(Pattern pattern, long at, long from) {
    if (pattern instanceof BlockPattern) {
      strided(at, 0, pattern.size, 1, 0, from);
    } else if (pattern instanceof LoopPattern p) {
      long index = from / p.body.size;
      long within = from - index * p.body.size;
      if (p.body instanceof BlockPattern) {
        strided(at, p.stride, p.body.size, p.count, index, within);
      } else {
        push(p, at, index);
        enter(p.body, at + index * p.stride, within);
      }
    } else if (pattern instanceof EqualRunsPattern p) {
      int index = (int) (from / p.block);
      listed(at, p.displacements, null, p.block, index, from - index * p.block);
    } else if (pattern instanceof RunsPattern p) {
      int index = p.indexOf(from);
      listed(at, p.displacements, p.lengths, 0, index, from - p.start(index));
    } else if (pattern instanceof ScatterPattern p) {
      int index = p.indexOf(from);
      long within = from - p.start(index);
      push(p, at, index);
      row(p, at, index, depth - 1, within / p.body.size, within % p.body.size);
    } else {
      SequencePattern p = (SequencePattern) pattern;
      int index = p.indexOf(from);
      push(p, at, index);
      enter(p.parts[index], at + p.displacements[index], from - p.start(index));
    }
  }

  private void push(Pattern pattern, long at, long index) {
    patterns[depth] = pattern;
    origins[depth] = at;
    indexes[depth++] = index;
  }

  private void row(ScatterPattern scatter, long at, int row, int level, long copy, long within) {
    long first = at + scatter.displacements[row];
    if (scatter.body instanceof BlockPattern body) {
      strided(first, scatter.stride, body.size, scatter.counts[row], copy, within);
    } else {
      copies[level] = copy;
      enter(scatter.body, first + copy * scatter.stride, within);
    }
  }

  private void strided(long first, long stride, long bytes, long count, long index, long within) {
    displacements = null;
    step = stride;
    block = bytes;
    left = count - 1 - index;
    origin = first + index * stride;
    address = origin + within;
    length = bytes - within;
  }

  private void listed(long at, long[] places, long[] sizes, long bytes, int index, long within) {
    displacements = places;
    lengths = sizes;
    origin = at;
    block = bytes;
    end = places.length;
    next = index + 1;
    address = at + places[index] + within;
    length = (sizes == null ? bytes : sizes[index]) - within;
  }
}
