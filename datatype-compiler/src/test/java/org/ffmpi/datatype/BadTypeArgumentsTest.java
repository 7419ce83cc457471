// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import static org.ffmpi.datatype.Datatype.CHAR;
import static org.ffmpi.datatype.Datatype.DOUBLE;
import static org.ffmpi.datatype.Datatype.INT;
import static org.ffmpi.datatype.tree.BoundsTest.longs;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Function;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype.Distribution;
import org.ffmpi.datatype.Datatype.Order;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Every constructor refuses wrong arguments, with the standard's error class, the argument's name and its value. */
class BadTypeArgumentsTest {
  private static final long MAX = Long.MAX_VALUE;
  private static final long MIN = Long.MIN_VALUE;
  private static final Distribution[] CYCLIC = {Distribution.CYCLIC};

  private static void refused(ErrorClass expected, String text, Executable call) {
    MpiException refused = assertThrows(MpiException.class, call);
    assertEquals(expected, refused.errorClass(), refused.getMessage());
    assertTrue(refused.getMessage().contains(text), refused.getMessage());
    assertTrue(refused.getMessage().contains("allowed are") || text.contains("freed"), refused.getMessage());
  }

  private static void badCount(String text, Executable call) {
    refused(ErrorClass.ERR_COUNT, text, call);
  }

  private static void badArg(String text, Executable call) {
    refused(ErrorClass.ERR_ARG, text, call);
  }

  private static void badType(String text, Executable call) {
    refused(ErrorClass.ERR_TYPE, text, call);
  }

  @Test
  void negativeCountsAndLengths() {
    badCount("count = -1:", () -> Datatype.contiguous(-1, INT));
    badCount("count = -2:", () -> Datatype.vector(-2, 1, 1, INT));
    badCount("count = " + MIN + ":", () -> Datatype.hvector(MIN, 1, 1, INT));
    badArg("blocklength = -1:", () -> Datatype.vector(1, -1, 1, INT));
    badArg("blocklength = -1:", () -> Datatype.hvector(1, -1, 1, INT));
    badArg("blocklengths[1] = -7:", () -> Datatype.indexed(longs(1, -7), longs(0, 1), INT));
    badArg("blocklengths[0] = -7:", () -> Datatype.hindexed(longs(-7), longs(0), INT));
    badArg("blocklength = -3:", () -> Datatype.indexedBlock(-3, longs(0, 1), INT));
    badArg("blocklength = -3:", () -> Datatype.hindexedBlock(-3, longs(), INT));
    badArg("blocklengths[1] = -1:", () -> Datatype.struct(longs(1, -1), longs(0, 8), INT, INT));
  }

  @Test
  void arraysOfDifferentLength() {
    badArg("displacements.length = 1: allowed are 2,", () -> Datatype.indexed(longs(1, 2), longs(0), INT));
    badArg("displacements.length = 3: allowed are 2,", () -> Datatype.hindexed(longs(1, 2), longs(0, 1, 2), INT));
    badArg("displacements.length = 1: allowed are 2,", () -> Datatype.struct(longs(1, 2), longs(0), INT, INT));
    badArg("types.length = 1: allowed are 2,", () -> Datatype.struct(longs(1, 2), longs(0, 1), INT));
    badArg("subsizes.length = 1:", () -> Datatype.subarray(longs(1, 2), longs(1), longs(0, 0), Order.C, INT));
    badArg("starts.length = 3:", () -> Datatype.subarray(longs(1, 2), longs(1, 1), longs(0, 0, 0), Order.C, INT));
    badArg("distribs.length = 1:", () -> darray(2, 0, longs(5, 5), CYCLIC, new int[2], new int[] {2, 1}));
    badArg("dargs.length = 2:", () -> darray(2, 0, longs(5), CYCLIC, new int[2], new int[] {2}));
    badArg("psizes.length = 2:", () -> darray(2, 0, longs(5), CYCLIC, new int[] {1}, new int[] {2, 1}));
  }

  @Test
  void missingArguments() {
    badArg("blocklengths = null:", () -> Datatype.indexed(null, longs(0), INT));
    badArg("displacements = null:", () -> Datatype.indexedBlock(1, null, INT));
    badArg("types = null:", () -> Datatype.struct(longs(), longs(), (Datatype<?>[]) null));
    badArg("order = null:", () -> Datatype.subarray(longs(1), longs(1), longs(0), null, INT));
    badArg("distribs[0] = null:", () -> darray(1, 0, longs(5), new Distribution[1], new int[1], new int[] {1}));
    badArg("dargs = null:", () -> darray(1, 0, longs(5), CYCLIC, null, new int[] {1}));
    badType("types[1] = null:", () -> Datatype.struct(longs(1, 1), longs(0, 4), INT, null));
  }

