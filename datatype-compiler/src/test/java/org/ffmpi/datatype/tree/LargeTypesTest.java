// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import static org.ffmpi.datatype.tree.BoundsTest.longs;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Types with many blocks, and types whose typemap is too long to be written down. */
@Tag("long")
class LargeTypesTest {
  private static final int BLOCKS = 100_000;

  @Test
  void manyBlocks() {
    long[] lengths = LongStream.range(0, BLOCKS).map(i -> i % 3).toArray();
    long[] displacements = LongStream.range(0, BLOCKS).map(i -> 5 * i).toArray();
    long ints = Arrays.stream(lengths).sum();
    Datatype<Integer> type = Datatype.indexed(lengths, displacements, Datatype.INT).commit();
    assertEquals(4 * ints, type.size());
    assertEquals(4 * ints, TypeHandle.planOf(type).size());
    assertEquals(20, type.trueLowerBound(), "the first block is empty");
    assertEquals(4 * ints, type.bytesOf(ints));
    assertEquals(ints - 1, type.elements(4 * ints - 4));
    Datatype<Integer> again = Datatype.indexed(lengths, displacements, Datatype.INT);
    assertEquals(TypeHandle.of(type).tree(), TypeHandle.of(again).tree());
    assertEquals(TypeHandle.of(type).tree().hashCode(), TypeHandle.of(again).tree().hashCode());
    Datatype<Integer> regular = Datatype.hindexedBlock(2, displacements, Datatype.INT).commit();
    assertEquals(8L * BLOCKS, TypeHandle.planOf(regular).size());
    assertEquals(2L * BLOCKS + 2, regular.envelope().integers() + regular.envelope().addresses() + BLOCKS);
  }

  @Test
  void manyTypes() {
    Datatype<?>[] types = new Datatype<?>[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
      types[i] = i % 2 == 0 ? Datatype.INT : Datatype.DOUBLE;
    }
    long[] ones = new long[BLOCKS];
    Arrays.fill(ones, 1);
    Datatype<Object> type =
        Datatype.struct(ones, LongStream.range(0, BLOCKS).map(i -> 8 * i).toArray(), types).commit();
    assertEquals(6L * BLOCKS, type.size());
    assertEquals(8L * BLOCKS, type.extent());
    assertEquals(BLOCKS - 1, type.elements(6L * BLOCKS - 8));
    assertEquals(6L * BLOCKS - 8, type.bytesOf(BLOCKS - 1));
    assertEquals(BLOCKS, type.contents().datatypes().size());
    assertTrue(type.describe().lines().count() <= 1001);
  }

  /** Struct of twice a struct of twice a struct: 2^depth elements in a tree of so many nodes. */
  private static Datatype<?> doubled(int depth) {
    Datatype<?> type = Datatype.INT;
    for (int i = 0; i < depth; i++) {
      type = Datatype.struct(longs(1, 1), longs(0, 8), type, type);
    }
    return type;
  }

  @Test
  void sharedComponentsAreVisitedOnce() {
    Datatype<?> type = doubled(55);
    assertEquals(4L << 55, type.size());
    assertEquals(8L * 55 + 4, type.trueExtent());
    assertEquals(1L << 55, TypeHandle.of(type).signature().elements());
    assertEquals((1L << 55) - 1, type.elements((4L << 55) - 4));
    assertTrue(type.acceptsArray(int[].class));
    assertEquals(TypeHandle.of(type).tree(), TypeHandle.of(doubled(55)).tree());
    assertEquals(TypeHandle.of(type).tree().hashCode(), TypeHandle.of(doubled(55)).tree().hashCode());
    assertFalse(TypeHandle.of(type).tree().equals(TypeHandle.of(doubled(54)).tree()));
    ByteShape.Members shape = (ByteShape.Members) TypeHandle.of(type).tree().shape();
    assertEquals(1, shape.bodies().length);
    assertTrue(type.describe().endsWith("and so on\n"));
    assertFalse(type.toString().isEmpty());
  }

  @Test
  void sharedComponentsAreCompiledOnce() {
    Datatype<?> type = Datatype.struct(longs(1, 1), longs(0, 8), Datatype.INT, Datatype.DOUBLE);
    for (int i = 0; i < 40; i++) {
      type = Datatype.struct(longs(1, 1), longs(0, type.extent()), type, type);
    }
    assertEquals((1L << 40) + " times every 16: 4 at 0, 8 at 8", TypeHandle.planOf(type.commit()).toString());
  }

  @Test
  void sharedComponentsWithoutDataAreCompiledOnce() {
    Datatype<?> type = Datatype.contiguous(0, Datatype.INT);
    for (int i = 0; i < 60; i++) {
      type = Datatype.struct(longs(1, 1), longs(0, 8), type, type);
    }
    assertEquals(0, TypeHandle.planOf(type.commit()).size());
    assertEquals(Optional.of(MemoryLayout.structLayout()), type.layout());
  }

