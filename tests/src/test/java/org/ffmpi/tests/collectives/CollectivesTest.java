// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.collective.OpAccess;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;

/**
 * Collective operations against the plainest oracle there is: as every rank can compute what every other contributed,
 * it folds all contributions in rank order by itself. Values are small whole numbers, so that sums are exact in any
 * order and type.
 */
@EveryTransport
class CollectivesTest {
  private static final int[] COUNTS = {0, 1, 2, 7, 100, 1_000, 9_000};

  private static final Datatype<?>[] NUMBERS = {
    Datatype.INT8_T, Datatype.UINT8_T, Datatype.INT16_T, Datatype.UINT16_T, Datatype.INT32_T, Datatype.UINT32_T,
    Datatype.INT64_T, Datatype.UINT64_T, Datatype.FLOAT, Datatype.DOUBLE
  };

  private static final List<Op<Object>> OPS = List.of(Op.SUM, Op.MIN, Op.MAX);

  /** A rank's contribution: small numbers, negative ones among them where the type has them. */
  private static MemorySegment contribution(Datatype<?> type, int count, int rank) {
    MemorySegment data = Arena.ofAuto().allocate(Math.max(1, count * type.size()), 8);
    for (int i = 0; i < count; i++) {
      set(data, type, i, Math.floorMod((rank + 1) * 7 + i * 5, 13) - (isUnsigned(type) ? 0 : 6));
    }
    return data;
  }

  private static boolean isUnsigned(Datatype<?> type) {
    return type.name().contains("UINT");
  }

