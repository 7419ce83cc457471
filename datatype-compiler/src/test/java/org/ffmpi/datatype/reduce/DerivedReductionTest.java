// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.UserMemory;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Element;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.tree.TypeTree;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Reductions of elements that lie under a derived type, both operands in every kind of memory. */
@Tag("long")
class DerivedReductionTest {
  /** Operations of each shape of kernel: plain, vector, logical, complex, pair with a gap, 128 bits. */
  static List<Arguments> operations() {
    return List.of(
        Arguments.of(PredefinedOp.SUM, Datatype.DOUBLE),
        Arguments.of(PredefinedOp.MAX, Datatype.UINT16_T),
        Arguments.of(PredefinedOp.PROD, Datatype.INT),
        Arguments.of(PredefinedOp.LXOR, Datatype.C_BOOL),
        Arguments.of(PredefinedOp.BXOR, Datatype.BYTE),
        Arguments.of(PredefinedOp.PROD, Datatype.C_COMPLEX),
        Arguments.of(PredefinedOp.MINLOC, Datatype.SHORT_INT),
        Arguments.of(PredefinedOp.MAXLOC, Datatype.DOUBLE_INT),
        Arguments.of(PredefinedOp.PROD, Datatype.INTEGER16),
        Arguments.of(PredefinedOp.SUM, Datatype.LONG_DOUBLE),
        Arguments.of(PredefinedOp.PROD, Datatype.C_LONG_DOUBLE_COMPLEX),
        Arguments.of(PredefinedOp.MINLOC, Datatype.LONG_DOUBLE_INT),
        Arguments.of(PredefinedOp.MAX, Datatype.REAL16));
  }

