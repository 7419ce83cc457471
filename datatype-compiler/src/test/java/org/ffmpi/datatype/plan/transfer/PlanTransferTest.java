// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.plan.RandomShapes;
import org.ffmpi.datatype.plan.Place;
import org.ffmpi.datatype.plan.Sample;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.Lowering;
import org.junit.jupiter.api.Test;

/** Transfers from one layout to another without a stream between, against the naive reading of both. */
class PlanTransferTest {
  private static final ByteShape DOUBLE = new ByteShape.Run(0, 8);

  @Test
  void betweenAnyTwo() {
    Seed.repeat(1500, random -> {
      Sample source = Sample.random(random, 600);
      Sample target = Sample.random(random, 600);
      check(random, source, target);
    });
  }

  @Test
  void toItsOwnKindAndExtent() {
    Seed.repeat(300, random -> {
      Sample source = Sample.random(random, 600);
      check(random, source, source);
      long extent = new RandomShapes(random, 1).extent(source.shape);
      check(random, source, new Sample(source.shape, extent, source.count));
    });
  }

  @Test
  void betweenNests() {
    Seed.repeat(500, random -> check(random, nest(random), nest(random)));
  }

  /** Loops of counts that often divide one another around a block. */
  private static Sample nest(RandomGenerator random) {
    ByteShape shape = new ByteShape.Run(0, 4L << random.nextInt(0, 4));
    long span = ((ByteShape.Run) shape).bytes();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      long count = new long[] {2, 3, 4, 6, 12}[random.nextInt(5)];
      long stride = span + 4 * random.nextInt(0, 3);
      shape = new ByteShape.Repeat(0, count, random.nextInt(4) == 0 ? -stride : stride, shape);
      span = stride * count;
    }
    return new Sample(shape, span + 8 * random.nextInt(0, 2), random.nextInt(1, 6));
  }

  private static void check(RandomGenerator random, Sample source, Sample target) {
    if (!target.canBeReceived()) {
      return;
    }
    int bytes = Math.min(source.streamBytes, target.streamBytes);
    int from = random.nextInt(3) == 0 ? random.nextInt(bytes + 1) : 0;
    int to = random.nextInt(3) == 0 ? random.nextInt(from, bytes + 1) : bytes;
    byte[] content = source.randomMemory(random);
    byte[] stream = source.oracle.pack(content, source.origin, source.count);
    try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(content.length + 1).asSlice(random.nextInt(2), content.length);
      MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, content.length);
      List<Place> places = Place.everyKind(target.memoryBytes, random.nextInt(8), arena, shared);
      for (Place place : List.of(places.getFirst(), places.get(random.nextInt(1, places.size())))) {
        byte[] before = target.randomMemory(random);
        place.set(before);
        byte[] expected = place.kept(before);
        byte[] kept = place.kept(stream);
        for (int i = from; i < to; i++) {
          expected[(int) (target.origin + target.oracle.at(i))] = kept[i];
        }
        int step = random.nextBoolean() ? to - from : random.nextInt(1, to - from + 2);
        for (int at = from; at < to; at += step) {
          target.plan.transfer(
              Raw.address(memory) + source.origin, source.plan, source.count,
              place.kind, place.owner, place.offset + target.origin, target.count, at, Math.min(step, to - at));
        }
        assertArrayEquals(expected, place.get(), () ->
            from + " to " + to + " by " + step + " from " + source + "\nto " + place + ", " + target);
      }
    }
  }

  @Test
  void nestsThatDivideOneAnotherBecomeOne() {
    NestPair rows = pair(vector(64, 2, 4), vector(16, 8, 16));
    assertNotNull(rows);
    assertEquals(16, rows.block());
    assertEquals(3, rows.loops());
    NestPair transposed = pair(vector(100, 1, 100), DOUBLE, 8);
    assertNotNull(transposed);
    assertEquals(8, transposed.block());
    assertEquals(null, pair(vector(5, 3, 4), vector(3, 2, 4)));
  }

  private static ByteShape vector(int count, int block, int stride) {
    return new ByteShape.Repeat(0, count, 8L * stride, new ByteShape.Run(0, 8L * block));
  }

  private static NestPair pair(ByteShape source, ByteShape target) {
    return pair(source, target, 1 << 16);
  }

  private static NestPair pair(ByteShape source, ByteShape target, long extent) {
    return NestPair.of(core(source, 1 << 16), core(target, extent));
  }

  @Test
  void columnsSideBySide() {
    Seed.repeat(200, random -> {
      long rows = random.nextInt(2, 40);
      long columns = random.nextInt(2, 40);
      long block = 1L << random.nextInt(4);
      long rowBytes = columns * block + (random.nextBoolean() ? 0 : block * random.nextInt(-3, 4));
      ByteShape column = new ByteShape.Repeat(0, rows, rowBytes, new ByteShape.Run(0, block));
      Sample sample = random.nextBoolean()
          ? new Sample(column, block, (int) columns)
          : new Sample(new ByteShape.Repeat(0, columns, block, column), rows * columns * block, random.nextInt(1, 3));
      check(random, sample, sample);
    });
  }

  @Test
  void unitsThatSoonFitTogetherBecomeAList() {
    EndlessPattern struct =
        core(new ByteShape.Sequence(List.of(new ByteShape.Run(0, 4), new ByteShape.Run(8, 55))), 64);
    EndlessPattern other =
        core(new ByteShape.Sequence(List.of(new ByteShape.Run(0, 40), new ByteShape.Run(48, 19))), 72);
    assertInstanceOf(TableTransfer.class, new Transfers(struct).from(other));
    assertInstanceOf(TableTransfer.class, new Transfers(struct).from(core(DOUBLE, 16)));
    long[] places = new long[1000];
    long[] counts = new long[1000];
    for (int i = 0; i < places.length; i++) {
      places[i] = 100 * i;
      counts[i] = 1 + i % 3;
    }
    assertInstanceOf(
        RunTransfer.class, new Transfers(struct).from(core(new ByteShape.Scatter(places, counts, 8, DOUBLE), 1 << 20)));
  }

  @Test
  void longListsAgainstOneAnother() {
    Seed.repeat(20, random -> check(random, list(random), list(random)));
  }

  private static Sample list(RandomGenerator random) {
    long[] places = new long[random.nextInt(300, 900)];
    long[] counts = new long[places.length];
    long at = 0;
    for (int i = 0; i < places.length; i++) {
      counts[i] = random.nextInt(1, 5);
      places[i] = at;
      at += 4 * counts[i] + random.nextInt(0, 9);
    }
    return new Sample(new ByteShape.Scatter(places, counts, 4, new ByteShape.Run(0, 4)), at, random.nextInt(1, 3));
  }

  private static EndlessPattern core(ByteShape shape, long extent) {
    return new EndlessPattern(Lowering.lower(shape), extent);
  }

  @Test
  void equalPatternsAreCopiedByThePattern() {
    ByteShape struct = new ByteShape.Sequence(List.of(new ByteShape.Run(0, 4), new ByteShape.Run(8, 55)));
    EndlessPattern tight = core(struct, 64);
    EndlessPattern roomy = core(struct, 128);
    assertInstanceOf(SamePatternTransfer.class, new Transfers(tight).from(roomy));
    assertInstanceOf(SamePatternTransfer.class, new Transfers(tight).from(tight));
  }
}
