// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
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
import org.ffmpi.datatype.tree.TypeTree;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kernel against the oracle, in every kind of memory. The build runs these tests twice, without and with the
 * Vector API: the same oracle is what makes both give the same bits.
 */
@Tag("long")
class ReduceKernelsTest {
  /** Around the borders of plain loops, tiles and vectors. */
  private static final int[] COUNTS = {0, 1, 2, 3, 7, 16, 31, 63, 64, 65, 130, 513, 1024, 2000, 4200};

  /** The same for the loop of a kernel's first numbers: around its shortest call, and more than a tile. */
  private static final int[] FIRST_COUNTS = {15, 16, 600};

  /** Loops of two hundred elements are compiled by then. */
  private static final int HOT_CALLS = 400;

  /** One type for each representation and operation that has a kernel; types that share it do not differ otherwise. */
  static List<Arguments> kernels() {
    List<Arguments> all = new ArrayList<>();
    for (PredefinedOp op : PredefinedOp.values()) {
      List<Element> seen = new ArrayList<>();
      for (Datatype<?> type : Datatype.predefined()) {
        Element element = ((TypeTree.Named) TypeHandle.of(type).tree()).basic().element();
        if (!seen.contains(element) && hasKernel(op, type)) {
          seen.add(element);
          all.add(Arguments.of(op, type));
        }
      }
    }
    return all;
  }

  private static boolean hasKernel(PredefinedOp op, Datatype<?> type) {
    try {
      ReduceKernels.kernel(op, type);
      return true;
    } catch (MpiException e) {
      assertEquals(ErrorClass.ERR_OP, e.errorClass());
      return false;
    }
  }

  @Test
  void vectorsAreUsedWhereTheJvmHasThem() {
    assertEquals(ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent(), ReduceKernels.usesVectors());
  }

