// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** The naive reading of a shape, which is the place in memory of each byte of the stream. Independent of patterns. */
public final class ShapeOracle {
  private long[] displacements = new long[16];
  private int bytes;
  private final long extent;

  public ShapeOracle(ByteShape shape, long extent) {
    this.extent = extent;
    expand(shape, 0);
  }

  private void expand(ByteShape shape, long base) {
    switch (shape) {
      case ByteShape.Run run -> {
        for (long i = 0; i < run.bytes(); i++) {
          add(base + run.displacement() + i);
        }
      }
      case ByteShape.Repeat repeat -> {
        for (long i = 0; i < repeat.count(); i++) {
          expand(repeat.body(), base + repeat.displacement() + i * repeat.stride());
        }
      }
      case ByteShape.Scatter scatter -> {
        for (int b = 0; b < scatter.counts().length; b++) {
          for (long i = 0; i < scatter.counts()[b]; i++) {
            expand(scatter.body(), base + scatter.displacements()[b] + i * scatter.stride());
          }
        }
      }
      case ByteShape.Members members -> {
        for (int b = 0; b < members.counts().length; b++) {
          for (long i = 0; i < members.counts()[b]; i++) {
            int kind = members.kinds()[b];
            expand(members.bodies()[kind], base + members.displacements()[b] + i * members.strides()[kind]);
          }
        }
      }
      case ByteShape.Sequence sequence -> sequence.parts().forEach(part -> expand(part, base));
    }
  }

  private void add(long displacement) {
    if (bytes == displacements.length) {
      displacements = Arrays.copyOf(displacements, 2 * bytes);
    }
    displacements[bytes++] = displacement;
  }

  public int size() {
    return bytes;
  }

  /** Returns the displacement from the first element's address of byte {@code position} of the stream. */
  public long at(long position) {
    return position / bytes * extent + displacements[(int) (position % bytes)];
  }

  public long low(long count) {
    long low = Long.MAX_VALUE;
    for (long i = 0; i < count * bytes; i++) {
      low = Math.min(low, at(i));
    }
    return count * bytes == 0 ? 0 : low;
  }

  public long high(long count) {
    long high = Long.MIN_VALUE;
    for (long i = 0; i < count * bytes; i++) {
      high = Math.max(high, at(i) + 1);
    }
    return count * bytes == 0 ? 0 : high;
  }

  public boolean overlaps(long count) {
    Set<Long> seen = new HashSet<>();
    for (long i = 0; i < count * bytes; i++) {
      if (!seen.add(at(i))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of runs of some elements: a run ends where the next byte lies elsewhere. */
  public long runs(long count) {
    long runs = 0;
    for (long i = 0; i < count * bytes; i++) {
      if (i == 0 || at(i) != at(i - 1) + 1) {
        runs++;
      }
    }
    return runs;
  }

  public byte[] pack(byte[] memory, long origin, long count) {
    byte[] stream = new byte[(int) (count * bytes)];
    for (int i = 0; i < stream.length; i++) {
      stream[i] = memory[(int) (origin + at(i))];
    }
    return stream;
  }
}
