// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.pattern.BlockPattern;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.EqualRunsPattern;
import org.ffmpi.datatype.plan.pattern.LoopPattern;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.ffmpi.datatype.plan.pattern.Patterns;
import org.ffmpi.datatype.plan.pattern.RunsPattern;
import org.ffmpi.datatype.plan.pattern.ScatterPattern;
import org.ffmpi.datatype.plan.pattern.SequencePattern;

/**
 * The form of a plan as bytes. It consists of words of 8 bytes in the machine's order:
 *
 * <pre>
 *   word 0   MAGIC and version
 *   word 1   number of words
 *   word 2   extent
 *   word 3   displacement
 *   word 4…  the element's pattern; none when it has no bytes
 *
 *   BLOCK     bytes
 *   LOOP      count  stride  pattern
 *   TABLE     block  n  n displacements
 *   RUNS      n  n displacements  n lengths
 *   SCATTER   stride  n  n displacements  n counts  pattern
 *   SEQUENCE  n  n × (displacement  pattern)
 * </pre>
 *
 * <p>A reader builds the patterns by {@link Patterns} again, which checks sums and normal form as it does for shapes of
 * this process.
 */
final class FlatPlan {
  static final long MAGIC = 0x66666d70_0000_0001L;

  static final int BLOCK = 1;
  static final int LOOP = 2;
  static final int TABLE = 3;
  static final int RUNS = 4;
  static final int SCATTER = 5;
  static final int SEQUENCE = 6;

  static final int HEADER_WORDS = 4;

  private FlatPlan() {}

  static long bytes(EndlessPattern core) {
    return Long.BYTES * (HEADER_WORDS + (core.element == null ? 0 : core.element.words()));
  }

  static void write(EndlessPattern core, long address) {
    long a = word(address, MAGIC);
    a = word(a, bytes(core) / Long.BYTES);
    a = word(a, core.extent);
    a = word(a, core.displacement);
    if (core.element != null) {
      write(core.element, a);
    }
  }

  private static long write(Pattern pattern, long address) {
    return switch (pattern) {
      case BlockPattern block -> word(word(address, BLOCK), block.size);
      case LoopPattern loop -> write(loop.body, word(word(word(address, LOOP), loop.count), loop.stride));
      case EqualRunsPattern table ->
          words(word(word(word(address, TABLE), table.block), table.displacements.length), table.displacements);
      case RunsPattern table ->
          words(words(word(word(address, RUNS), table.lengths.length), table.displacements), table.lengths);
      case ScatterPattern scatter -> {
        long a = word(word(word(address, SCATTER), scatter.stride), scatter.counts.length);
        yield write(scatter.body, words(words(a, scatter.displacements), scatter.counts));
      }
      case SequencePattern sequence -> {
        long a = word(word(address, SEQUENCE), sequence.parts.length);
        for (int i = 0; i < sequence.parts.length; i++) {
          a = write(sequence.parts[i], word(a, sequence.displacements[i]));
        }
        yield a;
      }
    };
  }

  private static long word(long address, long value) {
    Raw.putLong(address, value);
    return address + Long.BYTES;
  }

  private static long words(long address, long[] values) {
    for (int i = 0; i < values.length; i++) {
      Raw.putLong(address + (long) Long.BYTES * i, values[i]);
    }
    return address + (long) Long.BYTES * values.length;
  }

  static Plan read(long address, long bytes) {
    try {
      return new FlatReader(address, bytes).plan();
    } catch (ArithmeticException e) {
      throw new MpiException(
          ErrorClass.ERR_INTERN, "a peer's datatype: allowed are sizes and displacements that fit in 63 bits", e);
    }
  }
}