  @ParameterizedTest(name = "{0} {1}", autoCloseArguments = false)
  @MethodSource("operations")
  void agreesWithTheOracle(PredefinedOp op, Datatype<?> basic) {
    Element element = ((TypeTree.Named) TypeHandle.of(basic).tree()).basic().element();
    ReductionOracle oracle = new ReductionOracle(op, element);
    Seed.repeat(15, random -> {
      Datatype<?> type = spread(random, basic, 3).commit();
      try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        check(random, op, oracle, element, type, random.nextInt(0, 4), arena, shared);
      }
    });
  }

  /** Makes a type of one basic type without overlap, with gaps small and large and runs long and short. */
  private static Datatype<?> spread(RandomGenerator random, Datatype<?> old, int depth) {
    if (depth == 0) {
      return old;
    }
    Datatype<?> inner = spread(random, old, depth - 1);
    return switch (random.nextInt(7)) {
      case 0 -> Datatype.contiguous(random.nextInt(1, 5), inner);
      case 1 -> Datatype.vector(random.nextInt(1, 4), random.nextInt(1, 4), random.nextInt(4, 6), inner);
      case 2 -> Datatype.indexed(new long[] {2, 0, 1}, new long[] {5, 9, 1}, inner);
      case 3 -> Datatype.struct(new long[] {1, 2}, new long[] {8 * inner.extent(), 0}, inner, inner);
      case 4 -> inner.resized(0, inner.extent() + 16);
      case 5 -> depth == 3 ? Datatype.contiguous(random.nextInt(50, 300), inner) : inner.dup();
      default -> inner;
    };
  }

  private static void check(RandomGenerator random, PredefinedOp op, ReductionOracle oracle, Element element,
      Datatype<?> type, int count, Arena arena, Arena shared) {
    List<Long> units = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      collect(TypeHandle.of(type).tree().shape(), i * type.extent(), units);
    }
    // Of the displacements of all runs, those at which a basic element begins.
    int parts = element.parts().size();
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < units.size(); i += parts) {
      starts.add(units.get(i));
    }
    int bytes = count == 0 ? 0 : (int) ((count - 1) * type.extent() + type.trueLowerBound() + type.trueExtent());
    byte[] left = new byte[bytes];
    ReduceKernel kernel = ReduceKernels.kernel(op, type);
    List<UserMemory> lefts = UserMemory.everyKind(bytes, type, arena, shared);
    List<UserMemory> rights = UserMemory.everyKind(bytes, type, arena, shared);
    for (int pair = 0; pair < 2 * lefts.size(); pair++) {
      UserMemory in = lefts.get(pair % lefts.size());
      UserMemory inout = rights.get(random.nextInt(rights.size()));
      random.nextBytes(left);
      byte[] leftUnits = oracle.operands(random, starts.size());
      place(element, leftUnits, starts, left);
      in.set(left);
      left = in.get();
      byte[] before = new byte[bytes];
      random.nextBytes(before);
      place(element, oracle.operands(random, starts.size()), starts, before);
      inout.set(before);
      before = inout.get();
      byte[] expected = before.clone();
      byte[] reduced = oracle.reduce(
          take(element, left, starts), take(element, before, starts), starts.size());
      place(element, oracle.withOneNaN(reduced, starts.size()), starts, expected);
      ReductionLoop.reduce(
          kernel, TypeHandle.planOf(type), in.kind, in.owner, in.offset, inout.kind, inout.owner, inout.offset, count);
      byte[] actual = inout.get();
      place(element, oracle.withOneNaN(take(element, actual, starts), starts.size()), starts, actual);
      assertArrayEquals(inout.keeps(expected), actual, count + " x " + type + " from " + in + " to " + inout);
      assertArrayEquals(left, in.get(), "left operands stay");
    }
    checkCombined(random, kernel, oracle, element, type, count, starts, bytes);
  }

  private static void checkCombined(RandomGenerator random, ReduceKernel kernel, ReductionOracle oracle,
      Element element, Datatype<?> type, int count, List<Long> starts, int bytes) {
    byte[][] all = new byte[3][bytes];
    for (byte[] operand : all) {
      random.nextBytes(operand);
      place(element, oracle.operands(random, starts.size()), starts, operand);
    }
    byte[] reduced = oracle.reduce(take(element, all[0], starts), take(element, all[1], starts), starts.size());
    byte[] expected = all[2].clone();
    place(element, oracle.withOneNaN(reduced, starts.size()), starts, expected);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment left = arena.allocateFrom(ValueLayout.JAVA_BYTE, all[0]);
      MemorySegment right = arena.allocateFrom(ValueLayout.JAVA_BYTE, all[1]);
      MemorySegment out = arena.allocateFrom(ValueLayout.JAVA_BYTE, all[2]);
      kernel.combine(Raw.address(left), Raw.address(right), Raw.address(out), count);
      byte[] actual = out.toArray(ValueLayout.JAVA_BYTE);
      place(element, oracle.withOneNaN(take(element, actual, starts), starts.size()), starts, actual);
      assertArrayEquals(expected, actual, count + " x " + type + " combined");
      assertArrayEquals(all[0], left.toArray(ValueLayout.JAVA_BYTE), "left operands stay");
      assertArrayEquals(all[1], right.toArray(ValueLayout.JAVA_BYTE), "right operands stay");
    }
  }

  /** Lists where the runs of a shape begin, a run for each part of a basic element. */
  private static void collect(ByteShape shape, long base, List<Long> into) {
    switch (shape) {
      case ByteShape.Run(long displacement, _) -> into.add(base + displacement);
      case ByteShape.Repeat(long displacement, long count, long stride, ByteShape body) -> {
        for (long i = 0; i < count; i++) {
          collect(body, base + displacement + i * stride, into);
        }
      }
      case ByteShape.Scatter(long[] displacements, long[] counts, long stride, ByteShape body) -> {
        for (int b = 0; b < displacements.length; b++) {
          for (long i = 0; i < counts[b]; i++) {
            collect(body, base + displacements[b] + i * stride, into);
          }
        }
      }
      case ByteShape.Members(long[] displacements, long[] counts, int[] kinds, long[] strides, ByteShape[] bodies) -> {
        for (int b = 0; b < displacements.length; b++) {
          for (long i = 0; i < counts[b]; i++) {
            collect(bodies[kinds[b]], base + displacements[b] + i * strides[kinds[b]], into);
          }
        }
      }
      case ByteShape.Sequence(List<ByteShape> parts) -> parts.forEach(part -> collect(part, base, into));
    }
  }

  /** Copies the data of basic elements side by side to where they lie in a buffer. */
  private static void place(Element element, byte[] units, List<Long> starts, byte[] buffer) {
    int stride = (int) element.bounds().extent();
    for (int i = 0; i < starts.size(); i++) {
      for (Element.Part part : element.parts()) {
        System.arraycopy(units, (int) (i * stride + part.displacement()), buffer,
            (int) (starts.get(i) + part.displacement()), (int) part.size());
      }
    }
  }

  private static byte[] take(Element element, byte[] buffer, List<Long> starts) {
    int stride = (int) element.bounds().extent();
    byte[] units = new byte[starts.size() * stride];
    for (int i = 0; i < starts.size(); i++) {
      for (Element.Part part : element.parts()) {
        System.arraycopy(buffer, (int) (starts.get(i) + part.displacement()), units,
            (int) (i * stride + part.displacement()), (int) part.size());
      }
    }
    return units;
  }

  @Test
  void aColumnOfAMatrixIsReducedWhereItLies() {
    Datatype<?> column = Datatype.vector(3, 1, 4, Datatype.DOUBLE).commit();
    double[] matrix = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
    double[] sums = {10, 7, 7, 7, 20, 7, 7, 7, 30, 7, 7, 7};
    ReductionLoop.reduce(ReduceKernels.kernel(PredefinedOp.SUM, column), TypeHandle.planOf(column),
        Memory.DOUBLES, matrix, 0, Memory.DOUBLES, sums, 0, 1);
    assertArrayEquals(new double[] {11, 7, 7, 7, 22, 7, 7, 7, 33, 7, 7, 7}, sums);
  }

  @Test
  void leftOperandsMayLieAnywhereForPredefinedTypesToo() {
    Seed.repeat(1, random -> {
      for (Basic basic : new Basic[] {Basic.DOUBLE, Basic.UINT8_T, Basic.SHORT_INT, Basic.LONG_INT, Basic.C_BOOL}) {
        Datatype<?> type = Datatype.predefined().get(basic.ordinal());
        PredefinedOp op = switch (basic.reductionGroup()) {
          case PAIR -> PredefinedOp.MAXLOC;
          case LOGICAL -> PredefinedOp.LOR;
          default -> PredefinedOp.MAX;
        };
        ReductionOracle oracle = new ReductionOracle(op, basic.element());
        for (int count : new int[] {0, 1, 5, 700, 3000}) {
          try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
            check(random, op, oracle, basic.element(), type, count, arena, shared);
          }
        }
      }
    });
  }

  /** A kernel of a program's own sees elements in place, with gaps and negative extents. */
  @Test
  void anyKernelFindsElementsWhereItsTypeSaysTheyAre() {
    Datatype<?> type = Datatype.indexed(new long[] {1, 1}, new long[] {3, -2}, Datatype.INT).resized(0, -40).commit();
    ReduceKernel subtract = new ReduceKernel() {
      @Override
      public void reduce(long in, long inout, long count) {
        combine(in, inout, inout, count);
      }

      @Override
      public void combine(long left, long right, long out, long count) {
        for (long i = 0; i < count; i++) {
          for (long at : new long[] {12, -8}) {
            long element = i * type.extent() + at;
            Raw.putInt(out + element, Raw.getInt(left + element) - Raw.getInt(right + element));
          }
        }
      }

      @Override
      public void reduce(long in, Object array, int arrayKind, long byteOffset, long count) {
        assertEquals(Memory.NATIVE, arrayKind);
        reduce(in, byteOffset, count);
      }
    };
    int[] left = new int[5_000];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment right = arena.allocate(ValueLayout.JAVA_INT, left.length);
      for (int i = 0; i < left.length; i++) {
        left[i] = 3 * i;
        right.setAtIndex(ValueLayout.JAVA_INT, i, i);
      }
      int origin = 4_990;
      int count = 499;
      ReductionLoop.reduce(subtract, TypeHandle.planOf(type), Memory.INTS, left, 4L * origin,
          Memory.NATIVE, right, Raw.address(right) + 4L * origin, count);
      for (int i = 0; i < left.length; i++) {
        int within = Math.floorMod(i - origin, 10);
        boolean reduced = i >= origin - 10 * (count - 1) - 2 && (within == 3 || within == 8) && i <= origin + 3;
        assertEquals(reduced ? 2 * i : i, right.getAtIndex(ValueLayout.JAVA_INT, i), "element " + i);
      }
    }
  }

  @Test
  void typesThatMixBasicTypesAreRefused() {
    Datatype<?> mixed = Datatype.struct(new long[] {1, 1}, new long[] {0, 8}, Datatype.INT, Datatype.DOUBLE).commit();
    MpiException refused = assertThrows(MpiException.class, () -> ReduceKernels.kernel(PredefinedOp.SUM, mixed));
    assertEquals(ErrorClass.ERR_OP, refused.errorClass());
    assertTrue(refused.getMessage().contains("all of one"), refused.getMessage());
    Datatype<?> alike = Datatype.struct(new long[] {1, 1}, new long[] {0, 4}, Datatype.INT, Datatype.INT32_T).commit();
    assertThrows(MpiException.class, () -> ReduceKernels.kernel(PredefinedOp.SUM, alike));
    Datatype<?> texts = Datatype.contiguous(2, Datatype.CHAR).commit();
    refused = assertThrows(MpiException.class, () -> ReduceKernels.kernel(PredefinedOp.SUM, texts));
    assertEquals(ErrorClass.ERR_OP, refused.errorClass());
    Datatype<?> nothing = Datatype.contiguous(0, Datatype.INT).commit();
    assertEquals(ErrorClass.ERR_OP,
        assertThrows(MpiException.class, () -> ReduceKernels.kernel(PredefinedOp.SUM, nothing)).errorClass());
    Datatype<?> early = Datatype.vector(2, 1, 2, Datatype.INT);
    assertEquals(ErrorClass.ERR_TYPE,
        assertThrows(MpiException.class, () -> ReduceKernels.kernel(PredefinedOp.SUM, early)).errorClass());
  }

  @Test
  void aClosedConfinedArenaIsAnError() {
    Arena arena = Arena.ofConfined();
    MemorySegment gone = arena.allocate(8);
    arena.close();
    MpiException refused = assertThrows(MpiException.class, () -> ReductionLoop.reduce(
        ReduceKernels.kernel(PredefinedOp.SUM, Datatype.LONG), TypeHandle.planOf(Datatype.LONG),
        Memory.CONFINED, gone, 0, Memory.LONGS, new long[1], 0, 1));
    assertEquals(ErrorClass.ERR_BUFFER, refused.errorClass());
  }
}
