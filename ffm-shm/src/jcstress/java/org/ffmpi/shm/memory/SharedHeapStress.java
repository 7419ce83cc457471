// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Threads that allocate and free in one rank's shared heap. Each gets zeroed memory that no other thread writes. */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Each has read what it wrote, in memory that was zero.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both have the same memory, or it was not zeroed.")
@State
public class SharedHeapStress {
  private static final SharedHeapArena HEAP = new SharedHeapArena(
      JobSegment.create(new JobOptions(1, false, Settings.of(Map.of("ffmpi.shm.limit", "1M")))));

  /** Uses one heap for all. */
  public SharedHeapStress() {}

  private static long use(long value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = HEAP.allocate(64, 8, arena);
      long before = block.get(ValueLayout.JAVA_LONG, 0) | block.get(ValueLayout.JAVA_LONG, 56);
      block.set(ValueLayout.JAVA_LONG, 56, value);
      block.set(ValueLayout.JAVA_LONG, 0, value);
      return before | block.get(ValueLayout.JAVA_LONG, 56);
    }
  }

  /**
   * Allocates, uses and frees.
   *
   * @param r what was read
   */
  @Actor
  public void one(JJ_Result r) {
    r.r1 = use(1);
  }

  /**
   * Allocates, uses and frees.
   *
   * @param r what was read
   */
  @Actor
  public void other(JJ_Result r) {
    r.r2 = use(2);
  }
}
