// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.plan.Place;
import org.ffmpi.datatype.plan.RandomShapes;
import org.ffmpi.datatype.plan.ShapeOracle;
import org.ffmpi.datatype.plan.kernel.BackgroundWork;
import org.ffmpi.datatype.plan.kernel.PlanSettings.Generate;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.plan.pattern.Lowering;
import org.ffmpi.datatype.plan.pattern.Patterns;
import org.ffmpi.datatype.plan.pattern.PlacedPattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Generated classes against the naive reading of shapes, in every kind of memory, with all bytes of both sides. */
@Tag("long")
class GeneratedClassTest {
  private static final int SHAPES = 150;
  private static final int MOST_BYTES = 4000;
  private static final byte GUARD = 0x5a;

  private final Generation generation = new Generation(Generate.SYNC, new BackgroundWork(1));

  @Test
  void randomShapesInEveryKindOfMemory() {
    Seed.repeat(1, random -> {
      int made = 0;
      for (int i = 0; i < SHAPES || made < SHAPES; i++) {
        RandomShapes shapes = new RandomShapes(random, MOST_BYTES);
        ByteShape shape = shapes.next();
        // Units of more than a byte, so that arrays are also accessed by their components.
        long unit = 1L << random.nextInt(0, 4);
        long extent = shapes.extent(shape) * unit;
        made += check(scaled(shape, unit), extent, random.nextInt(1, 6), unit, random);
      }
    });
  }

  @Test
  void moreRunsThanOneMethodTakes() {
    Seed.repeat(3, random -> {
      int runs = ElementProgram.MOST_PARTS;
      long[] displacements = new long[runs];
      long[] counts = new long[runs];
      long at = 0;
      for (int i = 0; i < runs; i++) {
        displacements[i] = at;
        counts[i] = random.nextInt(1, 70);
        at += counts[i] + random.nextInt(1, 9);
      }
      ByteShape scatter = new ByteShape.Scatter(displacements, counts, 1, new ByteShape.Run(0, 1));
      assertEquals(1, check(scatter, at + 3, 4, 1, random));
    });
  }

  @Test
  void moreElementsThanOneStripTakes() {
    Seed.repeat(1, random -> {
      ByteShape shape = new ByteShape.Sequence(List.of(new ByteShape.Run(0, 1), new ByteShape.Run(2, 2)));
      assertEquals(1, check(shape, 5, GeneratedClass.STRIP + 3, 1, random));
    });
  }

  @Test
  void noElements() {
    ElementProgram program = ElementProgram.of(pattern(new ByteShape.Sequence(
        List.of(new ByteShape.Run(0, 1), new ByteShape.Run(2, 2)))).pattern(), 8);
    ElementCopier copier = generation.define(program, Memory.BYTES);
    copier.pack(new byte[0], 0, 0, 0);
    copier.unpack(0, new byte[0], 0, 0);
    copier.copy(0, new byte[0], 0, 0);
  }

  @Test
  void whatTheSharedLoopsAreMadeForHasNoProgram() {
    ByteShape run = new ByteShape.Run(0, 24);
    assertEquals(null, ElementProgram.of(pattern(run).pattern(), 32));
    assertEquals(null, ElementProgram.of(pattern(new ByteShape.Repeat(0, 100, 32, run)).pattern(), 5000));
    long[] places = new long[ElementProgram.MOST_PARTS + 1];
    long[] ones = new long[places.length];
    Arrays.setAll(places, i -> 40L * i + i % 3);
    Arrays.fill(ones, 1);
    assertEquals(null, ElementProgram.of(pattern(new ByteShape.Scatter(places, ones, 0, run)).pattern(), 1 << 20));
    ByteShape far = new ByteShape.Sequence(List.of(run, new ByteShape.Run(1L << 61, 8)));
    assertEquals(null, ElementProgram.of(pattern(far).pattern(), 8));
  }

  @Test
  void arraysHaveNoElementsFartherApartThanTheirIndices() {
    ByteShape shape = new ByteShape.Sequence(List.of(new ByteShape.Run(0, 1), new ByteShape.Run(2, 2)));
    ElementProgram program = ElementProgram.of(pattern(shape).pattern(), 1L << 33);
    assertFalse(GeneratedClass.supports(program, Memory.BYTES));
    assertTrue(GeneratedClass.supports(program, Memory.NATIVE));
    assertFalse(GeneratedClass.supports(program, Memory.BOOLEANS));
    assertFalse(GeneratedClass.supports(program, Memory.SESSION));
  }

  // ---- one shape

  private static PlacedPattern pattern(ByteShape shape) {
    PlacedPattern placed = Lowering.lower(shape);
    return new PlacedPattern(placed.displacement(), Patterns.withListedLoops(placed.pattern()));
  }