  /** The constructors with one old type. */
  private static final List<Function<Datatype<?>, Datatype<?>>> CONSTRUCTORS = List.of(
      old -> Datatype.contiguous(1, old),
      old -> Datatype.vector(1, 1, 1, old),
      old -> Datatype.hvector(1, 1, 1, old),
      old -> Datatype.indexed(longs(1), longs(0), old),
      old -> Datatype.hindexed(longs(1), longs(0), old),
      old -> Datatype.indexedBlock(1, longs(0), old),
      old -> Datatype.hindexedBlock(1, longs(0), old),
      old -> Datatype.struct(longs(1), longs(0), old),
      old -> Datatype.subarray(longs(1), longs(1), longs(0), Order.C, old),
      old -> Datatype.darray(1, 0, longs(1), CYCLIC, new int[] {1}, new int[] {1}, Order.C, old));

  @Test
  void missingAndFreedTypes() {
    Datatype<Integer> freed = Datatype.contiguous(3, INT);
    freed.close();
    for (Function<Datatype<?>, Datatype<?>> constructor : CONSTRUCTORS) {
      badType(" = null:", () -> constructor.apply(null));
      badType("datatype contiguous(3, MPI_INT) was freed", () -> constructor.apply(freed));
    }
    badType("was freed", () -> freed.resized(0, 4));
    badType("was freed", freed::dup);
  }

  @Test
  void subarraysThatDoNotLieInTheirArray() {
    badArg("sizes.length = 0:", () -> Datatype.subarray(longs(), longs(), longs(), Order.C, INT));
    badArg("sizes[1] = 0:", () -> Datatype.subarray(longs(3, 0), longs(1, 1), longs(0, 0), Order.C, INT));
    badArg("subsizes[0] = 0: allowed are 1..3", () -> Datatype.subarray(longs(3), longs(0), longs(0), Order.C, INT));
    badArg("subsizes[0] = 4: allowed are 1..3", () -> Datatype.subarray(longs(3), longs(4), longs(0), Order.C, INT));
    badArg("starts[0] = -1: allowed are 0..1", () -> Datatype.subarray(longs(3), longs(2), longs(-1), Order.C, INT));
    badArg("starts[0] = 2: allowed are 0..1", () -> Datatype.subarray(longs(3), longs(2), longs(2), Order.C, INT));
  }

  private static Datatype<?> darray(
      int size, int rank, long[] gsizes, Distribution[] distribs, int[] dargs, int[] psizes) {
    return Datatype.darray(size, rank, gsizes, distribs, dargs, psizes, Order.C, INT);
  }

