// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.Test;

/** Short collectives of communicators whose ranks show each other their contributions in shared memory. */
class RegionsTest {
  /** More than can be in flight before the slowest rank has come. */
  private static final int MANY = 30;

  private static long sum(IntraComm comm, long value) {
    long[] sum = {value};
    comm.allreduce(Buf.of(sum), Op.SUM);
    return sum[0];
  }

  private static long sumOfRanks(IntraComm comm) {
    return comm.size() * (comm.size() - 1L) / 2;
  }

  /** Blocking, nonblocking and persistent ones, ended in another order at each rank. */
  @EveryTransport
  @MpiTest(ranks = {2, 3, 5}, settings = "ffmpi.coll.region.after=1")
  void moreInFlightThanThereAreSlots(IntraComm world) {
    long seed = world.rank() == 0 ? Seeds.next() : 0;
    long[] shared = {seed};
    world.bcast(Buf.of(shared), 0);
    Seeds.run(shared[0], () -> {
      Random own = new Random(shared[0] + world.rank());
      for (int batch = 0; batch < 4; batch++) {
        inFlight(world, own);
      }
    });
  }

  private static void inFlight(IntraComm world, Random own) {
    int size = world.size();
    List<Request> pending = new ArrayList<>();
    List<long[]> sums = new ArrayList<>();
    List<Persistent> persistent = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      long[] sum = {world.rank() + i};
      if (i == 12 || i == 20) {
        Persistent init = world.allreduceInit(Buf.of(sum), Op.SUM, null); // while others are in flight
        persistent.add(init);
      } else {
        pending.add(world.iallreduce(Buf.of(sum), Op.SUM));
      }
      sums.add(sum);
      if (i % 7 == 3) {
        long[] sent = {world.rank() == i % size ? i : -1};
        world.bcast(Buf.of(sent), i % size);
        assertEquals(i, sent[0]);
      }
    }
    Collections.shuffle(persistent, own);
    persistent.forEach(Persistent::start);
    pending.addAll(persistent);
    Collections.shuffle(pending, own);
    pending.forEach(Request::await);
    for (int i = 0; i < MANY; i++) {
      assertEquals(sumOfRanks(world) + (long) size * i, sums.get(i)[0], "sum " + i);
    }
    persistent.forEach(Persistent::close);
  }

  @EveryTransport
  @MpiTest(ranks = {2, 4}, settings = "ffmpi.coll.region.after=1")
  void aRootFarAhead(IntraComm world) throws InterruptedException {
    world.barrier();
    if (world.rank() > 0) {
      Thread.sleep(20);
    }
    int[] data = new int[1];
    for (int i = 0; i < 1_000; i++) {
      data[0] = world.rank() == 0 ? i : -1;
      world.bcast(Buf.of(data), 0);
      assertEquals(i, data[0]);
      if (world.rank() == world.size() - 1 && i % 100 == 99) {
        Thread.sleep(2);
      }
    }
  }

  /** One rank looks at the region, the other one sends. */
  @MpiTest(ranks = 2, settings = "ffmpi.coll.region.after=1")
  void lengthsOnBothSidesOfTheLimit(IntraComm world) {
    world.barrier();
    if (world.rank() == 0) {
      assertError(ErrorClass.ERR_COUNT, () -> world.gather(Buf.of(new long[1]), Buf.of(new long[2]), 0),
          "gather: rank 1 ", "differ between ranks");
    } else {
      world.gather(Buf.of(new long[1_100]), null, 0);
    }
    assertEquals(sumOfRanks(world), sum(world, world.rank()));
  }

  /** Ranks that call different things are told so by name, and go on with the next call. */
  @MpiTest(ranks = {2, 3, 4}, settings = "ffmpi.coll.region.after=1")
  void differentCalls(IntraComm world) {
    int last = world.size() - 1;
    boolean isOdd = world.rank() == last;
    world.barrier();
    Buf<Integer> counts = Buf.of(new int[isOdd ? 3 : 2]);
    assertError(ErrorClass.ERR_COUNT, () -> world.allreduce(counts, Op.SUM), "rank ", "differ between ranks");
    assertEquals(sumOfRanks(world), sum(world, world.rank()));

    Runnable other = isOdd ? world::barrier : () -> world.allreduce(Buf.of(new int[1]), Op.SUM);
    assertError(ErrorClass.ERR_COUNT, other::run, "rank ", "differ between ranks");
    assertError(ErrorClass.ERR_COUNT, () -> world.iallreduce(Buf.of(new int[isOdd ? 1 : 2]), Op.SUM).await(), "rank ");
    assertEquals(sumOfRanks(world), sum(world, world.rank()));

    if (last > 1) { // of two ranks each would be a root
      Buf<Integer> one = Buf.of(new int[1]);
      if (isOdd) {
        assertError(ErrorClass.ERR_COUNT, () -> world.bcast(one, 1), "bcast: rank 1 ", "roots");
      } else {
        world.bcast(one, 0);
      }
      assertEquals(sumOfRanks(world), sum(world, world.rank()));
    }
  }

  @MpiTest(ranks = {2, 3})
  void persistentCallsOfDifferentLengths(IntraComm world) {
    boolean isFirst = world.rank() == 0;
    Buf<Integer> data = Buf.of(new int[isFirst ? 100 : 200]);
    assertError(ErrorClass.ERR_COUNT, () -> world.allreduceInit(data, Op.SUM, null),
        isFirst ? "rank 1 has 800 bytes where rank 0 has 400" : "rank 0 has 400 bytes where rank");
    assertEquals(sumOfRanks(world), sum(world, world.rank()));
  }

  /** A rank that finalizes while others wait for it. */
  @EveryTransport
  @MpiTest(ranks = {2, 3, 4}, settings = "ffmpi.coll.region.after=1")
  void aRankThatLeaves(Mpi mpi) {
    IntraComm world = mpi.world();
    for (int i = 0; i < 12; i++) {
      sum(world, i);
    }
    if (world.rank() == world.size() - 1) {
      mpi.close();
      return;
    }
    long[] data = new long[1];
    MpiException e = assertThrows(MpiException.class, () -> {
      for (int i = 0; i < 20; i++) {
        world.bcast(Buf.of(data), 0); // the root may be ahead of the one that is missing
      }
    });
    String missing = "rank " + (world.size() - 1);
    if (world.rank() == 0) {
      assertEquals(ErrorClass.ERR_PROC_ABORTED, e.errorClass(), e.toString());
      assertTrue(e.getMessage().contains(missing), e.toString());
    } else {
      assertTrue(e.getMessage().contains("rank 0 has failed"), e.toString());
    }
    assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.allreduce(Buf.of(data), Op.SUM), missing);
    assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.ibarrier().await(), "rank ");
  }

  /** In two steps, as many ranks do it: each result tells who has contributed, and in which order. */
  @EveryTransport
  @MpiTest(
      ranks = {2, 3, 5},
      settings = {
        "ffmpi.coll.region.after=1", "ffmpi.coll.barrier=region-tree", "ffmpi.coll.allgather=region-tree",
        "ffmpi.coll.allreduce=region-tree", "ffmpi.coll.reduce-scatter-block=region-tree",
        "ffmpi.coll.reduce-scatter=region-tree", "ffmpi.coll.scan=region-tree", "ffmpi.coll.exscan=region-tree"
      })
  void byWayOfOneRank(IntraComm world) {
    int rank = world.rank();
    int size = world.size();
    Op<Long> digits = Op.ordered(Long.class, (a, b) -> a * 10 + b); // 1, 2, 3 make 123 in the order of ranks only
    for (int call = 0; call < 40; call++) {
      world.barrier();
      int last = call % 2;
      assertArrayEquals(ranks(size), gathered(world, call % 3 == 0));
      long[] own = {last, rank + 1L};
      long[] result = new long[2];
      world.allreduce(Buf.of(own), Buf.of(result), Op.SUM);
      assertArrayEquals(new long[] {(long) last * size, size * (size + 1L) / 2}, result);
      world.scan(Buf.of(own), Buf.of(result), Op.SUM);
      assertArrayEquals(new long[] {last * (rank + 1L), (rank + 1L) * (rank + 2) / 2}, result);
      long[] one = {rank + 1L};
      long[] all = new long[1];
      world.exscan(Buf.of(one), Buf.of(all), digits);
      assertEquals(number(rank), all[0]);
      world.scan(Buf.of(one), Buf.of(all), digits);
      assertEquals(number(rank + 1), all[0]);
      long[] parts = new long[size];
      Arrays.fill(parts, rank + 1L);
      world.reduceScatterBlock(Buf.of(parts), Buf.of(all), Op.SUM);
      assertEquals(size * (size + 1L) / 2, all[0]);
      long[] counts = new long[size];
      counts[size - 1] = size;
      long[] whole = new long[rank == size - 1 ? size : 0];
      world.reduceScatter(Buf.of(parts), Buf.of(whole), counts, Op.SUM);
      for (long sum : whole) {
        assertEquals(size * (size + 1L) / 2, sum);
      }
    }
  }

  private static long number(int digits) {
    long number = 0;
    for (int d = 1; d <= digits; d++) {
      number = number * 10 + d;
    }
    return number;
  }

  private static long[] ranks(int size) {
    return LongStream.range(0, size).toArray();
  }

  private static long[] gathered(IntraComm world, boolean inPlace) {
    long[] all = new long[world.size()];
    all[world.rank()] = world.rank();
    world.allgather(inPlace ? Buf.inPlace() : Buf.of(new long[] {world.rank()}), Buf.of(all));
    return all;
  }

  /** Elements whose data do not begin where they do cannot be shown as they lie. */
  @MpiTest(ranks = {2, 3}, settings = "ffmpi.coll.region.after=1")
  void elementsThatBeginBesideTheirData(Mpi mpi) {
    IntraComm world = mpi.world();
    world.barrier(); // makes the region
    MemorySegment behind = mpi.shared().allocate(4 << 20); // of the region, at one rank
    for (long displacement : new long[] {1 << 20, 8, 0}) {
      Datatype<Long> type =
          Datatype.hindexed(new long[] {1}, new long[] {displacement}, Datatype.INT64_T).commit();
      Op<Object> sum = Op.kernel(true, (in, inout, len, _) -> {
        for (long i = 0; i < len; i++) {
          long at = displacement + i * Long.BYTES;
          long left = in.get(ValueLayout.JAVA_LONG, at);
          inout.set(ValueLayout.JAVA_LONG, at, left + inout.get(ValueLayout.JAVA_LONG, at));
        }
      });
      MemorySegment memory = Arena.ofAuto().allocate(displacement + 2 * Long.BYTES, 8);
      Buf<Long> buf = Buf.of(memory, 2, type);
      for (int call = 0; call < 3; call++) {
        memory.set(ValueLayout.JAVA_LONG, displacement, world.rank());
        memory.set(ValueLayout.JAVA_LONG, displacement + Long.BYTES, 1);
        world.allreduce(buf, sum);
        assertEquals(sumOfRanks(world), memory.get(ValueLayout.JAVA_LONG, displacement));
        assertEquals(world.size(), memory.get(ValueLayout.JAVA_LONG, displacement + Long.BYTES));
      }
    }
    assertEquals(-1, behind.mismatch(MemorySegment.ofArray(new byte[4 << 20])), "written beside the region");
  }

  /** Without room for a region there are messages. */
  @MpiTest(ranks = {2, 3}, settings = {"ffmpi.shm.limit=32M", "ffmpi.coll.region.after=3"})
  void noRoom(Mpi mpi) {
    IntraComm world = mpi.world();
    int[] data = new int[world.size()];
    world.alltoall(Buf.of(data), Buf.of(data.clone())); // makes the rings
    sum(world, 1);
    List<MemorySegment> all = new ArrayList<>();
    if (world.rank() == 0) {
      assertError(ErrorClass.ERR_NO_MEM, () -> {
        while (true) {
          all.add(mpi.shared().allocate(16 << 10));
        }
      });
    }
    for (int i = 0; i < 10; i++) {
      assertEquals(sumOfRanks(world), sum(world, world.rank()));
    }
    long[] sum = {world.rank()};
    try (Persistent persistent = world.allreduceInit(Buf.of(sum), Op.SUM, null)) {
      persistent.start();
      persistent.await();
    }
    assertEquals(sumOfRanks(world), sum[0]);
    all.forEach(memory -> memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 0));
  }

  /** Regions of communicators that have been closed are used again: hundreds would fill the memory there is. */
  @MpiTest(ranks = {2, 3}, timeout = 120, settings = {"ffmpi.shm.limit=64M", "ffmpi.coll.region.after=1"})
  void regionsOfClosedCommunicators(Mpi mpi) {
    IntraComm world = mpi.world();
    for (int i = 0; i < 1_500; i++) {
      long[] late = {world.rank()};
      Request request;
      try (IntraComm comm = world.dup()) {
        for (int call = 0; call < 3; call++) {
          assertEquals(sumOfRanks(comm), sum(comm, comm.rank()));
        }
        request = comm.iallreduce(Buf.of(late), Op.SUM); // closed while it is in flight
      }
      request.await();
      assertEquals(sumOfRanks(world), late[0]);
    }
    world.barrier();
    if (world.rank() == 0) {
      mpi.shared().allocate(16 << 20).fill((byte) 1);
    }
    world.barrier();
  }

  /** What jobs of threads have shared goes with them. */
  @Test
  void regionsOfJobsThatAreOver() throws Exception {
    long before = mapped();
    for (int job = 0; job < 8; job++) {
      Mpi.runThreads(2, Map.of("ffmpi.coll.region.after", "1"), mpi -> {
        for (int i = 0; i < 10; i++) {
          assertEquals(1, sum(mpi.world(), mpi.world().rank()));
        }
      });
    }
    for (int turn = 0; turn < 100 && mapped() > before; turn++) {
      System.gc();
      Thread.sleep(20);
    }
    assertTrue(mapped() <= before, mapped() + " segments are mapped, " + before + " were before");
  }

  private static long mapped() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains("/ffmpi-")).count();
    }
  }

  /** Each thread of a rank with a communicator of its own. */
  @MpiVariant(name = "defaults")
  @MpiVariant(name = "progress thread", settings = "ffmpi.progress=thread")
  @MpiVariant(name = "no spinning", settings = {"ffmpi.spin=0", "ffmpi.yield=0"})
  @MpiTest(ranks = {2, 3}, timeout = 120, settings = "ffmpi.coll.region.after=1")
  void severalThreads(IntraComm world) throws Throwable {
    int threads = 3;
    for (Thread.Builder builder : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
      List<IntraComm> comms = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        comms.add(world.dup());
      }
      Threads.run(builder, threads, thread -> {
        IntraComm comm = comms.get(thread);
        for (int i = 0; i < 100; i++) {
          assertEquals(sumOfRanks(comm) + (long) i * comm.size(), sum(comm, comm.rank() + i));
          long[] sum = {i};
          comm.iallreduce(Buf.of(sum), Op.SUM).await();
          assertEquals((long) i * comm.size(), sum[0]);
        }
      });
      comms.forEach(IntraComm::close);
    }
  }
}
