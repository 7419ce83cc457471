// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.MemoryLayout.unionLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.ffmpi.datatype.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.TypeContents;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.oracle.RandomTypes;
import org.ffmpi.datatype.oracle.Sample;
import org.ffmpi.datatype.oracle.Typemap;
import org.ffmpi.datatype.tree.ShapeBytes;
import org.ffmpi.datatype.tree.TypeTree;
import org.junit.jupiter.api.Test;

/** Types from memory layouts, and layouts of types. */
class LayoutTypesTest {
  private static final MemoryLayout PARTICLE = structLayout(
      JAVA_INT.withName("kind"), paddingLayout(4), sequenceLayout(6, JAVA_DOUBLE).withName("d"),
      sequenceLayout(7, JAVA_BYTE).withName("b"), paddingLayout(1)).withName("Particle");

  @Test
  void valuesAreSentAsBareArraysOfThem() {
    Map<ValueLayout, Datatype<?>> types = Map.of(
        JAVA_BYTE, Datatype.INT8_T, JAVA_BOOLEAN, Datatype.C_BOOL, JAVA_CHAR, Datatype.UINT16_T,
        JAVA_SHORT, Datatype.INT16_T, JAVA_INT, Datatype.INT32_T, JAVA_LONG, Datatype.INT64_T,
        JAVA_FLOAT, Datatype.FLOAT, JAVA_DOUBLE, Datatype.DOUBLE, ADDRESS, Datatype.AINT);
    types.forEach((layout, type) -> {
      Datatype<MemorySegment> made = Datatype.of(layout);
      assertEquals(Combiner.DUP, made.envelope().combiner());
      assertSame(type, made.contents().datatypes().getFirst());
      assertEquals(Optional.of(layout), made.layout());
      if (layout != ADDRESS) {
        assertSame(type, Datatype.ofArray(layout.carrier().arrayType()));
      }
    });
  }

  @Test
  void aStructIsDecodedAsOneWrittenByHand() {
    Datatype<MemorySegment> type = Datatype.of(PARTICLE);
    assertEquals(59, type.size());
    assertEquals(64, type.extent());
    assertEquals(63, type.trueExtent());
    assertEquals(Combiner.STRUCT, type.envelope().combiner());
    TypeContents contents = type.contents();
    assertArrayEquals(new long[] {3, 1, 6, 7}, contents.integers());
    assertArrayEquals(new long[] {0, 8, 56}, contents.addresses());
    assertEquals(List.of(Datatype.INT32_T, Datatype.DOUBLE, Datatype.INT8_T), contents.datatypes());
    assertEquals(Optional.of(PARTICLE), type.layout());
  }

  @Test
  void theExtentIsTheLayoutsSizeWhereTheFormulaSaysOtherwise() {
    for (MemoryLayout layout : List.of(
        structLayout(JAVA_DOUBLE, JAVA_BYTE, paddingLayout(23)),
        structLayout(paddingLayout(8), JAVA_INT, paddingLayout(4)),
        structLayout(JAVA_BYTE, JAVA_DOUBLE_UNALIGNED, JAVA_BYTE),
        structLayout(JAVA_INT, paddingLayout(60)).withByteAlignment(64),
        structLayout(),
        paddingLayout(12),
        sequenceLayout(3, structLayout(paddingLayout(2), JAVA_SHORT, paddingLayout(4))),
        sequenceLayout(0, JAVA_LONG))) {
      Datatype<MemorySegment> type = Datatype.of(layout);
      assertEquals(0, type.lowerBound(), layout.toString());
      assertEquals(layout.byteSize(), type.extent(), layout.toString());
      assertEquals(Optional.of(layout), type.layout());
    }
  }

  @Test
  void unionsAreBytes() {
    MemoryLayout union = unionLayout(JAVA_INT.withName("i"), sequenceLayout(6, JAVA_SHORT).withName("s"));
    MemoryLayout padded = structLayout(JAVA_BYTE, paddingLayout(3), union.withName("u"));
    Datatype<MemorySegment> type = Datatype.of(padded);
    assertEquals(13, type.size());
    assertEquals(16, type.extent());
    assertEquals("INT8_T, 12 x BYTE", TypeHandle.of(type).signature().toString());
    assertEquals(Optional.of(padded), type.layout());
  }

