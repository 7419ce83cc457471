// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.base.Measure;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;

/** The variables of waits, memory, datatypes and collectives, against what the test does (MPI-4.1 §15.3.7). */
class OtherVariablesTest {
  private static final int MIB = 1 << 20;

  private volatile Reader ofReceiver;

  /** Rank 1 waits until rank 0 has seen that it sleeps; rank 0 goes on until it has woken rank 1 once. */
  @MpiTest(ranks = 2, timeout = 120)
  void waitsAreSeenFromOutside(Comm world) {
    int[] more = {1};
    if (world.rank() == 0) {
      try (Reader own = new Reader(null)) {
        while (ofReceiver == null) {
          Thread.onSpinWait();
        }
        while (more[0] == 1) {
          long parks = ofReceiver.read(Measure.PARKS);
          while (ofReceiver.read(Measure.PARKS) == parks || ofReceiver.read(Measure.RANK_STATE) != 2) {
            Thread.onSpinWait();
          }
          more[0] = own.read(Measure.WAKES) > 0 ? 0 : 1;
          world.send(more, 1, 1);
        }
        assertEquals(1, own.read(Measure.RANK_STATE));
      }
    } else {
      try (Reader reader = new Reader(null)) {
        ofReceiver = reader;
        long begin = System.nanoTime();
        while (more[0] == 1) {
          world.recv(more, 0, 1);
        }
        long took = System.nanoTime() - begin;
        long waited = reader.read(Measure.WAIT_TIME);
        assertTrue(waited > 0 && waited <= took, () -> waited + " of " + took);
      }
    }
  }

  @MpiTest(ranks = 1)
  void theSharedHeapIsCounted(Mpi mpi) {
    try (Reader reader = new Reader(null)) {
      long used = reader.read(Measure.HEAP_USED);
      long blocks = reader.read(Measure.HEAP_BLOCKS);
      try (Arena arena = Arena.ofShared()) {
        mpi.shared().within(arena).allocate(MIB, 64);
        mpi.shared().within(arena).allocate(100, 64);
        assertEquals(used + MIB + 128, reader.read(Measure.HEAP_USED));
        assertEquals(blocks + 2, reader.read(Measure.HEAP_BLOCKS));
      }
      assertEquals(used, reader.read(Measure.HEAP_USED));
      assertEquals(blocks, reader.read(Measure.HEAP_BLOCKS));
      assertEquals(used + MIB + 128, reader.read(Measure.HEAP_PEAK));
      reader.handle(Measure.HEAP_PEAK).reset();
      assertEquals(used, reader.read(Measure.HEAP_PEAK));
      assertTrue(reader.read(Measure.SEGMENT_LIMIT) > MIB);
    }
  }

  @MpiTest(ranks = 1)
  void plansAreCounted(Comm world) {
    try (Reader reader = new Reader(null)) {
      int odd = 1_000_003 + (int) (System.nanoTime() & 0xFFFF); // no other test has this type
      Datatype.vector(3, 2, odd, Datatype.DOUBLE).commit();
      assertEquals(1, reader.read(Measure.PLAN_MISSES));
      assertEquals(0, reader.read(Measure.PLAN_HITS));
      Datatype.vector(3, 2, odd, Datatype.DOUBLE).commit();
      Datatype.vector(3, 2, odd, Datatype.INT64_T).commit();
      assertEquals(1, reader.read(Measure.PLAN_MISSES));
      assertEquals(2, reader.read(Measure.PLAN_HITS));
      assertTrue(reader.read(Measure.PLANS) >= 1);
    }
  }

  @MpiTest(ranks = 2, settings = "ffmpi.coll.region.after=-1")
  void schedulesAreCountedForEachCommunicator(Comm world) {
    try (Comm dup = world.dup(); Reader reader = new Reader(dup)) {
      long[] sum = {world.rank()};
      for (int i = 0; i < 5; i++) {
        dup.allreduce(new long[] {1}, sum, Op.SUM);
      }
      dup.allreduce(new long[2000], new long[2000], Op.SUM);
      dup.iallreduce(new long[] {1}, sum, Op.SUM).await();
      world.allreduce(new long[] {1}, sum, Op.SUM);
      assertEquals(7, reader.read(Measure.COLLECTIVE_CALLS));
      assertEquals(2, reader.read(Measure.SCHEDULE_MISSES));
      assertEquals(5, reader.read(Measure.SCHEDULE_HITS));
      assertEquals(0, reader.read(Measure.COMM_REGION));
    }
  }

  @MpiTest(ranks = 2, settings = "ffmpi.coll.region.after=1")
  void regionsAreCounted(Comm world) {
    try (Reader ofWorld = new Reader(world)) {
      long before = ofWorld.read(Measure.REGIONS);
      Comm dup = world.dup();
      try (Reader reader = new Reader(dup)) {
        dup.barrier();
        assertTrue(reader.read(Measure.COMM_REGION) > 0);
        assertEquals(1, reader.read(Measure.COLLECTIVE_CALLS), "without the library's own");
        long with = reader.read(Measure.REGIONS);
        dup.close();
        assertEquals(with - 1, reader.read(Measure.REGIONS));
        assertTrue(with > before);
      }
    }
  }
}