  @ParameterizedTest(name = "{0} {1}", autoCloseArguments = false)
  @MethodSource("kernels")
  void agreesWithTheOracle(PredefinedOp op, Datatype<?> type) {
    ReductionOracle oracle = new ReductionOracle(op, ((TypeTree.Named) TypeHandle.of(type).tree()).basic().element());
    inBothRuns(isLong -> Seed.repeat(1, random -> {
      for (int count : isLong ? COUNTS : FIRST_COUNTS) {
        try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
          check(random, ReduceKernels.kernel(op, type), oracle, type, count, arena, shared);
        }
      }
    }));
  }

  /** Runs a test with the loops of a kernel's first numbers, and with those of a long run. */
  private static void inBothRuns(Consumer<Boolean> test) {
    long usual = ElementKernel.longRun;
    test.accept(false);
    ElementKernel.longRun = 0;
    try {
      test.accept(true);
    } finally {
      ElementKernel.longRun = usual;
    }
  }

  /** Compiled code may differ from interpreted code: the same call until it has been compiled, checked on the way. */
  @ParameterizedTest(name = "{0} {1}", autoCloseArguments = false)
  @MethodSource("kernels")
  void agreesWithTheOracleWhenHot(PredefinedOp op, Datatype<?> type) {
    ReductionOracle oracle = new ReductionOracle(op, ((TypeTree.Named) TypeHandle.of(type).tree()).basic().element());
    ReduceKernel kernel = ReduceKernels.kernel(op, type);
    int count = 203;
    int bytes = (int) (count * type.extent());
    inBothRuns(isLong -> Seed.repeat(1, random -> {
      try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        byte[] in = oracle.operands(random, count);
        MemorySegment left = arena.allocate(bytes, 16);
        MemorySegment.copy(in, 0, left, ValueLayout.JAVA_BYTE, 0, bytes);
        for (UserMemory memory : UserMemory.everyKind(bytes, type, arena, shared)) {
          if (!isLong && memory.kind != Memory.NATIVE) {
            continue; // the loop is the same for all kinds
          }
          byte[] before = memory.keeps(oracle.operands(random, count));
          byte[] expected = memory.keeps(oracle.reduce(in, before, count));
          for (int call = 1; call <= HOT_CALLS; call++) {
            memory.set(before);
            kernel.reduce(Raw.address(left), memory.owner, memory.kind, memory.offset, count);
            if (call % (HOT_CALLS / 4) == 0) {
              assertSameElements(oracle, expected, memory.get(), count, bytes, "call " + call + ", " + memory);
            }
          }
        }
      }
    }));
  }

  private static void check(RandomGenerator random, ReduceKernel kernel, ReductionOracle oracle, Datatype<?> type,
      int count, Arena arena, Arena shared) {
    int stride = (int) type.extent();
    byte[] in = oracle.operands(random, count);
    int shift = random.nextInt(2);
    MemorySegment left = arena.allocate(in.length + 1L, 16).asSlice(shift, in.length);
    MemorySegment.copy(in, 0, left, ValueLayout.JAVA_BYTE, 0, in.length);
    // A buffer ends with the last element's data; padding after it does not exist.
    int bytes = count == 0 ? 0 : (count - 1) * stride + (int) type.trueExtent();
    for (UserMemory memory : UserMemory.everyKind(bytes, type, arena, shared)) {
      byte[] before = memory.keeps(oracle.operands(random, count));
      memory.set(before);
      int skip = random.nextInt(Math.min(count, 5) + 1);
      int at = skip * stride;
      byte[] expected = Arrays.copyOf(before, count * stride);
      byte[] reduced = oracle.reduce(Arrays.copyOfRange(in, at, in.length),
          Arrays.copyOfRange(expected, at, expected.length), count - skip);
      System.arraycopy(reduced, 0, expected, at, reduced.length);
      kernel.reduce(Raw.address(left) + at, memory.owner, memory.kind, memory.offset + at, count - skip);
      assertSameElements(oracle, memory.keeps(expected), memory.get(), count, bytes, count + " elements, " + memory);
      if (memory.kind == Memory.NATIVE) {
        memory.set(before);
        kernel.reduce(Raw.address(left) + at, memory.offset + at, count - skip);
        assertSameElements(oracle, memory.keeps(expected), memory.get(), count, bytes, count + " elements, native");
        memory.set(before);
        byte[] after = new byte[bytes];
        random.nextBytes(after);
        MemorySegment out = arena.allocate(bytes + 1L, 16).asSlice(random.nextInt(2), bytes);
        MemorySegment.copy(after, 0, out, ValueLayout.JAVA_BYTE, 0, bytes);
        kernel.combine(Raw.address(left) + at, memory.offset + at, Raw.address(out) + at, count - skip);
        // Bytes outside elements stay unchanged.
        for (int i = at; i < count * stride; i += stride) {
          for (Element.Part part : ((TypeTree.Named) TypeHandle.of(type).tree()).basic().element().parts()) {
            int first = i + (int) part.displacement();
            System.arraycopy(expected, first, after, first, (int) part.size());
          }
        }
        assertSameElements(oracle, after, out.toArray(ValueLayout.JAVA_BYTE), count, bytes, count + " combined");
        assertArrayEquals(memory.keeps(before), memory.get(), "right operands stay");
      }
      assertArrayEquals(in, left.toArray(ValueLayout.JAVA_BYTE), "left operands stay");
    }
  }

  private static void assertSameElements(
      ReductionOracle oracle, byte[] expected, byte[] actual, int count, int bytes, String what) {
    int padded = count * Math.max(1, bytes / Math.max(1, count)) + 32;
    assertArrayEquals(
        Arrays.copyOf(oracle.withOneNaN(Arrays.copyOf(expected, padded + bytes), count), bytes),
        Arrays.copyOf(oracle.withOneNaN(Arrays.copyOf(actual, padded + bytes), count), bytes),
        what);
  }

  @Test
  void wholeArraysAreReducedInPlaceInEachNaturalKind() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, 1, 2, 3);
      double[] doubles = {10, 20, 30, 40};
      ReduceKernels.kernel(PredefinedOp.SUM, Datatype.DOUBLE).reduce(Raw.address(in), doubles, Memory.DOUBLES, 8, 3);
      assertArrayEquals(new double[] {10, 21, 32, 43}, doubles);
      MemorySegment truths = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1, (byte) 0, (byte) 1, (byte) 0);
      boolean[] booleans = {true, true, false, false};
      ReduceKernels.kernel(PredefinedOp.LXOR, Datatype.C_BOOL)
          .reduce(Raw.address(truths), booleans, Memory.BOOLEANS, 0, 4);
      assertArrayEquals(new boolean[] {false, true, true, false}, booleans);
      MemorySegment small = arena.allocateFrom(ValueLayout.JAVA_CHAR, '\uffff', 'a');
      char[] chars = {'b', 'b'};
      ReduceKernels.kernel(PredefinedOp.MAX, Datatype.UINT16_T).reduce(Raw.address(small), chars, Memory.CHARS, 0, 2);
      assertArrayEquals(new char[] {'\uffff', 'b'}, chars);
      chars = new char[] {'b', 'b'};
      ReduceKernels.kernel(PredefinedOp.MAX, Datatype.INT16_T).reduce(Raw.address(small), chars, Memory.CHARS, 0, 2);
      assertArrayEquals(new char[] {'b', 'b'}, chars, "as signed numbers the first is -1");
    }
  }

  @Test
  @DisplayName("S1-5.9.2-f: MAXLOC and MINLOC of equal values give the lower index")
  void tiesGiveTheLowerIndex() {
    assertArrayEquals(new int[] {5, 1}, located(PredefinedOp.MAXLOC, 5, 1, 5, 2));
    assertArrayEquals(new int[] {5, 1}, located(PredefinedOp.MAXLOC, 5, 2, 5, 1));
    assertArrayEquals(new int[] {5, 1}, located(PredefinedOp.MINLOC, 5, 2, 5, 1));
    assertArrayEquals(new int[] {7, 9}, located(PredefinedOp.MAXLOC, 7, 9, 5, 1));
    assertArrayEquals(new int[] {5, 1}, located(PredefinedOp.MINLOC, 7, 9, 5, 1));
  }

  private static int[] located(PredefinedOp op, int leftValue, int leftIndex, int rightValue, int rightIndex) {
    try (Arena arena = Arena.ofConfined()) {
      int[] right = {rightValue, rightIndex};
      MemorySegment left = arena.allocateFrom(ValueLayout.JAVA_INT, leftValue, leftIndex);
      ReduceKernels.kernel(op, Datatype.TWO_INT).reduce(Raw.address(left), right, Memory.INTS, 0, 1);
      return right;
    }
  }

  @Test
  @DisplayName("S1-5.9.2-g: unsigned types compare unsigned; worked numbers of logical and complex operations")
  void unsignedAndWorkedNumbers() {
    assertEquals(200L, unsigned(Basic.UINT8_T, Datatype.UINT8_T, 200, 100));
    assertEquals(200L, unsigned(Basic.UNSIGNED_CHAR, Datatype.UNSIGNED_CHAR, 200, 100));
    assertEquals(50_000L, unsigned(Basic.UINT16_T, Datatype.UINT16_T, 50_000, 100));
    assertEquals(50_000L, unsigned(Basic.UNSIGNED_SHORT, Datatype.UNSIGNED_SHORT, 50_000, 100));
    assertEquals(4_000_000_000L, unsigned(Basic.UINT32_T, Datatype.UINT32_T, 4_000_000_000L, 100));
    assertEquals(4_000_000_000L, unsigned(Basic.UNSIGNED, Datatype.UNSIGNED, 4_000_000_000L, 100));
    for (Datatype<?> type : List.of(Datatype.UINT64_T, Datatype.UNSIGNED_LONG, Datatype.UNSIGNED_LONG_LONG)) {
      assertEquals(-1L, unsigned(((TypeTree.Named) TypeHandle.of(type).tree()).basic(), type, -1L, 100));
    }
    try (Arena arena = Arena.ofConfined()) {
      int[] three = {3, 0};
      MemorySegment five = arena.allocateFrom(ValueLayout.JAVA_INT, 5, 0);
      ReduceKernels.kernel(PredefinedOp.LAND, Datatype.INT).reduce(Raw.address(five), three, Memory.INTS, 0, 1);
      assertEquals(1, three[0]);
      int[] seven = {7};
      MemorySegment zero = arena.allocateFrom(ValueLayout.JAVA_INT, 0);
      ReduceKernels.kernel(PredefinedOp.LXOR, Datatype.INT).reduce(Raw.address(zero), seven, Memory.INTS, 0, 1);
      assertEquals(1, seven[0]);
      float[] right = {3, 4};
      MemorySegment left = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1, 2);
      ReduceKernels.kernel(PredefinedOp.PROD, Datatype.C_COMPLEX).reduce(Raw.address(left), right, Memory.FLOATS, 0, 1);
      assertArrayEquals(new float[] {-5, 10}, right);
    }
  }

  /** Returns the maximum of two numbers by MAX of a type, in both orders. */
  private static long unsigned(Basic basic, Datatype<?> type, long a, long b) {
    int width = (int) basic.element().bounds().size();
    ReduceKernel max = ReduceKernels.kernel(PredefinedOp.MAX, type);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocateFrom(ValueLayout.JAVA_LONG, a);
      MemorySegment second = arena.allocateFrom(ValueLayout.JAVA_LONG, b);
      MemorySegment again = arena.allocateFrom(ValueLayout.JAVA_LONG, a);
      max.reduce(Raw.address(second), Raw.address(again), 1);
      max.reduce(Raw.address(first), Raw.address(second), 1);
      assertEquals(again.get(ValueLayout.JAVA_LONG, 0), second.get(ValueLayout.JAVA_LONG, 0));
      long all = width == 8 ? -1L : (1L << (8 * width)) - 1;
      return second.get(ValueLayout.JAVA_LONG, 0) & all;
    }
  }

  @Test
  void notANumberWinsWhateverTheOrder() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, 1, Double.NaN, -0.0, 0.0);
      double[] min = {Double.NaN, 1, 0.0, -0.0};
      double[] max = min.clone();
      ReduceKernels.kernel(PredefinedOp.MIN, Datatype.DOUBLE).reduce(Raw.address(numbers), min, Memory.DOUBLES, 0, 4);
      ReduceKernels.kernel(PredefinedOp.MAX, Datatype.DOUBLE).reduce(Raw.address(numbers), max, Memory.DOUBLES, 0, 4);
      assertArrayEquals(new double[] {Double.NaN, Double.NaN, -0.0, -0.0}, min);
      assertArrayEquals(new double[] {Double.NaN, Double.NaN, 0.0, 0.0}, max);
    }
  }
}