  private static ByteShape scaled(ByteShape shape, long by) {
    return switch (shape) {
      case ByteShape.Run(long displacement, long bytes) -> new ByteShape.Run(displacement * by, bytes * by);
      case ByteShape.Repeat(long displacement, long count, long stride, ByteShape body) ->
          new ByteShape.Repeat(displacement * by, count, stride * by, scaled(body, by));
      case ByteShape.Scatter(long[] displacements, long[] counts, long stride, ByteShape body) ->
          new ByteShape.Scatter(
              Arrays.stream(displacements).map(d -> d * by).toArray(), counts, stride * by, scaled(body, by));
      case ByteShape.Members(long[] displacements, long[] counts, int[] kinds, long[] strides, ByteShape[] bodies) ->
          new ByteShape.Members(
              Arrays.stream(displacements).map(d -> d * by).toArray(), counts, kinds,
              Arrays.stream(strides).map(d -> d * by).toArray(),
              Arrays.stream(bodies).map(body -> scaled(body, by)).toArray(ByteShape[]::new));
      case ByteShape.Sequence(List<ByteShape> parts) ->
          new ByteShape.Sequence(parts.stream().map(part -> scaled(part, by)).toList());
    };
  }

  /** Returns 1 when the shape has a program, which then is right, else 0. */
  private int check(ByteShape shape, long extent, int count, long unit, RandomGenerator random) {
    PlacedPattern placed = pattern(shape);
    ElementProgram program = ElementProgram.of(placed.pattern(), extent);
    if (program == null) {
      return 0;
    }
    ShapeOracle oracle = new ShapeOracle(shape, extent);
    assertEquals(oracle.size(), program.size());
    long low = oracle.low(count);
    // Bytes before and behind the data, as many as unaligned arrays need.
    int around = 16;
    int bytes = (int) (oracle.high(count) - low) + 2 * around;
    int shift = random.nextInt(8);
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      for (Place place : Place.everyKind(bytes, shift, confined, shared)) {
        if (GeneratedClass.supports(program, place.kind)) {
          long origin = around - low;
          long at = place.offset + origin + placed.displacement();
          int width = GeneratedClass.isTyped(program, place.kind) ? Memory.elementSize(place.kind) : 1;
          long up = -at & width - 1;
          ElementCopier copier = generation.define(program, place.kind);
          assertNotNull(copier, () -> place + ": " + RandomShapes.text(shape));
          new Case(copier, oracle, place, origin + up, at + up, count, placed.displacement()).check(random, shape);
        }
      }
    }
    return 1;
  }

  /** One class at one place. */
  private record Case(
      ElementCopier copier, ShapeOracle oracle, Place place, long origin, long at, int count, long displacement) {

    void check(RandomGenerator random, ByteShape shape) {
      String what = place + ", " + count + " times " + RandomShapes.text(shape);
      byte[] memory = new byte[place.get().length];
      random.nextBytes(memory);
      place.set(memory);
      pack(memory, what);
      if (!oracle.overlaps(count)) {
        byte[] stream = new byte[count * oracle.size()];
        random.nextBytes(stream);
        unpack(memory, stream, what);
        byte[] source = new byte[memory.length];
        random.nextBytes(source);
        copy(memory, source, what);
      }
    }

    private Object array() {
      return place.kind == Memory.NATIVE ? null : place.owner;
    }

    private void pack(byte[] memory, String what) {
      byte[] expected = oracle.pack(memory, origin, count);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment stream = arena.allocate(expected.length + 128).fill(GUARD);
        copier.pack(array(), at, count, Raw.address(stream) + 64);
        byte[] all = stream.toArray(ValueLayout.JAVA_BYTE);
        byte[] framed = new byte[all.length];
        Arrays.fill(framed, GUARD);
        System.arraycopy(expected, 0, framed, 64, expected.length);
        assertArrayEquals(framed, all, () -> "pack " + what);
      }
      assertArrayEquals(memory, place.get(), () -> "packing changed " + what);
    }

    private void unpack(byte[] memory, byte[] stream, String what) {
      place.set(memory);
      byte[] expected = memory.clone();
      for (int i = 0; i < stream.length; i++) {
        expected[(int) (origin + oracle.at(i))] = stream[i];
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment segment = arena.allocate(stream.length);
        MemorySegment.copy(stream, 0, segment, ValueLayout.JAVA_BYTE, 0, stream.length);
        copier.unpack(Raw.address(segment), array(), at, count);
      }
      assertArrayEquals(expected, place.get(), () -> "unpack " + what);
    }

    private void copy(byte[] memory, byte[] source, String what) {
      place.set(memory);
      byte[] expected = memory.clone();
      for (int i = 0; i < count * oracle.size(); i++) {
        int byteAt = (int) (origin + oracle.at(i));
        expected[byteAt] = source[byteAt];
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment segment = arena.allocate(source.length);
        MemorySegment.copy(source, 0, segment, ValueLayout.JAVA_BYTE, 0, source.length);
        copier.copy(Raw.address(segment) + origin + displacement, array(), at, count);
      }
      assertArrayEquals(expected, place.get(), () -> "copy " + what);
    }
  }
}
