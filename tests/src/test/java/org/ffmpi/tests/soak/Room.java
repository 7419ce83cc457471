// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.soak;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.datatype.Datatype;

/**
 * Room for a message somewhere: in arrays, native memory or the shared heap, one number after the other or with gaps. A
 * message is its sequence number, a checksum, and numbers that follow from both.
 */
final class Room {
  /** Fewest numbers of a message. */
  static final int LEAST = 2;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int KINDS = 6;

  private final Buf<?> buf;
  private final MemorySegment memory;
  private final int stride;
  private final int length;

  private Room(Buf<?> buf, MemorySegment memory, int stride, int length) {
    this.buf = buf;
    this.memory = memory;
    this.stride = stride;
    this.length = length;
  }

  /** Makes room for so many numbers in a random kind of memory. */
  static Room of(Mpi mpi, Datatype<?> gaps, RandomGenerator random, int length) {
    long bytes = 8L * length;
    return switch (random.nextInt(KINDS)) {
      case 0 -> {
        long[] array = new long[length];
        yield new Room(Buf.of(array), MemorySegment.ofArray(array), 8, length);
      }
      case 1 -> {
        byte[] array = new byte[(int) bytes + 7];
        yield new Room(
            Buf.of(array, 7L, length, Datatype.INT64_T), MemorySegment.ofArray(array).asSlice(7), 8, length);
      }
      case 2 -> {
        MemorySegment memory = Arena.ofAuto().allocate(bytes, 8);
        yield new Room(Buf.of(memory, length, Datatype.INT64_T), memory, 8, length);
      }
      case 3 -> {
        MemorySegment memory = mpi.shared().allocate(bytes);
        yield new Room(Buf.of(memory, length, Datatype.INT64_T), memory, 8, length);
      }
      case 4 -> {
        MemorySegment memory = mpi.shared().allocate(2 * bytes);
        yield new Room(Buf.of(memory, length, gaps), memory, 16, length);
      }
      default -> {
        long[] array = new long[2 * length];
        yield new Room(Buf.of(array, length, gaps), MemorySegment.ofArray(array), 16, length);
      }
    };
  }

  Buf<?> buf() {
    return buf;
  }

  int length() {
    return length;
  }

  /** Writes a message. */
  void fill(long sequence) {
    long sum = 17;
    for (int i = LEAST; i < length; i++) {
      long value = sequence * 1_000_003 + i;
      memory.set(LONG, (long) i * stride, value);
      sum = sum * 31 + value;
    }
    memory.set(LONG, 0, sequence);
    memory.set(LONG, stride, sum);
  }

  /** Checks that a message of so many numbers is here, whole and with this sequence number. */
  void check(long sequence, int count, String what) {
    long sum = 17;
    for (int i = LEAST; i < count; i++) {
      sum = sum * 31 + memory.get(LONG, (long) i * stride);
    }
    if (memory.get(LONG, 0) != sequence || memory.get(LONG, stride) != sum) {
      throw new AssertionError(what + ": message " + memory.get(LONG, 0) + " with checksum "
          + memory.get(LONG, stride) + " where message " + sequence + " of " + count + " numbers should be, whose"
          + " numbers have " + sum);
    }
  }
}
