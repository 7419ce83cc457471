// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.threads;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.function.Executable;

/** Several threads of a rank call MPI at the same time (MPI-4.1 §11.6). */
@EveryTransport
class ThreadsTest {
  private static final int THREADS = 4;

  private static void onThreads(Thread.Builder builder, Threads.Part part) throws Throwable {
    Threads.run(builder, THREADS, part);
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  void fourThreadsPerRankPassMessages(Comm world) throws Throwable {
    onThreads(Thread.ofPlatform().daemon(), thread -> passRound(world, thread));
  }

  @MpiTest(ranks = {1, 2, 3})
  void virtualThreadsPassMessages(Comm world) throws Throwable {
    onThreads(Thread.ofVirtual(), thread -> passRound(world, thread));
  }

  private static void passRound(Comm world, int thread) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    int[] lengths = {8, 0, 200, 41, 3_000, 30_000};
    Status status = new Status();
    for (int round = 0; round < 60; round++) {
      int length = lengths[round % lengths.length];
      byte[] in = new byte[length];
      if (round % 3 == 0) {
        Request send = world.isend(Data.bytes(thread, length), next, thread);
        world.recv(in, previous, thread, status);
        send.await();
      } else if (round % 3 == 1) {
        world.sendrecv(
            Buf.of(Data.bytes(thread, length)), next, thread, Buf.of(in), previous, thread, status);
      } else {
        Request receive = world.irecv(in, ANY_SOURCE, thread);
        world.send(Data.bytes(thread, length), next, thread);
        receive.await(status);
      }
      assertEquals(length, status.bytes());
      assertEquals(previous, status.source());
      assertEquals(thread, status.tag());
      Data.check(in, 0, thread, length);
    }
  }

  /** All threads receive with the same pattern: every message is received exactly once. */
  @MpiTest(ranks = {2, 3})
  void threadsCompeteForMessages(Comm world) throws Throwable {
    int perThread = 500;
    if (world.rank() == 0) {
      int total = perThread * THREADS * (world.size() - 1);
      AtomicInteger left = new AtomicInteger(total);
      AtomicLong sum = new AtomicLong();
      onThreads(Thread.ofPlatform().daemon(), thread -> {
        long[] data = new long[16];
        while (left.getAndDecrement() > 0) {
          world.recv(data, ANY_SOURCE, 1);
          sum.addAndGet(data[0]);
        }
      });
      long each = (long) perThread * (perThread - 1) / 2 * THREADS;
      assertEquals(each * (world.size() - 1), sum.get());
      assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    } else {
      onThreads(Thread.ofPlatform().daemon(), thread -> {
        for (int i = 0; i < perThread; i++) {
          long[] data = new long[i % 16 + 1];
          data[0] = i;
          world.send(data, 0, 1);
        }
      });
    }
  }

  /** Each thread sees the order of its own messages. */
  @MpiTest(ranks = 2)
  void orderWithinAThread(Comm world) throws Throwable {
    int messages = 500;
    onThreads(Thread.ofPlatform().daemon(), thread -> {
      if (world.rank() == 0) {
        List<Request> sends = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
          int[] data = new int[i % 5 == 0 ? 100 : 1];
          data[0] = i;
          sends.add(world.isend(data, 1, thread));
        }
        Request.waitAll(sends);
      } else {
        int[] data = new int[100];
        for (int i = 0; i < messages; i++) {
          world.recv(data, 0, thread);
          assertEquals(i, data[0]);
        }
      }
    });
  }

  /** One thread sleeps in a receive while others of its rank work; whoever is awake serves it. */
  @MpiTest(ranks = {2, 3})
  void aThreadThatWaitsDoesNotStopTheOthers(Comm world) throws Throwable {
    int other = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    onThreads(Thread.ofPlatform().daemon(), thread -> {
      if (thread == 0) {
        long[] last = new long[1];
        world.recv(last, previous, 100);
        assertEquals(17, last[0]);
      } else {
        byte[] data = new byte[5_000];
        for (int i = 0; i < 50; i++) {
          Request send = world.isend(Data.bytes(i, 5_000), other, thread);
          world.recv(data, previous, thread);
          Data.check(data, 0, i, 5_000);
          send.await();
        }
        if (thread == 1) {
          world.send(new long[] {17}, other, 100);
        }
      }
    });
  }

  /** A request may be completed by another thread than the one that started it. */
  @MpiTest(ranks = {1, 2})
  void requestsChangeHands(Comm world) throws Throwable {
    int other = (world.rank() + 1) % world.size();
    byte[] data = new byte[40_000];
    Request receive = world.irecv(data, other, 1);
    Request send = world.isend(Data.bytes(3, 40_000), other, 1);
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    Thread helper = Thread.ofPlatform().daemon().start(() -> {
      try {
        assertEquals(40_000, receive.await(new Status()).bytes());
      } catch (Throwable e) {
        failures.add(e);
      }
    });
    send.await();
    helper.join();
    if (!failures.isEmpty()) {
      throw failures.peek();
    }
    Data.check(data, 0, 3, 40_000);
  }

  /** A confined buffer is filled by its own thread, whoever takes the message out of the ring. */
  @MpiTest(ranks = {1, 2, 3})
  void confinedBuffersWhileAnotherThreadPolls(Comm world) throws Throwable {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    Thread poller = Thread.ofPlatform().daemon().start(() -> {
      try {
        world.recv(new int[1], world.rank(), 999); // polls until the end
      } catch (RuntimeException e) {
        // the test has failed elsewhere
      }
    });
    try (Arena arena = Arena.ofConfined()) {
      for (int length : new int[] {8, 30, 100, 1_000, 10_000, 80_000}) {
        MemorySegment in = arena.allocate(length);
        MemorySegment out = arena.allocate(length);
        Data.fill(out, length);
        for (int i = 0; i < 5; i++) {
          in.fill((byte) 0);
          Request receive = world.irecv(Buf.of(in, length, Datatype.BYTE), previous, 1);
          Request send = world.isend(Buf.of(out, length, Datatype.BYTE), next, 1);
          receive.await();
          send.await();
          Data.check(in, length, length);
        }
      }
    }
    world.send(new int[1], world.rank(), 999);
    poller.join();
  }

  @MpiTest(ranks = 2)
  void confinedBuffersOfOthersAreRefused(Comm world) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      Buf<Byte> mine = Buf.of(arena.allocate(100), 100, Datatype.BYTE);
      AtomicInteger checks = new AtomicInteger();
      Executable[] calls = {
        () -> world.send(mine, 1 - world.rank(), 0),
        () -> world.recv(mine, 1 - world.rank(), 0),
        () -> world.isend(mine, 1 - world.rank(), 0),
        () -> world.irecv(mine, 1 - world.rank(), 0)
      };
      onThreads(Thread.ofPlatform().daemon(), thread -> {
        assertError(ErrorClass.ERR_BUFFER, calls[thread], "confined");
        checks.incrementAndGet();
      });
      assertEquals(calls.length, checks.get());
    }
    assertTrue(world.iprobe(1 - world.rank(), ANY_TAG).isEmpty());
    world.barrier();
  }

  @MpiTest(ranks = 1)
  void theLevelIsMultiple(Mpi mpi) throws Throwable {
    assertEquals(ThreadLevel.MULTIPLE, mpi.threadLevel());
    assertTrue(mpi.isThreadMain());
    onThreads(Thread.ofPlatform().daemon(), thread -> assertFalse(mpi.isThreadMain()));
  }
}
