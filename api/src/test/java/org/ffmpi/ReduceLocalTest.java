// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.junit.jupiter.api.Test;

/** Combining two buffers of this rank. */
class ReduceLocalTest {
  private static final int N = 3000;

  @Test
  void arrays() {
    int[] in = {1, 5, 3};
    int[] inout = {4, 2, 3};
    Op.MAX.reduceLocal(Buf.of(in), Buf.of(inout));
    assertArrayEquals(new int[] {4, 5, 3}, inout);
    assertArrayEquals(new int[] {1, 5, 3}, in);
    boolean[] truths = {true, true, false};
    Op.LAND.reduceLocal(Buf.of(new boolean[] {true, false, false}), Buf.of(truths));
    assertArrayEquals(new boolean[] {true, false, false}, truths);
    Op.SUM.reduceLocal(Buf.of(new double[0]), Buf.of(new double[0]));
  }

  @Test
  void everyPairOfMemories() {
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      for (MemorySegment in : everyKind(confined, shared)) {
        for (MemorySegment inout : everyKind(confined, shared)) {
          for (int i = 0; i < N; i++) {
            in.setAtIndex(ValueLayout.JAVA_DOUBLE, i, i);
            inout.setAtIndex(ValueLayout.JAVA_DOUBLE, i, 2 * i);
          }
          Op.SUM.reduceLocal(Buf.of(in, N, Datatype.DOUBLE), Buf.of(inout, N, Datatype.DOUBLE));
          for (int i = 0; i < N; i++) {
            assertEquals(3 * i, inout.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
            assertEquals(i, in.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
          }
        }
      }
    }
  }

  private static List<MemorySegment> everyKind(Arena confined, Arena shared) {
    return List.of(
        Arena.ofAuto().allocate(8 * N), confined.allocate(8 * N), shared.allocate(8 * N),
        MemorySegment.ofArray(new double[N]));
  }

  @Test
  void pairsWithGaps() {
    byte[] in = new byte[32];
    byte[] inout = new byte[32];
    MemorySegment left = MemorySegment.ofArray(in);
    MemorySegment right = MemorySegment.ofArray(inout);
    left.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, 2);
    left.set(ValueLayout.JAVA_INT_UNALIGNED, 8, 7);
    right.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, 2);
    right.set(ValueLayout.JAVA_INT_UNALIGNED, 8, 9);
    right.set(ValueLayout.JAVA_INT_UNALIGNED, 12, -1);
    Op.MAXLOC.reduceLocal(Buf.of(in, 2, Datatype.DOUBLE_INT), Buf.of(inout, 2, Datatype.DOUBLE_INT));
    assertEquals(7, right.get(ValueLayout.JAVA_INT_UNALIGNED, 8));
    assertEquals(-1, right.get(ValueLayout.JAVA_INT_UNALIGNED, 12), "the gap is left alone");
  }

  @Test
  void whatIsRefused() {
    double[] a = new double[8];
    Buf<Double> in = Buf.of(new double[8]);
    Buf<Double> inout = Buf.of(a);
    Buf<Double> readOnly = Buf.of(MemorySegment.ofArray(new double[8]).asReadOnly(), 8, Datatype.DOUBLE);
    assertError(ErrorClass.ERR_BUFFER, () -> Op.SUM.reduceLocal(null, inout), "in = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Op.SUM.reduceLocal(in, null), "inout = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Op.SUM.reduceLocal(Buf.inPlace(), inout), "in = Buf.inPlace()");
    assertError(ErrorClass.ERR_BUFFER, () -> Op.SUM.reduceLocal(in, Buf.inPlace()), "inout = Buf.inPlace()");
    assertError(ErrorClass.ERR_BUFFER, () -> Op.SUM.reduceLocal(in, readOnly), "writable");
    Op.SUM.reduceLocal(readOnly, inout);
    assertError(ErrorClass.ERR_BUFFER, () -> Op.SUM.reduceLocal(Buf.of(a, 0, 4), Buf.of(a, 3, 4)), "overlap in");
    Op.SUM.reduceLocal(Buf.of(a, 0, 4), Buf.of(a, 4, 4));
    assertError(ErrorClass.ERR_COUNT, () -> Op.SUM.reduceLocal(Buf.of(a, 0, 4), in), "count of in = 4", "inout");
    Buf<Double> other = Buf.of(new byte[64], 8, Datatype.REAL8);
    assertError(ErrorClass.ERR_TYPE, () -> Op.SUM.reduceLocal(other, inout), "type of in = MPI_REAL8");
    assertError(ErrorClass.ERR_OP, () -> Op.BAND.reduceLocal(in, inout), "MPI_BAND");
    Buf<Object> longDoubles = Buf.of(new byte[16], 1, Datatype.LONG_DOUBLE);
    assertError(ErrorClass.ERR_OP, () -> Op.BAND.reduceLocal(longDoubles, longDoubles), "LONG_DOUBLE");
  }
}
