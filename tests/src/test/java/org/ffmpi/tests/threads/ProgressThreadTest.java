// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.threads;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;

/** With a progress thread, messages move while their ranks are in no call at all. Ranks are threads here. */
class ProgressThreadTest {
  private static final String WITH_THREAD = "ffmpi.progress=thread";
  private static final int LARGE = 300_000;

  private final CyclicBarrier outside = new CyclicBarrier(2);
  private final CountDownLatch received = new CountDownLatch(1);

  /** Meets the other rank without any call of MPI. */
  private void meet() throws Exception {
    outside.await(50, TimeUnit.SECONDS);
  }

  @MpiTest(ranks = 2, settings = WITH_THREAD)
  void aLargeMessageLeavesWhileItsSenderComputes(Comm world) throws Exception {
    double[] data = new double[LARGE];
    if (world.rank() == 0) {
      Arrays.fill(data, 7);
      Request sending = world.isend(data, 1, 3);
      assertTrue(received.await(50, TimeUnit.SECONDS)); // no call from here on: only the thread can send it
      sending.await();
    } else {
      world.recv(data, 0, 3);
      received.countDown();
      assertEquals(7, data[LARGE - 1]);
    }
  }

  /** Both sides only start; by the time they look again everything is there. */
  @MpiTest(ranks = 2, settings = WITH_THREAD)
  void bothSidesCompute(Comm world) throws Exception {
    for (int round = 0; round < 20; round++) {
      byte[] out = new byte[LARGE];
      byte[] in = new byte[LARGE];
      Arrays.fill(out, (byte) (round + world.rank()));
      int peer = 1 - world.rank();
      Request receiving = world.irecv(in, peer, 0);
      Request sending = world.isend(out, peer, 0);
      while (!receiving.toString().contains("complete") || !sending.toString().contains("complete")) {
        Thread.sleep(1); // asks nothing of MPI: a text makes no progress
      }
      receiving.await();
      sending.await();
      byte[] expected = new byte[LARGE];
      Arrays.fill(expected, (byte) (round + peer));
      assertArrayEquals(expected, in);
    }
    meet();
  }

  @MpiTest(ranks = 2, settings = WITH_THREAD)
  void aCollectiveOperationCompletesWhileRanksCompute(Comm world) throws Exception {
    for (int round = 0; round < 20; round++) {
      long[] sum = new long[5_000];
      Arrays.fill(sum, world.rank() + round);
      Request reducing = world.iallreduce(Buf.of(sum), Op.SUM);
      while (!reducing.toString().contains("complete")) {
        Thread.sleep(1);
      }
      reducing.await();
      assertEquals(2L * round + 1, sum[4_999]);
    }
  }

  /** Threads that wait and the progress thread hand polling to each other. */
  @MpiTest(ranks = {2, 3}, settings = WITH_THREAD)
  void callsAndComputationTakeTurns(Comm world) throws Exception {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    int[] token = new int[1];
    for (int round = 0; round < 300; round++) {
      if (round % 25 == world.rank()) {
        Thread.sleep(2); // long enough for the thread to take over
      }
      token[0] = round;
      int[] in = new int[1];
      Request r = world.irecv(in, previous, 1);
      world.send(token, next, 1);
      r.await();
      assertEquals(round, in[0]);
    }
  }

  /** Virtual threads do not poll: the progress thread wakes them. */
  @MpiTest(ranks = 2, settings = WITH_THREAD)
  void virtualThreadsAreWokenByTheProgressThread(Comm world) throws Exception {
    int threads = 200;
    AtomicInteger sum = new AtomicInteger();
    Thread[] all = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int tag = i;
      all[i] = Thread.startVirtualThread(() -> {
        int[] data = new int[1];
        if (world.rank() == 0) {
          world.recv(data, 1, tag);
          sum.addAndGet(data[0]);
        } else {
          data[0] = tag;
          world.ssend(Buf.of(data), 0, tag);
        }
      });
    }
    for (Thread t : all) {
      t.join();
    }
    assertEquals(world.rank() == 0 ? threads * (threads - 1) / 2 : 0, sum.get());
  }

  /** The last one left may still send to itself, and cancel what it does not want any more. */
  @MpiTest(ranks = {2, 3}, settings = WITH_THREAD)
  void theProgressThreadGivesNothingUpThatNobodyAsksFor(Comm world) throws Exception {
    if (world.rank() == 0) {
      Request fromSelf = world.irecv(new int[1], ANY_SOURCE, 1);
      Request unwanted = world.irecv(new int[1], ANY_SOURCE, 2);
      Request never = world.irecv(new int[1], 1, 3);
      Thread.sleep(300); // the others have finalized, and the thread has seen it
      world.send(new int[] {1}, 0, 1);
      fromSelf.await();
      unwanted.cancel();
      assertTrue(unwanted.await(new Status()).isCancelled());
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> never.toCompletableFuture().get(50, TimeUnit.SECONDS));
      assertEquals(ErrorClass.ERR_PROC_ABORTED, ((MpiException) failed.getCause()).errorClass());
    }
  }
}
