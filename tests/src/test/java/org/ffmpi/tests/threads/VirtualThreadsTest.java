// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.threads;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.DisplayName;

/**
 * Thousands of virtual threads call MPI in one communicator. Whatever blocks has to give its carrier away: there are
 * far fewer carriers than threads that wait here, and the messages they wait for come from other virtual threads.
 */
class VirtualThreadsTest {
  private static final int THREADS = 2_000;

  private static Thread.Builder virtual() {
    return Thread.ofVirtual();
  }

  private static int next(Comm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(Comm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  /** All receives wait before the first send starts. */
  @EveryTransport
  @MpiTest(ranks = {1, 2}, timeout = 180)
  @DisplayName("S1-12.4: two thousand virtual threads wait in receives, then others send")
  void receiversFirst(Comm world) throws Throwable {
    AtomicInteger begun = new AtomicInteger();
    Threads.run(virtual(), 2 * THREADS, thread -> {
      if (thread < THREADS) {
        int[] data = new int[1];
        begun.incrementAndGet();
        world.recv(data, previous(world), thread);
        assertEquals(thread, data[0]);
      } else {
        while (begun.get() < THREADS) {
          Thread.sleep(1);
        }
        int number = thread - THREADS;
        world.send(new int[] {number}, next(world), number);
      }
    });
  }

  /** Each call that blocks, in threads that only others can release. */
  @EveryTransport
  @MpiTest(ranks = 2, timeout = 180)
  @DisplayName("S1-12.4: every kind of blocking call in virtual threads")
  void everyKindOfCall(Comm world) throws Throwable {
    int peer = 1 - world.rank();
    boolean first = world.rank() == 0;
    Threads.run(virtual(), THREADS / 4, thread -> {
      int length = thread % 50 == 0 ? 40_000 : thread % 5 == 0 ? 1_000 : 8;
      byte[] out = Data.bytes(thread, length);
      byte[] in = new byte[length];
      switch (thread % 5) {
        case 0 -> {
          if (first) {
            world.ssend(Buf.of(out), peer, thread);
            world.recv(in, peer, thread);
          } else {
            world.recv(in, peer, thread);
            world.ssend(Buf.of(out), peer, thread);
          }
        }
        case 1 -> world.sendrecv(Buf.of(out), peer, thread, Buf.of(in), peer, thread);
        case 2 -> {
          Request send = world.isend(out, peer, thread);
          assertEquals(length, world.probe(peer, thread).bytes());
          world.recv(in, peer, thread);
          send.await();
        }
        case 3 -> Request.waitAll(List.of(world.irecv(in, peer, thread), world.issend(Buf.of(out), peer, thread)));
        default -> {
          Request receive = world.irecv(in, ANY_SOURCE, thread);
          Request send = world.isend(out, peer, thread);
          while (!receive.test()) {
            LockSupport.parkNanos(10_000); // virtual threads that only yield keep those that sleep from their carriers
          }
          send.await();
        }
      }
      Data.check(in, 0, thread, length);
    });
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    world.barrier();
  }

  /** Threads that receive by the same pattern: each message goes to exactly one of them. */
  @MpiTest(ranks = {2, 3}, timeout = 180)
  @DisplayName("S1-2.8-a S1-12.4: a thousand virtual threads compete for messages")
  void competing(Comm world) throws Throwable {
    int threads = 1_000;
    AtomicLong sum = new AtomicLong();
    Threads.run(virtual(), world.rank() == 0 ? threads * (world.size() - 1) : threads, thread -> {
      if (world.rank() == 0) {
        long[] data = new long[4];
        Status status = world.recv(data, ANY_SOURCE, 7, new Status());
        assertEquals(8L * (data[0] % 4 + 1), status.bytes());
        sum.addAndGet(data[0]);
      } else {
        long[] data = new long[thread % 4 + 1];
        data[0] = thread;
        world.send(data, 0, 7);
      }
    });
    if (world.rank() == 0) {
      assertEquals((world.size() - 1) * (threads * (threads - 1L) / 2), sum.get());
      assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    }
  }

  /** Virtual and platform threads wait at the same time; whichever polls serves both kinds. */
  @EveryTransport
  @MpiTest(ranks = 2, timeout = 180)
  void besidePlatformThreads(Comm world) throws Throwable {
    int peer = 1 - world.rank();
    Thread main = Thread.currentThread();
    AtomicInteger platform = new AtomicInteger();
    Threads.run(Thread.ofPlatform().daemon(), 3, group -> {
      if (group == 0) {
        Threads.run(virtual(), 300, thread -> exchange(world, peer, thread));
      } else {
        platform.incrementAndGet();
        for (int i = 0; i < 50; i++) {
          exchange(world, peer, 1_000 * group + i);
        }
      }
    });
    assertEquals(2, platform.get());
    assertEquals(main, Thread.currentThread());
  }

  private static void exchange(Comm world, int peer, int tag) {
    int length = tag % 7 == 0 ? 20_000 : 16;
    byte[] in = new byte[length];
    world.sendrecv(Buf.of(Data.bytes(tag, length)), peer, tag, Buf.of(in), peer, tag);
    Data.check(in, 0, tag, length);
  }

  /** An interrupt neither ends a virtual thread's wait nor gets lost, and no message is lost by it. */
  @EveryTransport
  @MpiTest(ranks = 2, timeout = 180)
  @DisplayName("S1-2.9.2-b: virtual threads that are interrupted lose no message and keep their status")
  void interrupted(Comm world) throws Throwable {
    int peer = 1 - world.rank();
    int threads = 200;
    Thread[] all = new Thread[threads];
    Semaphore done = new Semaphore(0);
    Thread nuisance = Thread.ofPlatform().daemon().start(() -> {
      while (!done.tryAcquire(threads)) {
        for (Thread thread : all) {
          if (thread != null) {
            thread.interrupt();
          }
        }
        LockSupport.parkNanos(200_000);
      }
    });
    Threads.run(virtual(), threads, thread -> {
      all[thread] = Thread.currentThread();
      for (int i = 0; i < 20; i++) {
        exchange(world, peer, thread);
      }
      Thread.interrupted();
      Thread.currentThread().interrupt();
      exchange(world, peer, thread);
      assertTrue(Thread.interrupted(), "the status is kept");
      all[thread] = null;
      done.release();
    });
    nuisance.join();
    world.barrier();
  }

  /** Finalize waits for what virtual threads have started. */
  @MpiTest(ranks = 2)
  void startedByVirtualThreadsAndLeft(Mpi mpi) throws Throwable {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      Threads.run(virtual(), 200, thread -> {
        Request send = world.isend(Data.bytes(thread, 5_000 + 100 * thread), 1, thread);
        assertTrue(send.isActive());
      });
      mpi.close();
    } else {
      Threads.run(virtual(), 200, thread -> {
        byte[] data = new byte[5_000 + 100 * thread];
        world.recv(data, 0, thread);
        Data.check(data, 0, thread, data.length);
      });
    }
  }

  /**
   * In a JVM that has made no call yet: classes are initialized by threads that keep their carrier meanwhile, and must
   * not wait there for threads that have none.
   */
  @MpiTest(ranks = 2, processes = true, timeout = 120)
  @DisplayName("S1-12.4: the first calls of all, by many virtual threads at once")
  void firstCalls(Comm world) throws Throwable {
    int peer = 1 - world.rank();
    Threads.run(virtual(), 60, thread -> {
      long[] out = {thread};
      long[] in = new long[1];
      Request receive = thread % 2 == 0 ? world.irecv(in, peer, thread) : world.irecv(Buf.of(in), peer, thread);
      Request send = thread % 3 == 0 ? world.isend(Buf.of(out), peer, thread) : world.isend(out, peer, thread);
      receive.await();
      send.await();
      assertEquals(thread, in[0]);
    });
  }
}
