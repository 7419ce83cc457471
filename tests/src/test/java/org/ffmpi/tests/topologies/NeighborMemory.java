// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.datatype.Datatype;

/**
 * One side of a call: memory, and blocks in it, whose lengths are given as pairs of doubles. A block's elements are
 * doubles, or pairs with a gap between; the blocks lie in any order, with gaps.
 */
final class NeighborMemory {
  /** Two doubles with one between that does not belong to them. */
  private static final Datatype<Double> PAIR = Datatype.vector(2, 1, 2, Datatype.DOUBLE).commit();

  final MemorySegment memory;
  final Buf<?> buf;
  final Buf<?>[] blocks;
  final long[] counts;
  final long[] displs;
  final Datatype<?>[] types;
  private final long[] offsets;

  private NeighborMemory(
      MemorySegment memory, Buf<?> buf, long[] counts, long[] displs, long[] offsets, Datatype<?>[] types) {
    this.memory = memory;
    this.buf = buf;
    this.counts = counts;
    this.displs = displs;
    this.offsets = offsets;
    this.types = types;
    this.blocks = new Buf<?>[counts.length];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = Buf.of(memory, offsets[i], counts[i], types[i]);
    }
  }

  private static long extent(Datatype<?> type) {
    return type == PAIR ? 24 : 8;
  }

  private static long count(Datatype<?> type, long pairs) {
    return type == PAIR ? pairs : 2 * pairs;
  }

  private static Datatype<Double> type(RandomGenerator random) {
    return random.nextBoolean() ? PAIR : Datatype.DOUBLE;
  }

  private static MemorySegment memory(long bytes, RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> Arena.ofConfined().allocate(bytes, 8);
      case 1 -> Arena.ofShared().allocate(bytes, 8);
      case 2 -> Arena.ofAuto().allocate(bytes, 8);
      default -> MemorySegment.ofArray(new double[(int) (bytes / 8)]);
    };
  }

  /** Blocks one after the other, all of the same length. */
  static NeighborMemory equal(long[] pairs, RandomGenerator random) {
    Datatype<Double> type = type(random);
    long each = pairs.length == 0 ? 0 : count(type, pairs[0]);
    long[] counts = new long[pairs.length];
    long[] displs = new long[pairs.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = each;
      displs[i] = i * each;
    }
    return ofOneType(type, counts, displs, each * counts.length, random);
  }

  /** Blocks of different lengths anywhere. */
  static NeighborMemory counted(long[] pairs, RandomGenerator random) {
    Datatype<Double> type = type(random);
    long[] counts = new long[pairs.length];
    long[] displs = new long[pairs.length];
    long end = random.nextInt(3);
    for (int i : anyOrder(pairs.length, random)) {
      counts[i] = count(type, pairs[i]);
      displs[i] = end;
      end += counts[i] + random.nextInt(3);
    }
    return ofOneType(type, counts, displs, end, random);
  }

  private static NeighborMemory ofOneType(
      Datatype<Double> type, long[] counts, long[] displs, long elements, RandomGenerator random) {
    Datatype<?>[] types = new Datatype<?>[counts.length];
    long[] offsets = new long[counts.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = type;
      offsets[i] = displs[i] * extent(type);
    }
    MemorySegment memory = memory(elements * extent(type), random);
    return new NeighborMemory(memory, Buf.of(memory, elements, type), counts, displs, offsets, types);
  }

  /** Blocks of different lengths and types anywhere. */
  static NeighborMemory typed(long[] pairs, RandomGenerator random) {
    Datatype<?>[] types = new Datatype<?>[pairs.length];
    long[] counts = new long[pairs.length];
    long[] displs = new long[pairs.length];
    long end = 8 * random.nextInt(3);
    for (int i : anyOrder(pairs.length, random)) {
      types[i] = type(random);
      counts[i] = count(types[i], pairs[i]);
      displs[i] = end;
      end += counts[i] * extent(types[i]) + 8 * random.nextInt(3);
    }
    MemorySegment memory = memory(end, random);
    return new NeighborMemory(memory, Buf.of(memory, end, Datatype.BYTE), counts, displs, displs, types);
  }

  private static List<Integer> anyOrder(int n, RandomGenerator random) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, n).boxed().toList());
    Collections.shuffle(order, Random.from(random));
    return order;
  }

  /** Returns other memory with the same blocks. */
  NeighborMemory twin() {
    MemorySegment other = MemorySegment.ofArray(new double[(int) (memory.byteSize() / 8)]);
    NeighborMemory twin = new NeighborMemory(other, buf, counts, displs, offsets, types);
    twin.clear();
    return twin;
  }

  void clear() {
    for (long i = 0; i < memory.byteSize() / 8; i++) {
      memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, -1);
    }
  }

  void fill(double first) {
    for (long i = 0; i < memory.byteSize() / 8; i++) {
      memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, first + i);
    }
  }

  double at(long index) {
    return memory.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
  }
}
