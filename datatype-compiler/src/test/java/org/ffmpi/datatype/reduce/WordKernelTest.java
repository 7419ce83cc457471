// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.basic.Element;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.tree.TypeTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WordKernelTest {
  private static final int COUNT = 400;

  static List<Arguments> kernels() {
    List<Arguments> all = new ArrayList<>();
    for (PredefinedOp op : PredefinedOp.values()) {
      for (Datatype<?> type : Datatype.predefined()) {
        if (op.isReduction() && isDefined(op, type) && AccumulateUnit.of(type).wordKernel(op) != null) {
          all.add(Arguments.of(op, type));
        }
      }
    }
    return all;
  }

  private static boolean isDefined(PredefinedOp op, Datatype<?> type) {
    try {
      AccumulateUnit.of(type).kernel(op);
      return true;
    } catch (MpiException e) {
      return false;
    }
  }

  private static Element element(Datatype<?> type) {
    return ((TypeTree.Named) TypeHandle.of(type).tree()).basic().element();
  }

  @Test
  void allNumbersOfFourAndEightBytesHaveOne() {
    assertTrue(kernels().size() > 60, "operations with a kernel");
    for (PredefinedOp op : List.of(PredefinedOp.SUM, PredefinedOp.REPLACE, PredefinedOp.NO_OP)) {
      for (Datatype<?> type : List.of(Datatype.INT, Datatype.UNSIGNED, Datatype.LONG, Datatype.UINT64_T,
          Datatype.FLOAT, Datatype.DOUBLE)) {
        assertNotNull(AccumulateUnit.of(type).wordKernel(op));
      }
    }
    assertNull(AccumulateUnit.of(Datatype.INT16_T).wordKernel(PredefinedOp.SUM));
    assertNull(AccumulateUnit.of(Datatype.INT).wordKernel(PredefinedOp.LAND));
    assertNull(AccumulateUnit.of(Datatype.DOUBLE_INT).wordKernel(PredefinedOp.MAXLOC));
  }

  @ParameterizedTest(name = "{0} {1}", autoCloseArguments = false)
  @MethodSource("kernels")
  void agreesWithTheOracle(PredefinedOp op, Datatype<?> type) {
    ReductionOracle oracle = new ReductionOracle(op, element(type));
    WordKernel kernel = AccumulateUnit.of(type).wordKernel(op);
    int width = kernel.bytes();
    assertEquals(type.size(), width);
    Seed.repeat(1, random -> {
      try (Arena arena = Arena.ofConfined()) {
        byte[] left = oracle.operands(random, COUNT);
        byte[] right = oracle.operands(random, COUNT);
        long a = copy(arena, left);
        long b = copy(arena, right);
        for (int i = 0; i < COUNT; i++) {
          kernel.put(b + i * width, kernel.apply(kernel.get(a + i * width), kernel.get(b + i * width)));
        }
        byte[] result = new byte[COUNT * width];
        Memory.write(Memory.BYTES, result, 0, b, result.length);
        byte[] expected = oracle.reduce(left, right, COUNT);
        assertArrayEquals(one(oracle, expected, width), one(oracle, result, width));
      }
    });
  }

  private static byte[] one(ReductionOracle oracle, byte[] numbers, int width) {
    return Arrays.copyOf(oracle.withOneNaN(Arrays.copyOf(numbers, COUNT * width + 32), COUNT), COUNT * width);
  }

  private static long copy(Arena arena, byte[] bytes) {
    long a = Raw.address(arena.allocate(bytes.length, 8));
    Memory.read(Memory.BYTES, bytes, 0, a, bytes.length);
    return a;
  }

  @Test
  void reachesNativeMemoryAndArraysOfItsNumbersOnly() {
    WordKernel kernel = AccumulateUnit.of(Datatype.DOUBLE).wordKernel(PredefinedOp.REPLACE);
    double[] array = {1, 2, 3};
    assertTrue(kernel.reaches(Memory.NATIVE, 3));
    assertTrue(kernel.reaches(Memory.DOUBLES, 8));
    assertFalse(kernel.reaches(Memory.DOUBLES, 4));
    assertFalse(kernel.reaches(Memory.LONGS, 8));
    assertFalse(kernel.reaches(Memory.BYTES, 8));
    kernel.put(Memory.DOUBLES, array, 16, kernel.get(Memory.DOUBLES, array, 8));
    assertArrayEquals(new double[] {1, 2, 2}, array);
    long[] longs = {5, 6};
    WordKernel ofLongs = AccumulateUnit.of(Datatype.INT64_T).wordKernel(PredefinedOp.NO_OP);
    ofLongs.put(Memory.LONGS, longs, 0, ofLongs.apply(7, ofLongs.get(Memory.LONGS, longs, 8)));
    assertArrayEquals(new long[] {6, 6}, longs);
    int[] ints = {5, -6};
    WordKernel ofInts = AccumulateUnit.of(Datatype.INT).wordKernel(PredefinedOp.MAX);
    ofInts.put(Memory.INTS, ints, 4, ofInts.apply(-7, ofInts.get(Memory.INTS, ints, 4)));
    assertArrayEquals(new int[] {5, -6}, ints);
    float[] floats = {1, 2};
    WordKernel ofFloats = AccumulateUnit.of(Datatype.FLOAT).wordKernel(PredefinedOp.PROD);
    ofFloats.put(Memory.FLOATS, floats, 0, ofFloats.apply(Float.floatToRawIntBits(3),
        ofFloats.get(Memory.FLOATS, floats, 4)));
    assertArrayEquals(new float[] {6, 2}, floats);
  }
}