  private static void set(MemorySegment data, Datatype<?> type, int i, int value) {
    switch (type.name()) {
      case "MPI_FLOAT" -> data.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
      case "MPI_DOUBLE" -> data.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      default -> {
        switch ((int) type.size()) {
          case 1 -> data.set(ValueLayout.JAVA_BYTE, i, (byte) value);
          case 2 -> data.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) value);
          case 4 -> data.setAtIndex(ValueLayout.JAVA_INT, i, value);
          default -> data.setAtIndex(ValueLayout.JAVA_LONG, i, value);
        }
      }
    }
  }

  /** Folds the contributions of all ranks in a chain. */
  private static MemorySegment folded(Datatype<?> type, Op<Object> op, int count, int ranks) {
    MemorySegment result = contribution(type, count, 0);
    ReduceKernel kernel = OpAccess.kernel(op, type);
    for (int rank = 1; rank < ranks; rank++) {
      MemorySegment next = contribution(type, count, rank);
      kernel.reduce(next.address(), result.address(), count);
      Reference.reachabilityFence(next);
    }
    return result;
  }

  private static void assertSame(MemorySegment expected, MemorySegment actual, long bytes, String what) {
    assertEquals(-1, expected.asSlice(0, bytes).mismatch(actual.asSlice(0, bytes)), what + ": first wrong byte");
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void allreduceOfAllTypes(Comm world) {
    int n = world.size();
    for (Datatype<?> type : NUMBERS) {
      for (Op<Object> op : OPS) {
        for (int count : new int[] {1, 7, 1_000}) {
          long bytes = count * type.size();
          MemorySegment expected = folded(type, op, count, n);
          MemorySegment mine = contribution(type, count, world.rank());
          MemorySegment result = Arena.ofAuto().allocate(bytes, 8);
          allreduce(world, mine, result, count, type, op);
          String what = op + " of " + count + " " + type.name();
          assertSame(expected, result, bytes, what);
          assertSame(contribution(type, count, world.rank()), mine, bytes, what + ", the send buffer");
        }
      }
    }
  }

  private static <T> void allreduce(
      Comm world, MemorySegment mine, MemorySegment result, int count, Datatype<T> type, Op<Object> op) {
    world.allreduce(Buf.of(mine, count, type), Buf.of(result, count, type), op);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void allreduceOfAllLengths(Comm world) {
    for (int count : COUNTS) {
      MemorySegment expected = folded(Datatype.DOUBLE, Op.SUM, count, world.size());
      MemorySegment mine = contribution(Datatype.DOUBLE, count, world.rank());
      double[] array = new double[count];
      MemorySegment.copy(mine, ValueLayout.JAVA_DOUBLE, 0, array, 0, count);
      double[] result = new double[count];
      world.allreduce(Buf.of(array), Buf.of(result), Op.SUM);
      check(expected, result);
      world.allreduce(Buf.of(array), Op.SUM); // in place
      check(expected, array);
      double[] later = new double[count];
      MemorySegment.copy(mine, ValueLayout.JAVA_DOUBLE, 0, later, 0, count);
      world.iallreduce(Buf.of(later), Op.SUM).await();
      check(expected, later);
    }
  }

  private static void check(MemorySegment expected, double[] actual) {
    for (int i = 0; i < actual.length; i++) {
      assertEquals(expected.getAtIndex(ValueLayout.JAVA_DOUBLE, i), actual[i], "element " + i + " of " + actual.length);
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void reduceToEveryRoot(Comm world) {
    for (int root = 0; root < world.size(); root++) {
      for (int count : COUNTS) {
        for (Op<Object> op : OPS) {
          MemorySegment expected = folded(Datatype.INT32_T, op, count, world.size());
          int[] mine = new int[count];
          MemorySegment.copy(
              contribution(Datatype.INT32_T, count, world.rank()), ValueLayout.JAVA_INT, 0, mine, 0, count);
          int[] result = new int[count];
          boolean atRoot = world.rank() == root;
          world.reduce(Buf.of(mine), atRoot ? Buf.of(result) : null, op, root);
          checkRoot(expected, result, atRoot);
          result = mine.clone();
          world.ireduce(Buf.of(result), op, root).await(); // in place
          checkRoot(expected, result, atRoot);
        }
      }
    }
  }

  private static void checkRoot(MemorySegment expected, int[] actual, boolean atRoot) {
    for (int i = 0; atRoot && i < actual.length; i++) {
      assertEquals(expected.getAtIndex(ValueLayout.JAVA_INT, i), actual[i], "element " + i + " of " + actual.length);
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void bcastFromEveryRoot(Mpi mpi) {
    Comm world = mpi.world();
    for (int root = 0; root < world.size(); root++) {
      for (int length : new int[] {0, 1, 40, 1_000, 20_000, 100_000}) {
        byte[] data = world.rank() == root ? Data.bytes(root, length) : new byte[length];
        world.bcast(Buf.of(data), root);
        Data.check(data, 0, root, length);
        MemorySegment shared = mpi.shared().allocate(Math.max(1, length));
        if (world.rank() == root) {
          Data.fill(shared.asSlice(0, length), root + 1);
        }
        world.ibcast(Buf.of(shared, length, Datatype.BYTE), root).await();
        Data.check(shared, root + 1, length);
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void gatherToEveryRoot(Comm world) {
    for (int root = 0; root < world.size(); root++) {
      for (int count : COUNTS) {
        short[] mine = new short[count];
        for (int i = 0; i < count; i++) {
          mine[i] = (short) (world.rank() * 1_000 + i);
        }
        boolean atRoot = world.rank() == root;
        short[] all = new short[atRoot ? count * world.size() : 0];
        world.gather(Buf.of(mine), atRoot ? Buf.of(all) : null, root);
        checkGathered(all, count, atRoot);
        if (atRoot) {
          Arrays.fill(all, (short) -1);
          System.arraycopy(mine, 0, all, root * count, count);
        }
        world.igather(atRoot ? Buf.of(all) : Buf.of(mine), root).await(); // in place
        checkGathered(all, count, atRoot);
      }
    }
  }

  private static void checkGathered(short[] all, int count, boolean atRoot) {
    for (int i = 0; atRoot && i < all.length; i++) {
      assertEquals((short) (i / count * 1_000 + i % count), all[i], "element " + i);
    }
  }

  /** Nobody leaves a barrier before the last one has come. */
  private final AtomicInteger arrived = new AtomicInteger();

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void barriersHoldEverybody(Comm world) {
    for (int round = 1; round <= 30; round++) {
      arrived.incrementAndGet();
      if (round % 2 == 0) {
        world.barrier();
      } else {
        Request barrier = world.ibarrier();
        while (!barrier.test()) {
          Thread.onSpinWait();
        }
      }
      assertTrue(arrived.get() >= round * world.size(), "round " + round);
    }
  }

  @MpiTest(ranks = {2, 3})
  void anUnfinishedBarrierIsNotComplete(Comm world) {
    if (world.rank() == 0) {
      Request barrier = world.ibarrier();
      for (int i = 0; i < 20; i++) {
        assertFalse(barrier.test());
      }
      for (int dest = 1; dest < world.size(); dest++) {
        world.send(new int[0], dest, 0);
      }
      barrier.await();
    } else {
      world.recv(new int[0], 0, 0);
      world.barrier();
    }
  }

  /** Several at the same time, completed in another order, with messages in between. */
  @MpiTest(ranks = {1, 2, 3, 4})
  void manyAtOnceAmongMessages(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    List<Request> requests = new ArrayList<>();
    long[][] sums = new long[10][500];
    byte[][] pieces = new byte[10][];
    byte[] message = new byte[30_000];
    for (int i = 0; i < sums.length; i++) {
      Arrays.fill(sums[i], world.rank() + i);
      requests.add(world.iallreduce(Buf.of(sums[i]), Op.SUM));
      pieces[i] = world.rank() == i % world.size() ? Data.bytes(i, 3_000) : new byte[3_000];
      requests.add(world.ibcast(Buf.of(pieces[i]), i % world.size()));
      if (i == 4) {
        requests.add(world.irecv(message, previous, 1));
        requests.add(world.isend(Data.bytes(9, 30_000), next, 1));
        requests.add(world.ibarrier());
      }
    }
    for (int i = requests.size() - 1; i >= 0; i -= 2) {
      requests.get(i).await();
    }
    Request.waitAll(requests);
    Data.check(message, 0, 9, 30_000);
    for (int i = 0; i < sums.length; i++) {
      long expected = world.size() * (world.size() - 1L) / 2 + (long) i * world.size();
      for (long sum : sums[i]) {
        assertEquals(expected, sum);
      }
      Data.check(pieces[i], 0, i, 3_000);
    }
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
  }

  private final long seed = Seeds.next();

  /** A random sequence, the same at all ranks, of random lengths. */
  @MpiTest(ranks = {1, 2, 3, 4})
  void randomSequences(Comm world) {
    Seeds.run(seed, () -> {
      RandomGenerator random = Seeds.random(seed);
      for (int step = 0; step < 60; step++) {
        int count = random.nextInt(3) == 0 ? random.nextInt(6_000) : random.nextInt(60);
        int root = random.nextInt(world.size());
        Op<Object> op = OPS.get(random.nextInt(OPS.size()));
        int[] data = new int[count];
        MemorySegment.copy(
            contribution(Datatype.INT32_T, count, world.rank()), ValueLayout.JAVA_INT, 0, data, 0, count);
        MemorySegment expected = folded(Datatype.INT32_T, op, count, world.size());
        switch (random.nextInt(4)) {
          case 0 -> {
            world.allreduce(Buf.of(data), op);
            checkRoot(expected, data, true);
          }
          case 1 -> {
            world.reduce(Buf.of(data), op, root);
            checkRoot(expected, data, world.rank() == root);
          }
          case 2 -> {
            world.bcast(Buf.of(data), root);
            checkRoot(contribution(Datatype.INT32_T, count, root), data, true);
          }
          default -> world.barrier();
        }
      }
    });
  }
}