  @Test
  void whatNoTypeCanSayIsRefused() {
    ValueLayout big = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).withName("net");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.of(big), "layout", "net", "LITTLE_ENDIAN");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.of(structLayout(JAVA_INT, sequenceLayout(2, big))), "net");
    assertEquals(1, Datatype.of(JAVA_BYTE.withOrder(ByteOrder.BIG_ENDIAN)).size(), "a byte has no order");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.of(structLayout(JAVA_INT, JAVA_BYTE).withName("odd")),
        "odd", "5 of 4", "add padding");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.of(JAVA_INT.withByteAlignment(64)), "4 of 64");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.of((MemoryLayout) null), "layout = null");
    Datatype<MemorySegment> freed = Datatype.of(PARTICLE);
    freed.close();
    refused(ErrorClass.ERR_TYPE, freed::layout, "freed");
  }

  @Test
  void namesStayInTypesMadeOfOthers() {
    Datatype<MemorySegment> particle = Datatype.of(PARTICLE);
    assertEquals(Optional.of(sequenceLayout(5, PARTICLE)), Datatype.contiguous(5, particle).layout());
    assertEquals(Optional.of(PARTICLE), particle.dup().layout());
    assertEquals(
        Optional.of(structLayout(PARTICLE, paddingLayout(64))), particle.resized(0, 128).layout());
    assertEquals(
        Optional.of(structLayout(paddingLayout(8), sequenceLayout(2, PARTICLE))),
        Datatype.struct(new long[] {2}, new long[] {8}, particle).resized(0, 136).layout());
  }

  @Test
  void predefinedTypesHaveTheLayoutOfTheirValues() {
    assertEquals(Optional.of(JAVA_DOUBLE), Datatype.DOUBLE.layout());
    assertEquals(Optional.of(JAVA_CHAR), Datatype.UNSIGNED_SHORT.layout());
    assertEquals(Optional.of(JAVA_BOOLEAN), Datatype.C_BOOL.layout());
    assertEquals(Optional.of(structLayout(JAVA_FLOAT.withName("re"), JAVA_FLOAT.withName("im"))),
        Datatype.C_COMPLEX.layout());
    assertEquals(Optional.of(structLayout(JAVA_DOUBLE.withName("value"), JAVA_INT.withName("index"), paddingLayout(4))),
        Datatype.DOUBLE_INT.layout());
    assertEquals(Optional.of(structLayout(JAVA_SHORT.withName("value"), paddingLayout(2), JAVA_INT.withName("index"))),
        Datatype.SHORT_INT.layout());
    for (Datatype<?> type : Datatype.predefined()) {
      MemoryLayout layout = type.layout().orElseThrow();
      assertEquals(type.extent(), layout.byteSize(), type.name());
      assertEquals(type.size(), Datatype.of(layout).size(), type.name());
      assertEquals(((TypeTree.Named) TypeHandle.of(type).tree()).basic().element().alignment(),
          layout.byteAlignment(), type.name());
    }
  }

  @Test
  void derivedTypesHaveLayouts() {
    assertEquals(
        Optional.of(structLayout(
            sequenceLayout(2, structLayout(sequenceLayout(2, JAVA_INT), paddingLayout(4))),
            sequenceLayout(2, JAVA_INT))),
        Datatype.vector(3, 2, 3, Datatype.INT).layout());
    Datatype<?> small = Datatype.struct(new long[] {1, 1}, new long[] {0, 8}, Datatype.DOUBLE, Datatype.CHAR);
    assertEquals(
        Optional.of(sequenceLayout(4, structLayout(JAVA_DOUBLE, JAVA_BYTE, paddingLayout(7)))),
        Datatype.contiguous(4, small).layout(), "equal elements are one sequence");
    assertEquals(
        Optional.of(structLayout(JAVA_BYTE, JAVA_INT.withByteAlignment(1), paddingLayout(3))),
        Datatype.struct(new long[] {1, 1}, new long[] {0, 1}, Datatype.CHAR, Datatype.INT).layout());
    assertEquals(Optional.empty(), Datatype.indexed(new long[] {1, 1}, new long[] {2, 0}, Datatype.INT).layout());
    assertEquals(Optional.empty(), Datatype.vector(2, 2, 1, Datatype.INT).layout(), "overlap");
    assertEquals(Optional.empty(), Datatype.INT.resized(-4, 8).layout(), "not from 0 on");
    assertEquals(Optional.empty(), Datatype.vector(2, 1, 2, Datatype.INT).resized(0, 4).layout(), "beyond the extent");
  }

  @Test
  void largeTypesHaveSmallLayouts() {
    assertEquals(8L << 40, Datatype.contiguous(1L << 40, Datatype.DOUBLE).layout().orElseThrow().byteSize());
    Datatype<?> twice = Datatype.INT;
    for (int i = 0; i < 50; i++) {
      twice = Datatype.struct(new long[] {1, 1}, new long[] {0, twice.extent()}, twice, twice);
    }
    assertEquals(4L << 50, twice.layout().orElseThrow().byteSize());
  }

  /** The way there and back: the layout of a random type describes the same bytes, and is missing only for a reason. */
  @Test
  void layoutsOfRandomTypesDescribeTheirBytes() {
    Seed.repeat(5_000, random -> {
      Sample sample = new RandomTypes(random).next();
      Typemap map = sample.map();
      List<Long> bytes = IntStream.range(0, map.size()).mapToObj(map::displacement).toList();
      boolean ordered = true;
      for (int i = 1; i < bytes.size(); i++) {
        ordered &= bytes.get(i - 1) < bytes.get(i);
      }
      boolean inside = bytes.isEmpty() || bytes.getFirst() >= 0 && bytes.getLast() < map.extent();
      boolean possible = map.lowerBound() == 0 && map.extent() >= 0 && ordered && inside;
      Optional<MemoryLayout> layout = sample.type().layout();
      assertEquals(possible, layout.isPresent(), sample.text());
      layout.ifPresent(l -> {
        assertEquals(map.extent(), l.byteSize(), sample.text());
        assertEquals(bytes, ShapeBytes.of(TypeHandle.of(Datatype.of(l)).tree().shape()), sample.text() + ": " + l);
      });
    });
  }

  @Test
  void randomLayoutsBecomeTypesOfTheirBytes() {
    Seed.repeat(2_000, random -> {
      MemoryLayout layout = randomLayout(random, 3);
      List<Long> bytes = new ArrayList<>();
      collect(layout, 0, bytes);
      Datatype<MemorySegment> type = Datatype.of(layout);
      assertEquals(bytes, ShapeBytes.of(TypeHandle.of(type).tree().shape()), layout.toString());
      assertEquals(layout.byteSize(), type.extent());
      assertEquals(Optional.of(layout), type.layout());
      assertEquals(TypeHandle.of(type).tree(), TypeHandle.of(Datatype.of(layout)).tree());
      MemoryLayout again = Datatype.struct(new long[] {1}, new long[] {0}, type).layout().orElse(layout);
      assertEquals(layout.byteSize(), again.byteSize());
    });
  }

  private static MemoryLayout randomLayout(RandomGenerator random, int depth) {
    ValueLayout[] values = {JAVA_BYTE, JAVA_BOOLEAN, JAVA_CHAR, JAVA_SHORT, JAVA_INT, JAVA_LONG, JAVA_FLOAT, ADDRESS};
    return switch (depth == 0 ? 0 : random.nextInt(4)) {
      case 0 -> values[random.nextInt(values.length)].withName("v" + random.nextInt(10));
      case 1 -> sequenceLayout(random.nextInt(4), randomLayout(random, depth - 1));
      case 2 -> {
        List<MemoryLayout> members = new ArrayList<>();
        long at = random.nextInt(3) == 0 ? 8 : 0;
        if (at > 0) {
          members.add(paddingLayout(8));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
          MemoryLayout member = randomLayout(random, depth - 1);
          members.add(member.withName("m" + i));
          at += member.byteSize();
          if (at % 8 != 0) {
            members.add(paddingLayout(8 - at % 8));
            at += 8 - at % 8;
          }
        }
        yield structLayout(members.toArray(MemoryLayout[]::new));
      }
      default -> {
        MemoryLayout member = randomLayout(random, depth - 1);
        yield member.byteSize() % 8 == 0 && member.byteSize() > 0 ? unionLayout(member, JAVA_LONG) : member;
      }
    };
  }

  /** Lists the bytes that are not padding. */
  private static void collect(MemoryLayout layout, long at, List<Long> bytes) {
    switch (layout) {
      case PaddingLayout _ -> { }
      case SequenceLayout s -> {
        for (long i = 0; i < s.elementCount(); i++) {
          collect(s.elementLayout(), at + i * s.elementLayout().byteSize(), bytes);
        }
      }
      case StructLayout s -> {
        long member = at;
        for (MemoryLayout m : s.memberLayouts()) {
          collect(m, member, bytes);
          member += m.byteSize();
        }
      }
      default -> {
        for (long i = 0; i < layout.byteSize(); i++) {
          bytes.add(at + i);
        }
      }
    }
  }

  @Test
  void elementsAreSlices() {
    Datatype<MemorySegment> type = Datatype.of(PARTICLE).commit();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(PARTICLE, 4);
      MemorySegment third = type.get(buffer, 2);
      assertEquals(64, third.byteSize());
      third.set(JAVA_INT, 0, 7);
      assertEquals(7, buffer.get(JAVA_INT, 128));
      type.set(buffer, 0, third);
      assertEquals(7, buffer.get(JAVA_INT, 0));
      refused(ErrorClass.ERR_BUFFER, () -> type.get(buffer, 4), "256 bytes", "element 4");
      refused(ErrorClass.ERR_BUFFER, () -> type.get(buffer.asSlice(0, 63), 0), "63 bytes");
      refused(ErrorClass.ERR_ARG, () -> type.set(buffer, 0, buffer), "value.byteSize() = 256", "64");
      refused(ErrorClass.ERR_ARG, () -> type.set(buffer, 0, null), "value = null");
      refused(ErrorClass.ERR_BUFFER, () -> type.set(buffer.asReadOnly(), 0, third), "read-only");
    }
  }

  @Test
  void gapsAreNotSent() {
    Datatype<MemorySegment> type = Datatype.of(PARTICLE).commit();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(PARTICLE, 2).fill((byte) 1);
      MemorySegment packed = arena.allocate(118);
      TypeHandle.planOf(type).pack(Memory.NATIVE, buffer, Raw.address(buffer), 2, 0, 118, Raw.address(packed));
      buffer.fill((byte) 9);
      TypeHandle.planOf(type).unpack(Raw.address(packed), Memory.NATIVE, buffer, Raw.address(buffer), 2, 0, 118);
      assertEquals(118, IntStream.range(0, 128).filter(i -> buffer.get(JAVA_BYTE, i) == 1).count());
      assertTrue(buffer.get(JAVA_BYTE, 4) == 9 && buffer.get(JAVA_BYTE, 63) == 9);
    }
  }

  @Test
  void elementsOutOfReach() throws InterruptedException {
    Datatype<MemorySegment> late = Datatype.of(
        structLayout(paddingLayout(8), JAVA_INT)).resized(0, -8);
    refused(ErrorClass.ERR_BUFFER, () -> late.get(MemorySegment.ofArray(new long[4]), 1), "at -8");
    Arena closed = Arena.ofConfined();
    MemorySegment gone = closed.allocate(JAVA_INT);
    Datatype<MemorySegment> type = Datatype.of(JAVA_INT);
    Thread other = new Thread(() -> {
      refused(ErrorClass.ERR_BUFFER, () -> Datatype.INT.get(gone, 0), "another thread");
      refused(ErrorClass.ERR_BUFFER, () -> Datatype.INT.set(gone, 0, 1), "another thread");
    });
    Throwable[] failed = new Throwable[1];
    other.setUncaughtExceptionHandler((thread, e) -> failed[0] = e);
    other.start();
    other.join();
    assertEquals(null, failed[0]);
    closed.close();
    refused(ErrorClass.ERR_BUFFER, () -> Datatype.INT.get(gone, 0), "closed");
    refused(ErrorClass.ERR_BUFFER, () -> type.set(MemorySegment.ofArray(new int[1]), 0, gone), "closed");
  }

  @Test
  void layoutsThatShareParts() {
    MemoryLayout layout = sequenceLayout(2, JAVA_BYTE);
    for (int i = 0; i < 40; i++) {
      layout = structLayout(layout, layout);
    }
    assertEquals(2L << 40, Datatype.of(layout).size());
    MemoryLayout deep = JAVA_BYTE;
    for (int i = 0; i < 20_000; i++) {
      deep = structLayout(deep);
    }
    MemoryLayout tooDeep = deep;
    refused(ErrorClass.ERR_TYPE, () -> Datatype.of(tooDeep), "1000");
  }
}
