// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Elements with gaps are combined like those without, under the locks of their own bytes alone. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScatteredElementsTest {
  private static final int OTHER = 7;
  private static final long SEED = 20;

  private final Arena arena = Arena.ofAuto();
  private final long block = Raw.address(arena.allocate(SyncLayout.bytes(1), 64));
  private final Stripes stripes = new Stripes(null, null, 0);
  private final Random random = new Random(SEED);

  private MemorySegment randomBytes(long bytes) {
    byte[] all = new byte[(int) bytes];
    random.nextBytes(all);
    return arena.allocate(bytes, 64).copyFrom(MemorySegment.ofArray(all));
  }

  /** Elements are four pieces apart: three of four stripes are held by another rank all the time. */
  @Test
  void locksOfGapsAreNotNeeded() {
    long apart = 4 * Stripes.end(0);
    int n = 100;
    Plan plan = TypeHandle.planOf(Datatype.hvector(n, 1, apart, Datatype.INT64_T).commit());
    MemorySegment part = arena.allocate(n * apart, 64);
    MemorySegment mine = arena.allocate(8L * n, 64);
    for (int i = 0; i < n; i++) {
      mine.setAtIndex(ValueLayout.JAVA_LONG, i, i + 1);
    }
    for (int i = 0; i < Stripes.COUNT; i++) {
      assertTrue(i % 4 == 0 || StripeLayout.casHolder(SyncLayout.stripeAddress(block, i), 0, OTHER));
    }
    ScatteredElements.combine(stripes, block, 0, Raw.address(part), 1, plan,
        Combination.of(PredefinedOp.SUM, AccumulateUnit.of(Datatype.INT64_T)),
        (from, bytes, to) -> Raw.copy(Raw.address(mine) + from, to, bytes), null);
    for (int i = 0; i < n; i++) {
      assertEquals(i + 1, part.get(ValueLayout.JAVA_LONG, i * apart));
    }
    for (int i = 0; i < Stripes.COUNT; i++) {
      assertEquals(i % 4 == 0 ? 0 : OTHER, StripeLayout.getOpaqueHolder(SyncLayout.stripeAddress(block, i)));
    }
  }

  @Test
  void layoutsOfAllKindsAreCombined() {
    List<Datatype<?>> longs = List.of(
        Datatype.vector(3, 1, 2, Datatype.INT64_T).commit(),
        Datatype.vector(5000, 1, 3, Datatype.INT64_T).commit(),
        Datatype.vector(20, 700, 1000, Datatype.INT64_T).commit(),
        Datatype.vector(3, 5000, 6000, Datatype.INT64_T).commit(),
        Datatype.indexed(new long[] {3, 1, 900}, new long[] {2000, 0, 17}, Datatype.INT64_T).commit());
    for (Datatype<?> type : longs) {
      for (PredefinedOp op : List.of(PredefinedOp.SUM, PredefinedOp.REPLACE, PredefinedOp.NO_OP, PredefinedOp.MAX)) {
        check(type, 1, op);
        check(type, 3, op);
      }
    }
    for (Datatype<?> pair : List.of(Datatype.SHORT_INT, Datatype.DOUBLE_INT)) {
      for (PredefinedOp op : List.of(PredefinedOp.MAXLOC, PredefinedOp.REPLACE, PredefinedOp.NO_OP)) {
        check(pair, 1, op);
        check(pair, 5000, op);
      }
    }
    for (PredefinedOp op : List.of(PredefinedOp.BXOR, PredefinedOp.REPLACE)) {
      check(Datatype.vector(9000, 1, 2, Datatype.BYTE).commit(), 2, op);
    }
  }

  private void check(Datatype<?> type, long count, PredefinedOp op) {
    Plan plan = TypeHandle.planOf(type);
    Combination how = Combination.of(op, AccumulateUnit.of(type));
    long bytes = plan.packedBytes(count);
    long span = (count - 1) * plan.extent() + plan.trueLowerBound() + plan.trueExtent();
    MemorySegment part = randomBytes(span);
    MemorySegment mine = randomBytes(bytes);
    MemorySegment was = arena.allocate(bytes, 64);
    MemorySegment expected = arena.allocate(span, 64).copyFrom(part);
    MemorySegment stream = arena.allocate(bytes, 64);
    plan.pack(Memory.NATIVE, null, Raw.address(part), count, 0, bytes, Raw.address(stream));
    MemorySegment before = arena.allocate(bytes, 64).copyFrom(stream);
    new PackedUnits(how, bytes, arena).combine(Raw.address(mine), Raw.address(stream), bytes);
    plan.unpack(Raw.address(stream), Memory.NATIVE, null, Raw.address(expected), count, 0, bytes);
    for (boolean fetches : new boolean[] {true, false}) {
      MemorySegment copy = arena.allocate(span, 64).copyFrom(part);
      ScatteredElements.combine(stripes, block, 4096, Raw.address(copy), count, plan, how,
          op == PredefinedOp.NO_OP ? null : (from, n, to) -> Raw.copy(Raw.address(mine) + from, to, n),
          fetches ? (at, from, n) -> Raw.copy(at, Raw.address(was) + from, n) : null);
      assertEquals(-1, copy.mismatch(expected), type + " x " + count + ", " + op);
      assertEquals(-1, was.mismatch(before), type + " x " + count + ", " + op);
    }
  }
}
