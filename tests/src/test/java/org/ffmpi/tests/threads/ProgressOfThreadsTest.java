// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.threads;

import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.DisplayName;

/** A thread in a call moves the operations of all threads of its rank (MPI-4.1 §3.5, §11.6.1). */
class ProgressOfThreadsTest {
  private static final int[] LENGTHS = {1, 1_000, 3_000};

  private static int next(IntraComm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(IntraComm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  private static long[] filled(int length, long value) {
    long[] data = new long[length];
    Arrays.fill(data, value);
    return data;
  }

  private static void assertSum(IntraComm world, long[] data) {
    long expected = world.size() * (world.size() - 1L) / 2;
    for (long value : data) {
      assertEquals(expected, value);
    }
  }

  @EveryTransport
  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-12.4: a thread that polls a collective needs no thread that waits in a receive")
  void pollingBesideAThreadThatWaits(IntraComm world) throws Throwable {
    try (IntraComm own = world.dup()) {
      for (int round = 0; round < 2; round++) {
        int tag = round;
        Threads.run(Thread.ofPlatform().daemon(), 2, thread -> {
          if (thread == 0) {
            int[] got = new int[1];
            world.recv(got, previous(world), tag);
            assertEquals(previous(world), got[0]);
          } else {
            for (int length : LENGTHS) {
              long[] data = filled(length, own.rank());
              Request request = own.iallreduce(Buf.of(data), Op.SUM);
              while (!request.test()) {
                Thread.onSpinWait();
              }
              assertSum(own, data);
            }
            world.send(new int[] {world.rank()}, next(world), tag);
          }
        });
      }
    }
  }

  /** Rank 0 completes its part and then sends what the waiting threads of the others wait for. */
  @EveryTransport
  @MpiTest(ranks = {2, 3, 4})
  @DisplayName("S1-12.4: a thread that waits in a receive moves the collective of a thread that is in no call")
  void theThreadThatWaitsMovesAll(IntraComm world) throws Throwable {
    try (IntraComm own = world.dup()) {
      for (int length : LENGTHS) {
        if (world.rank() == 0) {
          long[] data = filled(length, 0);
          own.iallreduce(Buf.of(data), Op.SUM).await();
          assertSum(own, data);
          for (int r = 1; r < world.size(); r++) {
            world.send(new int[1], r, 98);
          }
        } else {
          CountDownLatch started = new CountDownLatch(1);
          CountDownLatch received = new CountDownLatch(1);
          Threads.run(Thread.ofPlatform().daemon(), 2, thread -> {
            if (thread == 0) {
              started.await();
              world.recv(new int[1], 0, 98);
              received.countDown();
            } else {
              long[] data = filled(length, own.rank());
              Request request = own.iallreduce(Buf.of(data), Op.SUM);
              started.countDown();
              received.await();
              request.await();
              assertSum(own, data);
            }
          });
        }
        world.barrier();
      }
    }
  }

  /** Each thread's confined memory is read and written while the other thread of the rank polls too. */
  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-12.4: memory confined to one thread is sent, received and reduced while another thread polls")
  void confinedMemoryWhileOthersPoll(IntraComm world) throws Throwable {
    int n = 20_000;
    try (IntraComm first = world.dup(); IntraComm second = world.dup()) {
      Threads.run(Thread.ofPlatform().daemon(), 2, thread -> {
        IntraComm comm = thread == 0 ? first : second;
        for (int round = 0; round < 3; round++) {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(8L * n, 8);
            MemorySegment in = arena.allocate(8L * n, 8);
            for (int i = 0; i < n; i++) {
              out.setAtIndex(ValueLayout.JAVA_LONG, i, 1_000L * comm.rank() + i + thread);
            }
            Request receive = comm.irecv(Buf.of(in, n, Datatype.INT64_T), previous(comm), 1);
            Request send = comm.isend(Buf.of(out, n, Datatype.INT64_T), next(comm), 1);
            if (round == 0) {
              while (!Request.testAll(List.of(receive, send))) {
                Thread.onSpinWait();
              }
            } else {
              Request.waitAll(List.of(receive, send));
            }
            for (int i = 0; i < n; i += 999) {
              assertEquals(
                  1_000L * previous(comm) + i + thread, in.getAtIndex(ValueLayout.JAVA_LONG, i), "element " + i);
            }
            Request sum = comm.iallreduce(Buf.of(out, n, Datatype.INT64_T), Buf.of(in, n, Datatype.INT64_T), Op.SUM);
            while (!sum.test()) {
              Thread.onSpinWait();
            }
            long ranks = 1_000L * comm.size() * (comm.size() - 1) / 2;
            for (int i = 0; i < n; i += 999) {
              assertEquals(
                  ranks + (long) comm.size() * (i + thread), in.getAtIndex(ValueLayout.JAVA_LONG, i), "sum " + i);
            }
          }
        }
      });
    }
  }

  /** The owner of the memory waits in a receive for what the other thread sends when the requests are over. */
  @EveryTransport
  @MpiTest(ranks = {2, 3}, timeout = 90)
  @DisplayName("S1-12.4: requests with confined memory are completed by another thread than the memory's own")
  void completedByAnotherThread(IntraComm world) throws Throwable {
    int n = 100_000;
    try (IntraComm own = world.dup(); IntraComm reduced = world.dup()) {
      LinkedBlockingQueue<Request> handed = new LinkedBlockingQueue<>();
      Threads.run(Thread.ofPlatform().daemon(), 2, thread -> {
        if (thread == 0) {
          try (Arena arena = Arena.ofConfined()) {
            Buf<Byte> in = Buf.of(arena.allocate(n), n, Datatype.BYTE);
            MemorySegment sent = arena.allocate(n);
            sent.fill((byte) world.rank());
            MemorySegment sum = arena.allocate(8L * LENGTHS[2], 8);
            handed.add(world.irecv(in, previous(world), 1));
            handed.add(world.isend(Buf.of(sent, n, Datatype.BYTE), next(world), 1));
            handed.add(reduced.iallreduce(Buf.of(sum, LENGTHS[2], Datatype.INT64_T), Op.SUM));
            own.recv(new int[0], own.rank(), 5);
          }
        } else {
          for (int i = 0; i < 3; i++) {
            Status status = handed.take().await(new Status());
            if (i == 0) {
              assertEquals(n, status.bytes());
            }
          }
          own.send(new int[0], own.rank(), 5);
        }
      });
    }
  }

  @MpiTest(
      ranks = 2, processes = true, timeout = 180,
      jvmOptions = {"-Djdk.virtualThreadScheduler.parallelism=2", "-Djdk.virtualThreadScheduler.maxPoolSize=2"})
  @DisplayName("S1-12.4: a thousand virtual threads wait on two carriers while one more polls a collective")
  void virtualThreadsOnTwoCarriers(IntraComm world) throws Throwable {
    int threads = 1_000;
    try (IntraComm own = world.dup()) {
      Threads.run(Thread.ofVirtual(), threads + 1, thread -> {
        if (thread < threads) {
          int[] got = new int[1];
          Status status = world.recv(got, previous(world), thread, new Status());
          assertEquals(thread, got[0]);
          assertEquals(thread, status.tag());
        } else {
          for (int length : LENGTHS) {
            long[] data = filled(length, own.rank());
            Request request = own.iallreduce(Buf.of(data), Op.SUM);
            while (!request.test()) {
              LockSupport.parkNanos(10_000);
            }
            assertSum(own, data);
          }
          for (int t = threads - 1; t >= 0; t--) {
            world.send(new int[] {t}, next(world), t);
          }
        }
      });
      assertEquals(false, world.iprobe(previous(world), ANY_TAG).isPresent());
      world.barrier();
    }
  }
}
