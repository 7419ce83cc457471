// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import static org.ffmpi.datatype.tree.BoundsTest.longs;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.junit.jupiter.api.Test;

/** Types with many blocks, and types whose typemap is too long to be written down. */
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
    ByteShape.Sequence shape = (ByteShape.Sequence) TypeHandle.of(type).tree().shape();
    ByteShape.Repeat second = (ByteShape.Repeat) shape.parts().getLast();
    assertSame(shape.parts().getFirst(), second.body());
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
}
