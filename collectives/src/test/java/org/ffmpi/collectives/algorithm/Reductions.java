// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.reduce.ReduceKernel;

/** The oracle of reductions, and an operation that does not commute. */
public final class Reductions {
  /**
   * Composition of affine maps {@code x -> a x + b} over 32-bit integers, {@code a} in the upper half of a {@code
   * long}: associative, not commutative.
   */
  public static final ReduceKernel COMPOSE = new ReduceKernel() {
    @Override
    public void reduce(long in, long inout, long count) {
      combine(in, inout, inout, count);
    }

    @Override
    public void combine(long left, long right, long out, long count) {
      for (long i = 0; i < 8 * count; i += 8) {
        Raw.putLong(out + i, compose(Raw.getLong(left + i), Raw.getLong(right + i)));
      }
    }

    @Override
    public void reduce(long in, Object array, int arrayKind, long byteOffset, long count) {
      try (Arena arena = Arena.ofConfined()) {
        long stage = Raw.address(arena.allocate(8 * count));
        Memory.read(arrayKind, array, byteOffset, stage, 8 * count);
        reduce(in, stage, count);
        Memory.write(arrayKind, array, byteOffset, stage, 8 * count);
      }
    }
  };

  private Reductions() {}

  static long compose(long left, long right) {
    int a = (int) (left >>> 32);
    int b = (int) left;
    return (long) (a * (int) (right >>> 32)) << 32 | (a * (int) right + b) & 0xFFFFFFFFL;
  }

  /** Combines contributions along a chain, the last rank first: {@code c0 op (c1 op (… op cn))}. */
  public static byte[] chain(ReduceKernel kernel, Datatype<?> type, long count, byte[][] contributions) {
    if (count == 0) {
      return new byte[0];
    }
    int last = contributions.length - 1;
    long bytes = count * type.extent();
    MemorySegment sum = Arena.ofAuto().allocate(bytes, 16);
    MemorySegment next = Arena.ofAuto().allocate(bytes, 16);
    unpack(type, count, contributions[last], sum);
    for (int rank = last - 1; rank >= 0; rank--) {
      unpack(type, count, contributions[rank], next);
      kernel.reduce(Raw.address(next), Raw.address(sum), count);
    }
    MemorySegment stream = Arena.ofAuto().allocate(count * type.size());
    TypeHandle.planOf(type).pack(Memory.NATIVE, sum, Raw.address(sum), count, 0, count * type.size(),
        Raw.address(stream));
    return stream.toArray(ValueLayout.JAVA_BYTE);
  }

  private static void unpack(Datatype<?> type, long count, byte[] stream, MemorySegment into) {
    MemorySegment copy = Arena.ofAuto().allocate(stream.length);
    MemorySegment.copy(stream, 0, copy, ValueLayout.JAVA_BYTE, 0, stream.length);
    TypeHandle.planOf(type).unpack(Raw.address(copy), Memory.NATIVE, into, Raw.address(into), count, 0, stream.length);
  }
}