  /** Members of one run, of several, and mixed ones have the plan that nested types of the same bytes have. */
  @Test
  void membersOfAllKinds() {
    int blocks = 1_000_000;
    long[] ones = new long[blocks];
    Arrays.fill(ones, 1);
    Datatype<?>[] types = new Datatype<?>[blocks];
    long[] displacements = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      types[i] = i % 3 == 0 ? Datatype.INT : i % 3 == 1 ? Datatype.DOUBLE : Datatype.CHAR;
      displacements[i] = 16L * i;
    }
    Datatype<?> plain = Datatype.struct(ones, displacements, types).commit();
    assertEquals(blocks, TypeHandle.planOf(plain).runs());
    Datatype<?> pair = Datatype.struct(longs(1, 1), longs(0, 8), Datatype.INT, Datatype.CHAR);
    Arrays.setAll(types, i -> i % 2 == 0 ? Datatype.DOUBLE : pair);
    Datatype<?> mixed = Datatype.struct(ones, displacements, types).commit();
    Datatype<?> two = Datatype.struct(longs(1, 1), longs(0, 16), Datatype.DOUBLE, pair);
    Datatype<?> all = Datatype.hvector(blocks / 2, 1, 32, two).commit();
    assertEquals(TypeHandle.planOf(all).runs(), TypeHandle.planOf(mixed).runs());
    assertEquals(16L * blocks, mixed.extent());
    assertEquals(TypeHandle.of(all).signature(), TypeHandle.of(mixed).signature());
    assertEquals(3L * blocks / 2 - 1, mixed.elements(mixed.size() - 1));
  }

  @Test
  void onlyElementsThatCanMeetAreCompared() {
    int blocks = 100_000;
    long[] lengths = new long[blocks];
    long[] displacements = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      lengths[i] = 1 + i % 7;
      displacements[i] = 10L * i + i % 3;
    }
    Datatype<?> type = Datatype.indexed(lengths, displacements, Datatype.DOUBLE);
    assertFalse(TypeHandle.planOf(type.commit()).overlaps(1_000_000));
    assertTrue(TypeHandle.planOf(type.resized(0, type.extent() - 16).commit()).overlaps(1_000_000));
    assertTrue(TypeHandle.planOf(type.resized(0, 0).commit()).overlaps(2));
  }

  @Test
  void deepChains() {
    Datatype<?> type = Datatype.INT;
    for (int i = 0; i < 1000; i++) {
      type = i % 2 == 0 ? type.dup() : Datatype.contiguous(1, type);
    }
    assertEquals(4, TypeHandle.planOf(type.commit()).size());
    assertTrue(TypeHandle.planOf(type).isContiguous());
    assertEquals(1, type.elements(4));
    assertTrue(type.toString().contains("…"), type.toString());
    MpiException refused = assertThrows(MpiException.class, type::dup);
    assertEquals(ErrorClass.ERR_TYPE, refused.errorClass());
    assertTrue(refused.getMessage().contains("1000 constructors within each other"), refused.getMessage());
  }

  @Test
  void deepNestsOfBlocks() {
    Datatype<?> type = Datatype.INT;
    for (int i = 0; i < DerivedTree.MAX_DEPTH; i++) {
      type = i % 2 == 0 ? Datatype.hindexedBlock(1, longs(i), type) : Datatype.struct(longs(1), longs(-1), type);
    }
    assertEquals(4, TypeHandle.planOf(type.commit()).size());
    assertEquals(249_500 - 500, TypeHandle.planOf(type).trueLowerBound());
    assertEquals("INT", TypeHandle.of(type).signature().toString());
    assertFalse(type.describe().isEmpty());
  }

  /** Nests calls of many kinds, one element in each, so that nothing collapses before it is compiled. */
  private static Datatype<?> nested(int depth) {
    Datatype<?> type = Datatype.INT;
    for (int i = 0; i < depth; i++) {
      type = switch (i % 5) {
        case 0 -> Datatype.struct(longs(1, 0), longs(0, 8), type, Datatype.DOUBLE);
        case 1 -> Datatype.vector(1, 1, 1, type);
        case 2 -> Datatype.hindexed(longs(1), longs(0), type);
        case 3 -> Datatype.struct(longs(1, 1), longs(0, type.extent()), type, Datatype.CHAR);
        default -> type.resized(0, type.extent() + 4);
      };
    }
    return type;
  }

  private static void withSmallStack(Runnable test) throws InterruptedException {
    List<Throwable> failures = new ArrayList<>();
    Thread small = new Thread(null, () -> {
      try {
        test.run();
      } catch (Throwable e) {
        failures.add(e);
      }
    }, "small stack", 256 << 10);
    small.start();
    small.join();
    assertEquals(List.of(), failures);
  }

  @Test
  void deepTypesInThreadsWithSmallStacks() throws InterruptedException {
    withSmallStack(() -> {
      Datatype<?> type = nested(900).commit();
      assertEquals(4 + 180, TypeHandle.planOf(type).size());
      assertEquals(181, TypeHandle.of(type).signature().elements());
    });
  }

  @Test
  void layoutsOfDeepTypes() throws InterruptedException {
    withSmallStack(() -> {
      Datatype<?> type = nested(900);
      assertEquals(type.extent(), type.layout().orElseThrow().byteSize());
      Datatype<?> chain = Datatype.INT;
      for (int i = 0; i < DerivedTree.MAX_DEPTH; i++) {
        chain = i % 2 == 0 ? chain.dup() : Datatype.struct(longs(1), longs(0), chain);
      }
      assertEquals(ValueLayout.JAVA_INT, chain.layout().orElseThrow());
    });
  }
}
