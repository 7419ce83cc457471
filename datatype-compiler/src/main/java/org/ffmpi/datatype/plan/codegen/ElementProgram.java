// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.datatype.plan.pattern.BlockPattern;
import org.ffmpi.datatype.plan.pattern.EqualRunsPattern;
import org.ffmpi.datatype.plan.pattern.LoopPattern;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.ffmpi.datatype.plan.pattern.RunsPattern;
import org.ffmpi.datatype.plan.pattern.ScatterPattern;
import org.ffmpi.datatype.plan.pattern.SequencePattern;

/**
 * The source of a generated class: the runs of one element in typemap order, some of them under loops, and the distance
 * from element to element. An element is that of a datatype, or the body of any loop of a nest.
 *
 * <p>Equal programs copy alike and share their classes.
 *
 * @param stride bytes from element to element
 * @param parts what an element is made of; displacements from its origin
 */
record ElementProgram(long stride, List<Part> parts) {
  /**
   * Longest list that is written out; longer ones are left to the shared loops. Written out, 256 runs of one to four
   * words are still 3 times as fast as by table, single words 1.2 to 1.6 times, but the JVM is busy compiling for 0.4
   * seconds, and for 0.2 with 128.
   */
  static final int MOST_PARTS = 128;

  /** Loops of fewer runs are written out: their control would cost more than their bodies. */
  private static final int UNROLLED_RUNS = 8;

  /** Within this distance no computation on elements can overflow. */
  private static final long FARTHEST = 1L << 60;

  /** A run, or a loop over parts. */
  sealed interface Part {
    /** Returns the lowest displacement that is touched. */
    long low();

    /** Returns the end of the highest byte that is touched. */
    long high();

    /** Returns the bytes of data. */
    long size();
  }

  /**
   * Bytes side by side.
   *
   * @param displacement where they begin
   * @param bytes how many; positive
   */
  record Run(long displacement, long bytes) implements Part {
    @Override
    public long low() {
      return displacement;
    }

    @Override
    public long high() {
      return displacement + bytes;
    }

    @Override
    public long size() {
      return bytes;
    }
  }

  /**
   * Parts repeated.
   *
   * @param displacement origin of the first body
   * @param count number of bodies; at least 2
   * @param stride from body to body
   * @param parts the body, displacements from its origin
   */
  record Loop(long displacement, int count, long stride, List<Part> parts) implements Part {
    @Override
    public long low() {
      return displacement + Math.min(0, (count - 1) * stride) + ElementProgram.low(parts);
    }

    @Override
    public long high() {
      return displacement + Math.max(0, (count - 1) * stride) + ElementProgram.high(parts);
    }

    @Override
    public long size() {
      return count * ElementProgram.size(parts);
    }
  }

  /**
   * Returns the program of a pattern.
   *
   * @param pattern one element
   * @param stride bytes from element to element
   * @return the program, or null where a generated class cannot be made or would not be better than the shared loops
   */
  static ElementProgram of(Pattern pattern, long stride) {
    if (!isNear(stride) || !isNear(pattern.low) || !isNear(pattern.high) || !isNear(pattern.size)) {
      return null;
    }
    List<Part> parts = new ArrayList<>();
    return append(pattern, 0, parts) && pays(parts) ? new ElementProgram(stride, List.copyOf(parts)) : null;
  }

  private static boolean isNear(long value) {
    return -FARTHEST < value && value < FARTHEST;
  }

  /** Returns false for one run, or one loop of one run, for which the shared loops are best. */
  private static boolean pays(List<Part> parts) {
    return parts.size() > 1
        || parts.getFirst() instanceof Loop loop
            && !(loop.parts().size() == 1 && loop.parts().getFirst() instanceof Run);
  }

  // ---- building

  /** Appends the parts of a pattern at a displacement; returns false when there are too many. */
  private static boolean append(Pattern pattern, long base, List<Part> into) {
    return switch (pattern) {
      case BlockPattern block -> add(new Run(base, block.size), into);
      case LoopPattern loop -> repeat(loop.body, base, loop.count, loop.stride, into);
      case EqualRunsPattern table -> {
        boolean fits = table.displacements.length <= MOST_PARTS;
        for (int i = 0; fits && i < table.displacements.length; i++) {
          fits = add(new Run(base + table.displacements[i], table.block), into);
        }
        yield fits;
      }
      case RunsPattern table -> {
        boolean fits = table.lengths.length <= MOST_PARTS;
        for (int i = 0; fits && i < table.lengths.length; i++) {
          fits = add(new Run(base + table.displacements[i], table.lengths[i]), into);
        }
        yield fits;
      }
      case ScatterPattern scatter -> {
        boolean fits = scatter.counts.length <= MOST_PARTS;
        for (int i = 0; fits && i < scatter.counts.length; i++) {
          fits = repeat(scatter.body, base + scatter.displacements[i], scatter.counts[i], scatter.stride, into);
        }
        yield fits;
      }
      case SequencePattern sequence -> {
        boolean fits = sequence.parts.length <= MOST_PARTS;
        for (int i = 0; fits && i < sequence.parts.length; i++) {
          fits = append(sequence.parts[i], base + sequence.displacements[i], into);
        }
        yield fits;
      }
    };
  }

  private static boolean repeat(Pattern pattern, long base, long count, long stride, List<Part> into) {
    if (count == 1 || count * pattern.runs <= UNROLLED_RUNS && pattern.runs <= UNROLLED_RUNS) {
      boolean fits = true;
      for (long i = 0; fits && i < count; i++) {
        fits = append(pattern, base + i * stride, into);
      }
      return fits;
    }
    List<Part> body = new ArrayList<>();
    return count <= Integer.MAX_VALUE
        && append(pattern, 0, body)
        && add(new Loop(base, (int) count, stride, List.copyOf(body)), into);
  }

  private static boolean add(Part part, List<Part> into) {
    if (part instanceof Run(long displacement, long bytes)
        && !into.isEmpty()
        && into.getLast() instanceof Run(long before, long length)
        && before + length == displacement) {
      into.set(into.size() - 1, new Run(before, length + bytes));
      return true;
    }
    into.add(part);
    return into.size() <= MOST_PARTS;
  }

  // ---- measures

  /** Returns the bytes of data in an element. */
  long size() {
    return size(parts);
  }

  /** Returns the lowest displacement an element touches. */
  long low() {
    return low(parts);
  }

  /** Returns the end of the highest byte an element touches. */
  long high() {
    return high(parts);
  }

  static long size(List<Part> parts) {
    long sum = 0;
    for (Part part : parts) {
      sum += part.size();
    }
    return sum;
  }

  static long low(List<Part> parts) {
    long low = Long.MAX_VALUE;
    for (Part part : parts) {
      low = Math.min(low, part.low());
    }
    return low;
  }

  static long high(List<Part> parts) {
    long high = Long.MIN_VALUE;
    for (Part part : parts) {
      high = Math.max(high, part.high());
    }
    return high;
  }

  /** Returns whether every displacement, distance and length is a multiple of a power of two. */
  boolean isMultipleOf(int unit) {
    return ((stride | bits(parts)) & (unit - 1)) == 0;
  }

  private static long bits(List<Part> parts) {
    long bits = 0;
    for (Part part : parts) {
      bits |= switch (part) {
        case Run(long displacement, long bytes) -> displacement | bytes;
        case Loop(long displacement, int count, long stride, List<Part> body) -> displacement | stride | bits(body);
      };
    }
    return bits;
  }
}