  @Test
  void distributionsThatDoNotFit() {
    Distribution[] block = {Distribution.BLOCK};
    Distribution[] none = {Distribution.NONE};
    int[] usual = {Constants.DISTRIBUTE_DFLT_DARG};
    badArg("gsizes.length = 0:", () -> darray(1, 0, longs(), new Distribution[0], new int[0], new int[0]));
    badArg("gsizes[0] = 0:", () -> darray(2, 0, longs(0), block, usual, new int[] {2}));
    badArg("size = 0:", () -> darray(0, 0, longs(5), block, usual, new int[] {2}));
    badArg("rank = 2: allowed are 0..1", () -> darray(2, 2, longs(5), block, usual, new int[] {2}));
    badArg("rank = -1: allowed are 0..1", () -> darray(2, -1, longs(5), block, usual, new int[] {2}));
    badArg("psizes = [3]: allowed are sizes whose product is the number of processes, 2",
        () -> darray(2, 0, longs(5), block, usual, new int[] {3}));
    badArg("psizes[0] = 0:", () -> darray(2, 0, longs(5), block, usual, new int[] {0}));
    badArg("psizes = [2147483647, 2147483647, 4]:", () -> darray(4, 0, longs(5, 5, 5),
        new Distribution[] {Distribution.CYCLIC, Distribution.CYCLIC, Distribution.CYCLIC}, new int[] {1, 1, 1},
        new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE, 4}));
    badArg("dargs[0] = 0:", () -> darray(2, 0, longs(5), CYCLIC, new int[] {0}, new int[] {2}));
    badArg("dargs[0] = -1:", () -> darray(2, 0, longs(5), block, new int[] {-1}, new int[] {2}));
    badArg("dargs[0] = 2: allowed are 3 or more", () -> darray(2, 0, longs(5), block, new int[] {2}, new int[] {2}));
    badArg("psizes[0] = 2: allowed are 1 for", () -> darray(2, 0, longs(5), none, usual, new int[] {2}));
  }

  @Test
  void sizesBeyond63Bits() {
    badCount("count = " + MAX, () -> Datatype.contiguous(MAX, INT));
    badCount("count = 1152921504606846976", () -> Datatype.contiguous(1L << 60, DOUBLE));
    badCount("count = " + MAX, () -> Datatype.vector(MAX, 2, 1, CHAR));
    badCount("count = " + (1L << 31), () -> Datatype.hvector(1L << 31, 1L << 30, 0, INT));
    badCount("blocklengths[1] = " + MAX, () -> Datatype.indexed(longs(1, MAX), longs(0, 0), CHAR));
    badCount("blocklengths[0] = " + MAX, () -> Datatype.hindexed(longs(MAX), longs(0), INT));
    badCount("blocklength = " + (1L << 62), () -> Datatype.indexedBlock(1L << 62, longs(0, 0), CHAR));
    badCount("blocklength = " + (1L << 61), () -> Datatype.hindexedBlock(1L << 61, longs(0, 0), INT));
    badCount("blocklengths[1] = " + MAX, () -> Datatype.struct(longs(1, MAX), longs(0, 0), INT, CHAR));
    badCount("count = " + MAX, () -> TypeHandle.planOf(INT).packedBytes(MAX));
    badArg("sizes = [4294967296, 4294967296]", () ->
        Datatype.subarray(longs(1L << 32, 1L << 32), longs(1, 1), longs(0, 0), Order.C, CHAR));
    badArg("gsizes = [4294967296, 4294967296]", () -> darray(1, 0, longs(1L << 32, 1L << 32),
        new Distribution[] {Distribution.NONE, Distribution.NONE}, new int[2], new int[] {1, 1}));
  }

  @Test
  void boundsBeyond63Bits() {
    badArg("stride = " + MAX, () -> Datatype.vector(2, 1, MAX, INT));
    badArg("stride = " + (1L << 61), () -> Datatype.vector(5, 1, 1L << 61, CHAR));
    badArg("stride = " + MIN, () -> Datatype.hvector(3, 1, MIN, INT));
    badArg("displacements[1] = " + MAX, () -> Datatype.indexed(longs(1, 1), longs(0, MAX), INT));
    badArg("displacements[0] = " + (MAX - 3), () -> Datatype.hindexed(longs(1), longs(MAX - 3), INT));
    badArg("displacements[0] = " + MIN, () -> Datatype.indexedBlock(1, longs(MIN), INT));
    badArg("displacements[1] = " + MAX, () -> Datatype.hindexedBlock(1, longs(0, MAX), CHAR));
    badArg("displacements[0] = " + MAX, () -> Datatype.struct(longs(1), longs(MAX), INT));
    badArg("too far apart", () -> Datatype.hindexed(longs(1, 1), longs(-(1L << 62) - 1, 1L << 62), INT));
    badArg("too far apart", () -> Datatype.struct(longs(1, 1), longs(-(1L << 62) - 1, 1L << 62), INT, CHAR));
    badArg("extent = 1", () -> INT.resized(MAX, 1));
    badArg("extent = -1", () -> INT.resized(MIN, -1));
    badCount("count = 3", () -> Datatype.contiguous(3, INT.resized(0, 1L << 62)));
    badArg("displacements[0] = " + (MAX - 7), () -> Datatype.hindexed(longs(1), longs(MAX - 7), DOUBLE));
    badArg("stride = 4611686018427387904", () -> Datatype.hvector(2, 1, 1L << 62, DOUBLE.resized(1L << 62, 8)));
  }

  @Test
  void emptyBlocksMayLieAnywhere() {
    assertEquals(4, TypeHandle.planOf(Datatype.indexed(longs(1, 0), longs(0, MAX), INT).commit()).size());
    assertEquals(4, TypeHandle.planOf(Datatype.struct(longs(1, 0), longs(0, MAX), INT, DOUBLE).commit()).size());
    assertEquals(0, TypeHandle.planOf(Datatype.indexedBlock(0, longs(MIN, MAX), INT).commit()).size());
  }

  @Test
  void theArgumentThatIsTooLargeIsNamed() {
    badCount("blocklength = " + (1L << 62), () -> Datatype.vector(1, 1L << 62, 1, INT));
    badCount("blocklength = " + (1L << 60), () -> Datatype.vector(1, 1L << 60, 1, CHAR.resized(0, 64)));
    badArg("sizes = [4294967296, 4294967296]", () -> Datatype.subarray(
        longs(1L << 32, 1L << 32), longs(1L << 32, 1L << 32), longs(0, 0), Order.C, CHAR.resized(0, 0)));
  }

  @Test
  void lengthsOfMessagesAreNotNegative() {
    Datatype<?> type = Datatype.struct(longs(1, 2), longs(0, 8), INT, DOUBLE);
    badArg("bytes = -3", () -> type.elements(-3));
    badArg("bytes = -20", () -> type.count(-20));
    badArg("length = -3", () -> TypeHandle.of(type).signature().elementsIn(-3));
    badArg("length = -3", () -> TypeHandle.of(type).signature().matches(5, -3));
    badCount("count = -1", () -> TypeHandle.of(type).signature().hash(-1));
    badCount("count = -1", () -> TypeHandle.of(type).signature().forEachRun(-1, (basic, copies) -> {}));
    badArg("visitor = null", () -> TypeHandle.of(type).signature().forEachRun(1, null));
  }
}
