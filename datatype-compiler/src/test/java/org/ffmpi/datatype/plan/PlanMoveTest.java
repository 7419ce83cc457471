// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Packing and unpacking against the naive reading of shapes, in every kind of memory, with any cut. */
@Tag("long")
class PlanMoveTest {
  @Test
  void numbersOfAPlan() {
    Seed.repeat(500, random -> {
      Sample sample = Sample.random(random, 2000);
      assertEquals(sample.oracle.size(), sample.plan.size(), sample::toString);
      assertEquals(sample.extent, sample.plan.extent(), sample::toString);
      assertEquals(sample.oracle.low(1), sample.plan.trueLowerBound(), sample::toString);
      assertEquals(sample.oracle.high(1) - sample.oracle.low(1), sample.plan.trueExtent(), sample::toString);
      assertEquals(sample.oracle.runs(1), sample.plan.runs(), sample::toString);
    });
  }

  @Test
  void runsAreShownInTypemapOrderAndJoined() {
    Seed.repeat(300, random -> {
      Sample sample = Sample.random(random, 1000);
      List<Long> bytes = new ArrayList<>();
      long[] runs = {0};
      sample.plan.forEachRun(sample.count, (displacement, length) -> {
        runs[0]++;
        for (long i = 0; i < length; i++) {
          bytes.add(displacement + i);
        }
      });
      assertEquals(sample.streamBytes, bytes.size(), sample::toString);
      for (int i = 0; i < bytes.size(); i++) {
        assertEquals(sample.oracle.at(i), bytes.get(i), sample::toString);
      }
      assertEquals(sample.oracle.runs(sample.count), runs[0], sample::toString);
    });
  }

  @Test
  void everyCutOfSmallOnes() {
    Seed.repeat(60, random -> {
      Sample sample = Sample.random(random, 40);
      if (sample.streamBytes > 100) {
        return;
      }
      try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        List<Place> places = Place.everyKind(sample.memoryBytes, random.nextInt(8), arena, shared);
        everyCut(random, sample, places.getFirst());
        everyCut(random, sample, places.get(random.nextInt(1, places.size())));
      } catch (AssertionError e) {
        throw new AssertionError(sample + ": " + e.getMessage(), e);
      }
    });
  }

  private static void everyCut(RandomGenerator random, Sample sample, Place place) {
    byte[] memory = sample.randomMemory(random);
    byte[] message = new byte[sample.streamBytes];
    random.nextBytes(message);
    place.set(memory);
    byte[] expected = sample.oracle.pack(place.kept(memory), sample.origin, sample.count);
    for (int from = 0; from <= sample.streamBytes; from++) {
      for (int to = from; to <= sample.streamBytes; to++) {
        sample.checkPack(place, expected, from, to);
      }
    }
    if (!sample.canBeReceived()) {
      return;
    }
    for (int from = 0; from <= sample.streamBytes; from++) {
      for (int to = from; to <= sample.streamBytes; to++) {
        sample.checkUnpack(place, memory, message, from, to);
      }
    }
  }

  @Test
  void anyKindOfMemory() {
    Seed.repeat(300, random -> {
      Sample sample = Sample.random(random, 3000);
      try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        for (Place place : Place.everyKind(sample.memoryBytes, random.nextInt(8), arena, shared)) {
          try {
            someCuts(random, sample, place);
          } catch (AssertionError e) {
            throw new AssertionError(place + ": " + sample + ": " + e.getMessage(), e);
          }
        }
      }
    });
  }

  private static void someCuts(RandomGenerator random, Sample sample, Place place) {
    byte[] memory = sample.randomMemory(random);
    byte[] message = new byte[sample.streamBytes];
    random.nextBytes(message);
    place.set(memory);
    byte[] expected = sample.oracle.pack(place.kept(memory), sample.origin, sample.count);
    sample.checkPack(place, expected, 0, sample.streamBytes);
    int a = random.nextInt(sample.streamBytes + 1);
    int b = random.nextInt(a, sample.streamBytes + 1);
    sample.checkPack(place, expected, 0, a);
    sample.checkPack(place, expected, a, b);
    sample.checkPack(place, expected, b, sample.streamBytes);
    if (sample.canBeReceived()) {
      sample.checkUnpack(place, memory, message, 0, sample.streamBytes);
      sample.checkUnpack(place, memory, message, 0, a);
      sample.checkUnpack(place, memory, message, a, b);
      sample.checkUnpack(place, memory, message, b, sample.streamBytes);
    }
  }

  @Test
  void emptyMovesTouchNothing() {
    ByteShape far = new ByteShape.Run(-120, 8);
    for (long extent : new long[] {8, 16}) {
      Plan plan = PlanCompiler.compile(far, extent);
      plan.pack(Memory.BYTES, new byte[0], 0, 0, 0, 0, 0);
      plan.unpack(0, Memory.BYTES, new byte[0], 0, 0, 0, 0);
      plan.transfer(0, PlanCompiler.compile(far, 24), 0, Memory.BYTES, new byte[0], 0, 0, 0, 0);
    }
    Plan nothing = PlanCompiler.compile(new ByteShape.Run(4, 0), 16);
    assertEquals(0, nothing.size());
    assertEquals(16, nothing.extent());
    assertEquals(0, nothing.runs());
    nothing.pack(Memory.INTS, new int[0], 0, 1000, 0, 0, 0);
    nothing.forEachRun(1000, (displacement, bytes) -> {
      throw new AssertionError("a run");
    });
  }

  @Test
  void closedSegmentsAreRefused() {
    Plan plan = PlanCompiler.compile(new ByteShape.Run(0, 8), 16);
    MemorySegment stream = Arena.ofAuto().allocate(64);
    for (int kind : new int[] {Memory.CONFINED, Memory.SESSION}) {
      MemorySegment closed;
      try (Arena arena = kind == Memory.CONFINED ? Arena.ofConfined() : Arena.ofShared()) {
        closed = arena.allocate(64);
      }
      long at = Raw.address(stream);
      assertThrows(IllegalStateException.class, () -> plan.pack(kind, closed, 0, 4, 0, 32, at));
      assertThrows(IllegalStateException.class, () -> plan.unpack(at, kind, closed, 0, 4, 0, 32));
      assertThrows(IllegalStateException.class, () -> plan.transfer(at, plan, 4, kind, closed, 0, 4, 0, 32));
    }
  }

  @Test
  void resumedInStepsOfAPipe() {
    Seed.repeat(20, random -> {
      ByteShape face = new ByteShape.Repeat(0, random.nextInt(20, 200), 4096,
          new ByteShape.Repeat(0, random.nextInt(20, 200), 24, new ByteShape.Run(0, 8)));
      Sample sample = new Sample(face, 64 * 4096, 1);
      try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        for (Place place : Place.everyKind(sample.memoryBytes, 0, arena, shared)) {
          byte[] memory = sample.randomMemory(random);
          place.set(memory);
          byte[] expected = sample.oracle.pack(place.kept(memory), sample.origin, 1);
          MemorySegment stream = arena.allocate(sample.streamBytes);
          int step = random.nextInt(1000, 9000);
          for (int from = 0; from < sample.streamBytes; from += step) {
            sample.plan.pack(place.kind, place.owner, place.offset + sample.origin, 1, from,
                Math.min(step, sample.streamBytes - from), Raw.address(stream) + from);
          }
          assertArrayEquals(expected, stream.toArray(ValueLayout.JAVA_BYTE), place.toString());
        }
      }
    });
  }
}
