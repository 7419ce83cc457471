// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.junit.jupiter.api.Test;

/** Moving data leaves nothing for the garbage collector. */
class PlanAllocationTest {
  private static final int CALLS = 20_000;
  private static final int MOST_ROUNDS = 100;

  /** Bytes that the test itself may allocate in all calls of a round together. */
  private static final long SLACK = 64 * 1024;

  @Test
  void nothingIsAllocatedByCalls() {
    ByteShape struct = new ByteShape.Sequence(List.of(new ByteShape.Run(0, 8), new ByteShape.Run(16, 48)));
    long[] places = new long[600];
    long[] counts = new long[600];
    for (int i = 0; i < places.length; i++) {
      places[i] = 64L * i;
      counts[i] = 1 + i % 3;
    }
    List<Plan> plans = List.of(
        PlanCompiler.compile(struct, 64),
        PlanCompiler.compile(new ByteShape.Repeat(0, 40, 16, new ByteShape.Run(0, 8)), 1024),
        PlanCompiler.compile(new ByteShape.Scatter(places, counts, 8, new ByteShape.Run(0, 8)), 1 << 17));
    MemorySegment memory = Arena.ofAuto().allocate(1 << 20, 8);
    long[] array = new long[1 << 17];
    for (Plan plan : plans) {
      long bytes = Math.min(304, plan.size());
      for (Plan source : plans) {
        allocatesNothing(() -> source.pack(Memory.NATIVE, memory, at(memory, 0), 4, 8, bytes, at(memory, 1 << 19)));
        allocatesNothing(() -> source.pack(Memory.LONGS, array, 0, 4, 8, bytes, at(memory, 1 << 19)));
        allocatesNothing(() -> source.unpack(at(memory, 1 << 19), Memory.LONGS, array, 0, 4, 8, bytes));
        allocatesNothing(() -> plan.transfer(
            at(memory, 0), source, 8, Memory.NATIVE, memory, at(memory, 1 << 19), 8, 7, bytes));
        allocatesNothing(() -> plan.transfer(at(memory, 0), source, 8, Memory.LONGS, array, 0, 8, 8, bytes));
      }
    }
  }

  private static long at(MemorySegment memory, long offset) {
    return Raw.address(memory) + offset;
  }

  /** Compiled code allocates nothing; the number of rounds before that depends on the machine. */
  private static void allocatesNothing(Runnable call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = Long.MAX_VALUE;
    for (int round = 0; round < MOST_ROUNDS && bytes >= SLACK; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        call.run();
      }
      bytes = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertTrue(bytes < SLACK, bytes + " bytes in " + CALLS + " calls");
  }
}
