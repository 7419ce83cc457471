// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.junit.jupiter.api.Test;

/** Plans that are written for a peer and read back, and bytes that are not a plan. */
class FlatPlanTest {
  private static MemorySegment flat(Plan plan, Arena arena) {
    MemorySegment bytes = arena.allocate(plan.flattenedBytes() + 8, 8).fill(Sample.GUARD);
    plan.flatten(Raw.address(bytes));
    assertEquals(0x5a5a5a5a5a5a5a5aL, bytes.get(ValueLayout.JAVA_LONG, plan.flattenedBytes()), "after the plan");
    return bytes.asSlice(0, plan.flattenedBytes());
  }

  private static Plan read(MemorySegment bytes) {
    return Plan.unflatten(Raw.address(bytes), bytes.byteSize());
  }

  @Test
  void whatIsReadBackMovesTheSameBytes() {
    Seed.repeat(400, random -> {
      Sample sample = Sample.random(random, 1000);
      try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        Plan read = read(flat(sample.plan, arena));
        assertEquals(sample.plan.size(), read.size());
        assertEquals(sample.plan.extent(), read.extent());
        assertEquals(sample.plan.trueLowerBound(), read.trueLowerBound());
        assertEquals(sample.plan.trueExtent(), read.trueExtent());
        assertEquals(sample.plan.runs(), read.runs());
        assertEquals(sample.plan.isContiguous(), read.isContiguous());
        Sample again = new Sample(sample.shape, sample.extent, read, sample.count);
        Place place = Place.everyKind(sample.memoryBytes, 0, arena, shared).getFirst();
        byte[] memory = sample.randomMemory(random);
        place.set(memory);
        again.checkPack(place, sample.oracle.pack(memory, sample.origin, sample.count), 0, sample.streamBytes);
      }
    });
  }

  @Test
  void equalBytesAreThePlanThatIsKnown() {
    List<ByteShape> shapes = List.of(
        new ByteShape.Run(0, 8), new ByteShape.Run(3, 0),
        new ByteShape.Repeat(5, 100, 8, new ByteShape.Repeat(0, 100, 800, new ByteShape.Run(0, 8))),
        new ByteShape.Sequence(List.of(new ByteShape.Run(0, 4), new ByteShape.Run(8, 55))),
        new ByteShape.Scatter(new long[] {0, 800, 900}, new long[] {40, 7, 900}, 1000, new ByteShape.Run(1, 8)),
        new ByteShape.Sequence(List.of(
            new ByteShape.Run(0, 4), new ByteShape.Repeat(8, 100, 16, new ByteShape.Run(0, 8)),
            new ByteShape.Run(2000, 3))));
    try (Arena arena = Arena.ofConfined()) {
      for (ByteShape shape : shapes) {
        Plan plan = PlanCompiler.compile(shape, 1 << 20);
        assertSame(plan, read(flat(plan, arena)), plan.toString());
      }
    }
  }

  @Test
  void noiseIsRefused() {
    Seed.repeat(3000, random -> {
      Sample sample = Sample.random(random, 1000);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = flat(sample.plan, arena);
        for (int i = random.nextInt(1, 4); i > 0; i--) {
          long at = random.nextLong(bytes.byteSize());
          byte flipped = (byte) (bytes.get(ValueLayout.JAVA_BYTE, at) ^ (1 << random.nextInt(8)));
          bytes.set(ValueLayout.JAVA_BYTE, at, flipped);
        }
        long length = random.nextInt(4) == 0 ? random.nextLong(bytes.byteSize() + 1) : bytes.byteSize();
        if (random.nextInt(4) == 0) {
          bytes.set(ValueLayout.JAVA_LONG, 8, length / 8); // so that the cut is not found at once
        }
        readOrRefuse(Raw.address(bytes), length);
      }
    });
  }

  @Test
  void wordsOfAnyValueAreRefused() {
    long[] values = {
      0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 100, -1, -8, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE,
      Long.MAX_VALUE / 2, Long.MAX_VALUE / 8};
    Seed.repeat(20_000, random -> {
      try (Arena arena = Arena.ofConfined()) {
        int words = random.nextInt(4, 40);
        MemorySegment bytes = arena.allocate(8L * words, 8);
        for (int i = 0; i < words; i++) {
          bytes.setAtIndex(ValueLayout.JAVA_LONG, i, values[random.nextInt(values.length)]);
        }
        bytes.setAtIndex(ValueLayout.JAVA_LONG, 0, FlatPlan.MAGIC);
        bytes.setAtIndex(ValueLayout.JAVA_LONG, 1, words);
        readOrRefuse(Raw.address(bytes), 8L * words);
      }
    });
  }

  /** A plan that is not refused is consistent in itself. */
  private static void readOrRefuse(long address, long bytes) {
    Plan plan;
    try {
      plan = Plan.unflatten(address, bytes);
    } catch (MpiException e) {
      assertEquals(ErrorClass.ERR_INTERN, e.errorClass());
      return;
    }
    long end = Math.addExact(plan.trueLowerBound(), plan.trueExtent());
    if (plan.runs() <= 10_000) {
      long[] seen = {0};
      plan.forEachRun(1, (displacement, length) -> {
        assertEquals(true, displacement >= plan.trueLowerBound() && displacement + length <= end);
        seen[0] += length;
      });
      assertEquals(plan.size(), seen[0]);
    }
  }

  @Test
  void deepNestsAreRefused() {
    int depth = 5000;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(8L * (4 + 3 * depth + 2), 8);
      long[] header = {FlatPlan.MAGIC, bytes.byteSize() / 8, 8, 0};
      for (int i = 0; i < header.length; i++) {
        bytes.setAtIndex(ValueLayout.JAVA_LONG, i, header[i]);
      }
      for (int i = 0; i < depth; i++) {
        bytes.setAtIndex(ValueLayout.JAVA_LONG, 4 + 3 * i, FlatPlan.LOOP);
        bytes.setAtIndex(ValueLayout.JAVA_LONG, 5 + 3 * i, 1);
        bytes.setAtIndex(ValueLayout.JAVA_LONG, 6 + 3 * i, 7);
      }
      bytes.setAtIndex(ValueLayout.JAVA_LONG, 4 + 3L * depth, FlatPlan.BLOCK);
      bytes.setAtIndex(ValueLayout.JAVA_LONG, 5 + 3L * depth, 8);
      assertEquals(ErrorClass.ERR_INTERN, assertThrows(MpiException.class, () -> read(bytes)).errorClass());
    }
  }

  @Test
  void lengthsThatAreNoneAreRefused() {
    for (long bytes : new long[] {-8, 0, 7, 24, 33, Long.MAX_VALUE, Long.MAX_VALUE & ~7, Long.MIN_VALUE}) {
      assertEquals(
          ErrorClass.ERR_INTERN, assertThrows(MpiException.class, () -> Plan.unflatten(0, bytes)).errorClass());
    }
  }
}
