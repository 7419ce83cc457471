// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.partitioned;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Info;
import org.ffmpi.Mpi;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** The rules of chapter 4 of MPI-4.1 for partitioned communication, one by one. */
@EveryTransport
class PartitionedTest {
  private static int next(Comm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(Comm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  private static int[] numbers(int from, int length) {
    int[] numbers = new int[length];
    Arrays.setAll(numbers, i -> from + i);
    return numbers;
  }

  private static void awaitArrival(PartitionedRecv in, int partition) {
    while (!in.parrived(partition)) {
      Thread.yield();
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.1: hints may be given, and have no effect")
  void withHints(Comm world) {
    int[] sent = numbers(0, 6);
    int[] received = new int[6];
    try (PartitionedSend out = world.psendInit(Buf.of(sent), 3, next(world), 3, new Info().set("any", "hint"));
        PartitionedRecv in = world.precvInit(Buf.of(received), 2, previous(world), 3, null)) {
      Persistent.startAll(List.of(in, out));
      out.preadyRange(0, 2);
      out.await();
      in.await();
      assertArrayEquals(sent, received);
    }
    Info freed = new Info();
    freed.close();
    assertError(ErrorClass.ERR_INFO, () -> world.psendInit(Buf.of(sent), 3, next(world), 3, freed), "freed");
    assertError(ErrorClass.ERR_INFO, () -> world.precvInit(Buf.of(sent), 3, next(world), 3, freed), "freed");
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("§4.1: the same number of partitions at both ends, started again and again")
  void manyRounds(Comm world) {
    int[] sent = new int[40];
    int[] received = new int[40];
    try (PartitionedSend out = world.psendInit(Buf.of(sent), 8, next(world), 3);
        PartitionedRecv in = world.precvInit(Buf.of(received), 8, previous(world), 3)) {
      for (int round = 0; round < 200; round++) {
        Persistent.startAll(List.of(in, out));
        for (int p = 7; p >= 0; p--) {
          for (int i = 5 * p; i < 5 * p + 5; i++) {
            sent[i] = 1_000_000 * world.rank() + 1_000 * round + i;
          }
          out.pready(p);
        }
        Request.waitAll(new ArrayList<>(List.of(in, out)));
        assertArrayEquals(numbers(1_000_000 * previous(world) + 1_000 * round, 40), received);
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.1: partitions go when they are marked, one by one, in ranges and in lists")
  void partitionsArriveWhenTheyAreMarked(Comm world) {
    int peer = world.size() - 1 - world.rank();
    int length = 12 * 600;
    int[] sent = numbers(world.rank(), length);
    int[] received = new int[length];
    try (PartitionedSend out = world.psendInit(Buf.of(sent), 12, peer, 0);
        PartitionedRecv in = world.precvInit(Buf.of(received), 6, peer, 0)) {
      assertTrue(in.parrived(5), "inactive");
      for (int round = 0; round < 3; round++) {
        in.start();
        out.start();
        assertFalse(in.parrived(0));
        out.preadyRange(4, 6);
        awaitArrival(in, 2);
        assertTrue(in.parrived(2), "again");
        assertFalse(in.parrived(3), "half of it");
        assertEquals(peer + 4 * 600, received[4 * 600]);
        assertEquals(peer + 6 * 600 - 1, received[6 * 600 - 1]);
        exchangeToken(world, peer); // nobody marks more before both have looked
        out.preadyList(11, 10, 0, 1);
        awaitArrival(in, 0);
        awaitArrival(in, 5);
        assertFalse(in.parrived(3));
        assertFalse(in.parrived(1));
        assertFalse(in.test());
        assertFalse(out.test());
        exchangeToken(world, peer);
        out.preadyList();
        out.pready(7);
        awaitArrival(in, 3);
        out.preadyList(2, 3, 9, 8);
        out.await();
        in.await();
        for (int p = 0; p < 6; p++) {
          assertTrue(in.parrived(p), "completed");
        }
        assertArrayEquals(numbers(peer, length), received);
        Arrays.fill(received, -1);
        exchangeToken(world, peer);
      }
    }
  }

  private static void exchangeToken(Comm world, int peer) {
    world.sendrecv(Buf.of(new byte[1]), peer, 1, Buf.of(new byte[1]), peer, 1);
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("§4.2.3: other numbers of partitions at the other end, boundaries inside each other's partitions")
  void otherNumbersOfPartitions(Comm world) {
    int[][] pairs = {{1, 1}, {1, 12}, {12, 1}, {4, 6}, {6, 4}, {3, 4}, {12, 12}, {24, 8}, {8, 24}};
    for (int elements : new int[] {24, 1_200}) {
      for (int[] pair : pairs) {
        double[] sent = new double[elements];
        double[] received = new double[elements];
        try (PartitionedSend out = world.psendInit(Buf.of(sent), pair[0], next(world), pair[0]);
            PartitionedRecv in = world.precvInit(Buf.of(received), pair[1], previous(world), pair[0])) {
          for (int round = 0; round < 3; round++) {
            in.start();
            out.start();
            int r = round;
            Arrays.setAll(sent, i -> 10_000 * r + i + world.rank());
            out.preadyRange(0, pair[0] - 1);
            for (int p = 0; p < pair[1]; p++) {
              awaitArrival(in, p);
              int last = elements / pair[1] * (p + 1) - 1;
              assertEquals(10_000 * round + last + previous(world), received[last]);
            }
            Status status = in.await(new Status());
            assertEquals(previous(world), status.source());
            assertEquals(pair[0], status.tag());
            assertEquals(elements, status.getCount(Datatype.DOUBLE));
            assertFalse(status.isCancelled());
            Status sentStatus = out.await(new Status());
            assertEquals(ANY_SOURCE, sentStatus.source());
            assertEquals(0, sentStatus.bytes());
          }
        }
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.3: elements with gaps, cut by the sender inside the receiver's elements")
  void otherTypesAtTheOtherEnd(Mpi mpi) {
    Comm world = mpi.world();
    int peer = world.size() - 1 - world.rank();
    // 12 blocks of 2 of 3 ints at the receiver, 24 ints at the sender in 8 partitions of 3: each is cut.
    try (Datatype<?> blocks = Datatype.vector(4, 2, 3, Datatype.INT).resized(0, 48).commit()) {
      int[] sent = numbers(world.rank(), 24);
      for (MemorySegment target : List.of(
          MemorySegment.ofArray(new int[36]), Arena.ofAuto().allocate(144), mpi.shared().allocate(144, 8))) {
        try (PartitionedSend out = world.psendInit(Buf.of(sent), 8, peer, 0);
            PartitionedRecv in = world.precvInit(Buf.of(target, 3, blocks), 3, peer, 0)) {
          for (int round = 0; round < 3; round++) {
            target.fill((byte) -1);
            in.start();
            out.start();
            out.preadyRange(5, 7); // ints 15 to 23: the third element and an eighth of the second
            awaitArrival(in, 2);
            assertFalse(in.parrived(1));
            world.barrier(); // nobody marks more before all have looked
            out.preadyList(4, 0, 3, 2, 1);
            in.await();
            out.await();
            for (int i = 0, k = 0; i < 36; i++) {
              int expected = i % 3 == 2 ? -1 : peer + k++;
              assertEquals(expected, target.getAtIndex(ValueLayout.JAVA_INT, i), "int " + i);
            }
          }
        }
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.1: inits of one communicator, pair and tag match in their order, whatever the order of starts")
  void initsMatchInOrder(Comm world) {
    int peer = world.size() - 1 - world.rank();
    int count = 6;
    List<PartitionedSend> outs = new ArrayList<>();
    List<PartitionedRecv> ins = new ArrayList<>();
    List<int[]> received = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      outs.add(world.psendInit(Buf.of(numbers(1_000 * k, 12 * (k + 1))), k + 1, peer, 5));
    }
    for (int k = 0; k < count; k++) {
      received.add(new int[12 * (k + 1)]);
      ins.add(world.precvInit(Buf.of(received.get(k)), 4, peer, 5));
    }
    ins.get(2).close(); // never started, at both ends: the others match as before
    outs.get(2).close();
    for (int round = 0; round < 3; round++) {
      for (int k = count - 1; k >= 0; k--) {
        if (k != 2) {
          outs.get(k).start();
          outs.get(k).preadyRange(0, k);
        }
      }
      for (int k : new int[] {1, 5, 0, 4, 3}) {
        ins.get(k).start();
        Status status = ins.get(k).await(new Status());
        assertEquals(12 * (k + 1), status.getCount(Datatype.INT));
        assertArrayEquals(numbers(1_000 * k, 12 * (k + 1)), received.get(k));
        Arrays.fill(received.get(k), 0);
      }
      for (int k : new int[] {0, 1, 3, 4, 5}) {
        outs.get(k).await();
      }
    }
    ins.forEach(PartitionedRecv::close);
    outs.forEach(PartitionedSend::close);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.1: partitioned messages match nothing but partitioned receives")
  void othersDoNotMatch(Comm world) {
    int peer = world.size() - 1 - world.rank();
    int[] received = new int[4];
    try (PartitionedSend out = world.psendInit(Buf.of(numbers(0, 4)), 4, peer, 0);
        PartitionedRecv in = world.precvInit(Buf.of(received), 2, peer, 0)) {
      out.start();
      out.preadyRange(0, 3);
      world.barrier();
      assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
      Request other = world.irecv(new int[4], ANY_SOURCE, ANY_TAG);
      in.start();
      in.await();
      out.await();
      assertFalse(other.test());
      world.barrier();
      world.send(new int[] {7}, peer, 0);
      assertEquals(1, other.await(new Status()).getCount(Datatype.INT));
      assertArrayEquals(numbers(0, 4), received);
    }
  }

  @MpiTest(ranks = 2)
  @DisplayName("§3.5: a started receive is served while its rank is busy with other calls of MPI")
  void progressWithoutWaiting(Comm world) {
    int[] data = new int[20_000];
    if (world.rank() == 0) {
      world.recv(new int[1], 1, 9); // the receive has been started, before anything was known of this send
      Arrays.setAll(data, i -> i);
      try (PartitionedSend out = world.psendInit(Buf.of(data), 4, 1, 0)) {
        for (int round = 0; round < 2; round++) {
          out.start();
          out.preadyRange(0, 3);
          out.await(); // the receiver waits for the next message only
          world.send(new int[1], 1, 9);
        }
      }
    } else {
      try (PartitionedRecv in = world.precvInit(Buf.of(data), 10, 0, 0)) {
        in.start();
        world.send(new int[1], 0, 9);
        for (int round = 0; round < 2; round++) {
          world.recv(new int[1], 0, 9);
          in.await();
          assertArrayEquals(numbers(0, data.length), data);
          Arrays.fill(data, 0);
          if (round == 0) {
            in.start();
          }
        }
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.2: a thread waits for a send while others still mark partitions")
  void waitsForOtherThreads(Comm world) throws Exception {
    int peer = world.size() - 1 - world.rank();
    int[] received = new int[30];
    try (PartitionedSend out = world.psendInit(Buf.of(numbers(0, 30)), 3, peer, 0);
        PartitionedRecv in = world.precvInit(Buf.of(received), 3, peer, 0)) {
      for (int round = 0; round < 4; round++) {
        out.start();
        in.start();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread marks = Thread.ofPlatform().daemon().start(() -> {
          try {
            for (int p = 0; p < 3; p++) {
              Thread.sleep(20); // long enough for the waiting thread to sleep
              out.pready(p);
            }
          } catch (Throwable e) {
            failure.set(e);
          }
        });
        if (round % 2 == 0) {
          out.await();
        } else {
          assertEquals(0, Request.waitAny(Arrays.asList(out, null)));
        }
        marks.join();
        assertEquals(null, failure.get());
        in.await();
        assertArrayEquals(numbers(0, 30), received);
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§3.10: PROC_NULL at either side")
  void nobody(Comm world) {
    int[] received = {5, 5};
    try (PartitionedSend out = world.psendInit(Buf.of(new int[2]), 2, PROC_NULL, 0);
        PartitionedRecv in = world.precvInit(Buf.of(received), 2, PROC_NULL, 0)) {
      for (int round = 0; round < 3; round++) {
        out.start();
        in.start();
        assertTrue(in.parrived(1));
        Status status = in.await(new Status());
        assertEquals(PROC_NULL, status.source());
        assertEquals(ANY_TAG, status.tag());
        assertEquals(0, status.bytes());
        out.pready(1);
        assertFalse(out.test(), "a partition is not marked");
        out.pready(0);
        assertTrue(out.test());
      }
    }
    assertArrayEquals(new int[] {5, 5}, received);
    world.barrier();
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.1: no elements, no partitions, elements without data")
  void nothing(Comm world) {
    int peer = world.size() - 1 - world.rank();
    try (Datatype<?> empty = Datatype.contiguous(0, Datatype.INT).commit()) {
      List<Buf<?>> bufs = List.of(Buf.of(new int[0]), Buf.of(new int[3], 6, empty), Buf.of(new int[0]));
      int[] partitions = {4, 6, 0};
      for (int s = 0; s < 3; s++) {
        for (int r = 0; r < 3; r++) {
          try (PartitionedSend out = world.psendInit(bufs.get(s), partitions[s], peer, 0);
              PartitionedRecv in = world.precvInit(bufs.get(r), partitions[r], peer, 0)) {
            for (int round = 0; round < 3; round++) {
              in.start();
              out.start();
              for (int p = 0; p < partitions[s]; p++) {
                assertFalse(out.test());
                out.pready(p);
              }
              out.await();
              for (int p = 0; p < partitions[r]; p++) {
                awaitArrival(in, p);
              }
              Status status = in.await(new Status());
              assertEquals(0, status.bytes());
              assertEquals(peer, status.source());
            }
          }
        }
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.1: a sender may have less than the receiver has room for, and the status tells")
  void lessThanFits(Comm world) {
    int peer = world.size() - 1 - world.rank();
    int[] received = new int[20];
    try (PartitionedSend out = world.psendInit(Buf.of(numbers(0, 9)), 3, peer, 0);
        PartitionedRecv in = world.precvInit(Buf.of(received), 5, peer, 0)) {
      for (int round = 0; round < 3; round++) {
        Arrays.fill(received, -1);
        in.start();
        out.start();
        out.preadyList(0, 1);
        awaitArrival(in, 0);
        assertFalse(in.parrived(2), "its first element has not come");
        assertFalse(in.parrived(4), "nothing comes, but not all has come");
        world.barrier();
        out.pready(2);
        awaitArrival(in, 4);
        assertEquals(9, in.await(new Status()).getCount(Datatype.INT));
        out.await();
        int[] expected = Arrays.copyOf(numbers(0, 9), 20);
        Arrays.fill(expected, 9, 20, -1);
        assertArrayEquals(expected, received);
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§3.7.6: get_status completes nothing, and inactive requests have an empty status")
  void statuses(Comm world) {
    int peer = world.size() - 1 - world.rank();
    try (PartitionedSend out = world.psendInit(Buf.of(new int[6]), 3, peer, 0);
        PartitionedRecv in = world.precvInit(Buf.of(new int[6]), 2, peer, 0)) {
      assertFalse(in.isActive());
      assertEquals(ANY_SOURCE, in.await(new Status()).source());
      in.start();
      assertTrue(in.isActive());
      assertTrue(in.getStatus().isEmpty());
      out.start();
      assertTrue(out.getStatus().isEmpty());
      world.barrier();
      out.preadyRange(0, 2);
      while (in.getStatus().isEmpty() || out.getStatus().isEmpty()) {
        Thread.yield();
      }
      assertEquals(24, in.getStatus().orElseThrow().bytes());
      assertTrue(in.isActive());
      assertTrue(in.test());
      assertTrue(out.test());
      assertFalse(in.isActive());
      assertEquals(0, in.await(new Status()).bytes());
      assertNotNull(in.toString());
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§3.7.5: lists of partitioned and other requests; a type freed after init")
  void listsAndFreedTypes(Comm world) {
    int peer = world.size() - 1 - world.rank();
    int[] received = new int[12];
    int[] plain = new int[1];
    Datatype<?> pairs = Datatype.contiguous(2, Datatype.INT).commit();
    try (PartitionedSend out = world.psendInit(Buf.of(numbers(3, 12), 6, pairs), 3, peer, 0);
        PartitionedRecv in = world.precvInit(Buf.of(received, 6, pairs), 2, peer, 0)) {
      pairs.close();
      for (int round = 0; round < 3; round++) {
        Persistent.startAll(List.of(out, in));
        List<Request> all = new ArrayList<>(List.of(world.irecv(plain, peer, 1), in, out));
        out.preadyRange(0, 2);
        world.send(new int[] {round}, peer, 1);
        Status[] statuses = new Status[3];
        switch (round) {
          case 0 -> Request.waitAll(all, statuses);
          case 1 -> {
            while (!Request.testAll(all, statuses)) {
              Thread.yield();
            }
          }
          default -> {
            for (int done = 0; done < 3; done++) {
              Status status = new Status();
              statuses[Request.waitAny(all, status)] = status;
            }
          }
        }
        assertEquals(null, all.get(0));
        assertEquals(in, all.get(1), "persistent requests stay");
        assertEquals(48, statuses[1].bytes());
        assertEquals(round, plain[0]);
        assertArrayEquals(numbers(3, 12), received);
        Arrays.fill(received, 0);
      }
    }
  }
}
