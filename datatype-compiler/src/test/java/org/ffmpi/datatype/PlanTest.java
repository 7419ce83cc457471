// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.PlanCompiler;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans of every predefined type against the naive typemap interpreter, in every kind of memory, cut at every byte. */
class PlanTest {
  private static final int MOST_TARGETS = 19;

  private static final byte GUARD = 0x5a;

  static List<Datatype<?>> types() {
    return Datatype.predefined();
  }

  /** Native memory for streams, with a guard byte at both ends. */
  private static final class Stream {
    private final MemorySegment segment;

    Stream(Arena arena, int bytes) {
      segment = arena.allocate(bytes + 2).fill(GUARD);
    }

    long address() {
      return Raw.address(segment) + 1;
    }

    void set(byte[] content) {
      MemorySegment.copy(content, 0, segment, ValueLayout.JAVA_BYTE, 1, content.length);
    }

    byte[] get() {
      byte[] all = segment.toArray(ValueLayout.JAVA_BYTE);
      assertEquals(GUARD, all[0], "byte before the stream");
      assertEquals(GUARD, all[all.length - 1], "byte after the stream");
      return Arrays.copyOfRange(all, 1, all.length - 1);
    }

    void clear() {
      segment.fill(GUARD);
    }
  }

  private static byte[] randomBytes(RandomGenerator random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] packed(TypemapOracle oracle, byte[] memory, int bytes) {
    byte[] stream = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      stream[i] = memory[oracle.displacement(i)];
    }
    return stream;
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("types")
  @DisplayName("S1-4.1.11-b: a packed stream holds the data in typemap order, from every kind of memory")
  void packsFromEveryKindOfMemory(Datatype<?> type) {
    Seed.repeat(3, random -> {
      try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        int count = random.nextInt(1, 7);
        int memoryBytes = (int) (type.extent() * count);
        int bytes = (int) TypeHandle.planOf(type).packedBytes(count);
        for (UserMemory memory : UserMemory.everyKind(memoryBytes, type, arena, shared)) {
          byte[] content = randomBytes(random, memoryBytes);
          memory.set(content);
          byte[] expected = packed(TypemapOracle.of(type), memory.keeps(content), bytes);
          Stream stream = new Stream(arena, bytes);
          TypeHandle.planOf(type).pack(memory.kind, memory.owner, memory.offset, count, 0, bytes, stream.address());
          assertArrayEquals(expected, stream.get(), memory.toString());
          stream.clear();
          int at = 0;
          while (at < bytes) {
            int step = Math.min(random.nextInt(0, 6), bytes - at);
            TypeHandle.planOf(type).pack(memory.kind, memory.owner, memory.offset, count, at, step,
                stream.address() + at);
            at += step;
          }
          assertArrayEquals(expected, stream.get(), "in steps, " + memory);
        }
      }
    });
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("types")
  @DisplayName("S4-10 S1-4.1.11-i: unpacking writes the data and leaves gaps alone, in every kind of memory")
  void unpacksIntoEveryKindOfMemory(Datatype<?> type) {
    Seed.repeat(3, random -> {
      try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        int count = random.nextInt(1, 7);
        int memoryBytes = (int) (type.extent() * count);
        int bytes = (int) TypeHandle.planOf(type).packedBytes(count);
        TypemapOracle oracle = TypemapOracle.of(type);
        for (UserMemory memory : UserMemory.everyKind(memoryBytes, type, arena, shared)) {
          byte[] before = randomBytes(random, memoryBytes);
          byte[] message = randomBytes(random, bytes);
          Stream stream = new Stream(arena, bytes);
          stream.set(message);
          // A message may be shorter than the buffer; the rest of the buffer stays unchanged.
          int part = random.nextInt(bytes + 1);
          byte[] expected = memory.keeps(before);
          byte[] kept = message.clone();
          for (int i = 0; i < part; i++) {
            expected[oracle.displacement(i)] = memory.holdsAnyByte() ? kept[i] : (byte) (kept[i] != 0 ? 1 : 0);
          }
          memory.set(before);
          TypeHandle.planOf(type).unpack(stream.address(), memory.kind, memory.owner, memory.offset, count, 0, part);
          assertArrayEquals(expected, memory.get(), memory.toString());
          memory.set(before);
          int at = 0;
          while (at < part) {
            int step = Math.min(random.nextInt(0, 6), part - at);
            TypeHandle.planOf(type).unpack(stream.address() + at, memory.kind, memory.owner, memory.offset, count, at,
                step);
            at += step;
          }
          assertArrayEquals(expected, memory.get(), "in steps, " + memory);
        }
      }
    });
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("types")
  void resumesAtEveryByte(Datatype<?> type) {
    Seed.repeat(1, random -> {
      try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        int count = 3;
        int memoryBytes = (int) (type.extent() * count);
        int bytes = (int) TypeHandle.planOf(type).packedBytes(count);
        TypemapOracle oracle = TypemapOracle.of(type);
        UserMemory memory = UserMemory.everyKind(memoryBytes, type, arena, shared).getFirst();
        byte[] content = randomBytes(random, memoryBytes);
        byte[] expected = packed(oracle, content, bytes);
        Stream stream = new Stream(arena, bytes);
        for (int from = 0; from <= bytes; from++) {
          for (int to = from; to <= bytes; to++) {
            memory.set(content);
            stream.clear();
            TypeHandle.planOf(type).pack(memory.kind, memory.owner, memory.offset, count, from, to - from,
                stream.address());
            byte[] produced = Arrays.copyOf(stream.get(), to - from);
            assertArrayEquals(Arrays.copyOfRange(expected, from, to), produced, from + " to " + to);
            memory.set(new byte[memoryBytes]);
            TypeHandle.planOf(type).unpack(stream.address(), memory.kind, memory.owner, memory.offset, count, from,
                to - from);
            byte[] written = new byte[memoryBytes];
            for (int i = from; i < to; i++) {
              written[oracle.displacement(i)] = expected[i];
            }
            assertArrayEquals(written, memory.get(), from + " to " + to);
          }
        }
      }
    });
  }

  @Test
  void transfersBetweenAnyTwoTypes() {
    Seed.repeat(1, random -> {
      for (Datatype<?> source : types()) {
        for (Datatype<?> target : types()) {
          transfer(random, source.name() + " to " + target.name(), TypeHandle.planOf(source),
              TypemapOracle.of(source), 0,
              target, TypeHandle.planOf(target), TypemapOracle.of(target), 0);
        }
      }
    });
  }

  /** Moves a random part of a stream out of {@code source}'s memory into {@code target}'s, whose gaps stay. */
  private static void transfer(
      RandomGenerator random, String what,
      Plan source, TypemapOracle sourceMap, int sourceOrigin,
      Datatype<?> targetType, Plan target, TypemapOracle targetMap, int targetOrigin) {
    int sourceCount = random.nextInt(1, 5);
    int targetCount = random.nextInt(1, MOST_TARGETS + 1);
    int bytes = (int) Math.min(source.packedBytes(sourceCount), target.packedBytes(targetCount));
    int sourceBytes = 2 * sourceOrigin + (int) Math.abs(source.extent()) * sourceCount + (int) source.trueExtent();
    int targetBytes = 2 * targetOrigin + (int) Math.abs(target.extent()) * targetCount + (int) target.trueExtent();
    try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(sourceBytes);
      byte[] content = randomBytes(random, sourceBytes);
      MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, sourceBytes);
      List<UserMemory> kinds = UserMemory.everyKind(targetBytes, targetType, arena, shared);
      UserMemory into = kinds.get(random.nextInt(kinds.size()));
      byte[] before = randomBytes(random, targetBytes);
      into.set(before);
      int from = random.nextInt(bytes + 1);
      int to = random.nextInt(from, bytes + 1);
      byte[] expected = before.clone();
      for (int i = from; i < to; i++) {
        expected[targetOrigin + targetMap.displacement(i)] = content[sourceOrigin + sourceMap.displacement(i)];
      }
      target.transfer(Raw.address(memory) + sourceOrigin, source, sourceCount,
          into.kind, into.owner, into.offset + targetOrigin, targetCount, from, to - from);
      assertArrayEquals(into.keeps(expected), into.get(), what + ", " + into);
    }
  }

  /** Shapes that predefined types do not have: runs out of order, negative displacements and extents, overlap. */
  @Test
  void anyListOfRunsIsPackedInItsOrder() {
    Seed.repeat(200, random -> {
      Layout shape = Layout.random(random);
      int count = random.nextInt(1, 6);
      int bytes = (int) shape.plan.packedBytes(count);
      int memoryBytes = 2 * Layout.ORIGIN;
      try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        for (UserMemory memory : UserMemory.everyKind(memoryBytes, Datatype.INT8_T, arena, shared)) {
          byte[] content = randomBytes(random, memoryBytes);
          memory.set(content);
          byte[] expected = new byte[bytes];
          for (int i = 0; i < bytes; i++) {
            expected[i] = content[Layout.ORIGIN + shape.map.displacement(i)];
          }
          Stream stream = new Stream(arena, bytes);
          int cut = random.nextInt(bytes + 1);
          long origin = memory.offset + Layout.ORIGIN;
          shape.plan.pack(memory.kind, memory.owner, origin, count, 0, cut, stream.address());
          shape.plan.pack(memory.kind, memory.owner, origin, count, cut, bytes - cut, stream.address() + cut);
          assertArrayEquals(expected, stream.get(), shape + ", " + memory);
          if (shape.plan.overlaps(count)) {
            continue; // two receives into one byte are erroneous, and copies may go in any order
          }
          byte[] message = randomBytes(random, bytes);
          stream.set(message);
          for (int i = 0; i < bytes; i++) {
            content[Layout.ORIGIN + shape.map.displacement(i)] = message[i];
          }
          shape.plan.unpack(stream.address(), memory.kind, memory.owner, origin, count, 0, cut);
          shape.plan.unpack(stream.address() + cut, memory.kind, memory.owner, origin, count, cut, bytes - cut);
          assertArrayEquals(content, memory.get(), shape + ", " + memory);
        }
      }
    });
  }

  @Test
  void anyTwoListsOfRunsTransfer() {
    Seed.repeat(500, random -> {
      Layout source = Layout.random(random);
      Layout target = Layout.random(random);
      while (target.plan.overlaps(MOST_TARGETS)) {
        target = Layout.random(random);
      }
      transfer(random, source + " to " + target, source.plan, source.map, Layout.ORIGIN,
          Datatype.INT8_T, target.plan, target.map, Layout.ORIGIN);
    });
  }

  private record Layout(Plan plan, TypemapOracle map) {
    static final int ORIGIN = 3000;

    static Layout random(RandomGenerator random) {
      int runs = random.nextInt(1, 6);
      long[] displacements = new long[runs];
      long[] lengths = new long[runs];
      for (int i = 0; i < runs; i++) {
        displacements[i] = random.nextInt(-40, 40);
        lengths[i] = random.nextInt(1, 20);
      }
      long extent = random.nextInt(-100, 100);
      List<ByteShape> parts = new ArrayList<>();
      for (int i = 0; i < runs; i++) {
        parts.add(new ByteShape.Run(displacements[i], lengths[i]));
      }
      Plan plan = PlanCompiler.compile(new ByteShape.Sequence(parts), extent);
      return new Layout(plan, TypemapOracle.of(extent, displacements, lengths));
    }
  }

  @Test
  void onlyPairsWithGapsAreNotContiguous() {
    for (Datatype<?> type : types()) {
      boolean gaps = List.of("MPI_DOUBLE_INT", "MPI_LONG_INT", "MPI_SHORT_INT", "MPI_LONG_DOUBLE_INT")
          .contains(type.name());
      assertEquals(!gaps, TypeHandle.planOf(type).isContiguous(), type.name());
    }
    assertEquals("every 8: 2 at 0, 4 at 4", TypeHandle.planOf(Datatype.SHORT_INT).toString());
    assertEquals("every 16: 12 at 0", TypeHandle.planOf(Datatype.DOUBLE_INT).toString());
    assertEquals("contiguous 8", TypeHandle.planOf(Datatype.DOUBLE).toString());
  }

  @Test
  void emptyMessagesTouchNothing() {
    for (Datatype<?> type : types()) {
      byte[] none = {};
      assertEquals(0, TypeHandle.planOf(type).packedBytes(0));
      TypeHandle.planOf(type).pack(Memory.BYTES, none, 0, 0, 0, 0, 0);
      TypeHandle.planOf(type).unpack(0, Memory.BYTES, none, 0, 0, 0, 0);
      for (Datatype<?> source : types()) {
        TypeHandle.planOf(type).transfer(0, TypeHandle.planOf(source), 0, Memory.BYTES, none, 0, 0, 0, 0);
      }
    }
  }

  @Test
  void streamLengthsBeyondLongAreErrors() {
    Plan plan = TypeHandle.planOf(Datatype.DOUBLE_INT);
    long most = Long.MAX_VALUE / 12;
    assertEquals(most * 12, plan.packedBytes(most));
    assertEquals(Long.MAX_VALUE, TypeHandle.planOf(Datatype.BYTE).packedBytes(Long.MAX_VALUE));
    for (long count : new long[] {most + 1, Long.MAX_VALUE / 2, Long.MAX_VALUE}) {
      MpiException refused = assertThrows(MpiException.class, () -> plan.packedBytes(count));
      assertEquals(ErrorClass.ERR_COUNT, refused.errorClass());
      assertTrue(refused.getMessage().contains(Long.toString(count)), refused.getMessage());
    }
    assertFalse(plan.isContiguous());
  }
}
