// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;

/**
 * Blocking sends and receives with arrays and kept buffers allocate nothing. Messages are sent in batches that the ring
 * holds, and received when they are there: what a thread may allocate before it goes to sleep does not matter.
 */
class AllocationTest {
  private static final int BATCH = 16;
  private static final int WARM_UP = 1_500;
  private static final int MEASURED = 20;

  /** The arguments of a collective call as one object, which goes where the call is compiled as a whole. */
  private static final long CALL = 40;

  /** What is measured: a send by rank 0, a receive by rank 1. */
  private interface Calls {
    void send(int peer);

    void recv(int peer);
  }

  /** Passes batches and checks that in one of the measured ones at least this rank allocated nothing. */
  private static void assertNothingAllocated(Comm world, String what, Calls calls) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int peer = 1 - world.rank();
    byte[] token = new byte[1];
    Status status = new Status();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < WARM_UP + MEASURED; round++) {
      long allocated;
      if (world.rank() == 0) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < BATCH; i++) {
          calls.send(peer);
        }
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
        world.send(token, peer, 1);
        world.recv(token, peer, 2);
      } else {
        while (!world.iprobe(peer, 1, status)) {
          Thread.onSpinWait(); // until the whole batch is there
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < BATCH; i++) {
          calls.recv(peer);
        }
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
        world.recv(token, peer, 1);
        world.send(token, peer, 2);
      }
      if (round >= WARM_UP) {
        least = Math.min(least, allocated);
      }
    }
    assertEquals(0, least, what + ": bytes allocated by " + BATCH + (world.rank() == 0 ? " sends" : " receives"));
  }

  /** Ranks that show each other short contributions: nothing is allocated below the call itself. */
  @MpiTest(ranks = 2, timeout = 180, settings = "ffmpi.coll.region.after=1")
  void shortCollectives(IntraComm world) {
    Buf<Double> in = Buf.of(new double[16]);
    Buf<Double> out = Buf.of(new double[16]);
    Buf<Double> both = Buf.of(new double[32]);
    Buf<Double> all = Buf.of(new double[32]);
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("barrier", world::barrier);
    calls.put("bcast", () -> world.bcast(in, 1));
    calls.put("gather", () -> world.gather(in, both, 0));
    calls.put("scatter", () -> world.scatter(both, in, 0));
    calls.put("allgather", () -> world.allgather(in, both));
    calls.put("alltoall", () -> world.alltoall(both, all));
    calls.put("reduce", () -> world.reduce(in, out, Op.MAX, 1));
    calls.put("allreduce", () -> world.allreduce(in, out, Op.SUM));
    calls.put("scan", () -> world.scan(in, out, Op.SUM));
    calls.put("exscan", () -> world.exscan(in, out, Op.SUM));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    calls.forEach((name, call) -> {
      long least = Long.MAX_VALUE;
      for (int round = 0; round < WARM_UP; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        call.run();
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertTrue(least <= CALL, name + " allocates " + least + " bytes");
    });
  }

  @MpiTest(ranks = 2, timeout = 180)
  void arrays(Comm world) {
    double[] small = new double[4];
    byte[] larger = new byte[2_000];
    Status status = new Status();
    assertNothingAllocated(world, "double[4]", new Calls() {
      @Override
      public void send(int peer) {
        world.send(small, peer, 7);
      }

      @Override
      public void recv(int peer) {
        world.recv(small, peer, 7);
      }
    });
    assertNothingAllocated(world, "byte[2000] with a status", new Calls() {
      @Override
      public void send(int peer) {
        world.send(larger, peer, 7);
      }

      @Override
      public void recv(int peer) {
        world.recv(larger, peer, 7, status);
      }
    });
  }

  @MpiTest(ranks = 2, timeout = 180)
  void keptBuffers(Mpi mpi) {
    Comm world = mpi.world();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment closeable = arena.allocate(1_000);
      Buf<?>[] kept = {
        Buf.of(Arena.ofAuto().allocate(1_000), 1_000, Datatype.BYTE),
        Buf.of(closeable, 1_000, Datatype.BYTE),
        Buf.of(new long[100], 3, 50),
        Buf.of(mpi.shared().allocate(40), 5, Datatype.DOUBLE)
      };
      Status status = new Status();
      for (Buf<?> buf : kept) {
        assertNothingAllocated(world, buf.toString(), new Calls() {
          @Override
          public void send(int peer) {
            world.send(buf, peer, 7);
          }

          @Override
          public void recv(int peer) {
            world.recv(buf, peer, 7, status);
          }
        });
      }
    }
  }
}
