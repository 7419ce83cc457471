// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies between a user's memory and an address leave no garbage, also after other kinds in the same JVM. */
class AllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 20_000;

  private static long roundTrips(int kind, Object owner, long offset, long scratch, long bytes) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < ROUNDS; i++) {
      Memory.read(kind, owner, offset, scratch, bytes);
      Memory.write(kind, owner, offset, scratch, bytes);
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void copiesDoNotAllocateOnceWarm() {
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      List<Object> owners = List.of(
          Arena.global().allocate(64), confined.allocate(64), shared.allocate(64), new byte[64], new boolean[64],
          new char[32], new short[32], new int[16], new long[8], new float[16], new double[8]);
      long scratch = Raw.address(Arena.global().allocate(64, 8));
      for (boolean warm : new boolean[] {false, false, true}) {
        for (Object owner : owners) {
          int kind = owner instanceof MemorySegment segment ? Memory.kindOf(segment) : Memory.kindOfArray(owner);
          long offset = kind == Memory.NATIVE ? Memory.offsetOf((MemorySegment) owner) : 0;
          for (long bytes : new long[] {8, 16, 64}) {
            long garbage = roundTrips(kind, owner, offset, scratch, bytes);
            // a byte per round would already be more than the odd allocation of the JVM itself
            assertTrue(!warm || garbage < ROUNDS, garbage + " bytes of garbage: " + bytes + " bytes, kind " + kind);
          }
        }
      }
    }
  }
}
