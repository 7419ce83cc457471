// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.nodes;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.Data;

/** Messages between nodes while a thread or a rank is outside of MPI: whatever does not need it ends without it. */
@MpiVariant(name = "two nodes", settings = "ffmpi.node=1")
@MpiVariant(name = "two nodes, progress thread", settings = {"ffmpi.node=1", "ffmpi.progress=thread"})
class NodeProgressTest {
  /** More than there are buffers for, a few for each message. */
  private static final int MESSAGES = 20;

  private static final int LENGTH = 1 << 20;
  private static final int OTHER = 100;

  /** Ends the sleep of rank 1. Set by rank 0; the ranks are threads of this process. */
  private static CountDownLatch awake = new CountDownLatch(1);

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(50, TimeUnit.SECONDS), "the other thread has not come");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A thread that starts operations on confined buffers, leaves MPI, and completes them when it is asked to. */
  private static final class Absent {
    final CountDownLatch started = new CountDownLatch(1);
    final CountDownLatch mayReturn = new CountDownLatch(1);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;

    Absent(Comm world, boolean sends) {
      thread = Thread.ofPlatform().daemon().start(() -> {
        try {
          run(world, sends);
        } catch (Throwable e) {
          failure.set(e);
          started.countDown();
        }
      });
    }

    private void run(Comm world, boolean sends) {
      int other = 1 - world.rank();
      List<Request> requests = new ArrayList<>();
      List<MemorySegment> buffers = new ArrayList<>();
      try (Arena arena = Arena.ofConfined()) {
        for (int i = 0; i < MESSAGES; i++) {
          MemorySegment buffer = arena.allocate(LENGTH, 8);
          Buf<Byte> buf = Buf.of(buffer, LENGTH, Datatype.BYTE);
          buffers.add(buffer);
          if (sends) {
            Data.fill(buffer, i);
          }
          requests.add(sends ? world.isend(buf, other, i) : world.irecv(buf, other, i));
        }
        started.countDown();
        await(mayReturn);
        Request.waitAll(requests);
        for (int i = 0; !sends && i < MESSAGES; i++) {
          Data.check(buffers.get(i), i, LENGTH);
        }
      }
    }

    void join() throws InterruptedException {
      mayReturn.countDown();
      thread.join();
      assertNull(failure.get(), () -> "" + failure.get());
    }
  }

  @MpiTest(ranks = 2)
  void receivesStartWhileOthersNeedAThreadOutsideMpi(Comm world) throws InterruptedException {
    if (world.rank() == 0) {
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < MESSAGES; i++) {
        sends.add(world.isend(Data.bytes(i, LENGTH), 1, i));
      }
      world.send(new int[1], 1, OTHER); // behind the envelopes, so that all of them are there
      sends.add(world.isend(Data.bytes(OTHER, LENGTH), 1, OTHER + 1));
      Request.waitAll(sends);
      return;
    }
    world.recv(new int[1], 0, OTHER);
    Absent absent = new Absent(world, false);
    await(absent.started);
    byte[] in = new byte[LENGTH];
    world.recv(in, 0, OTHER + 1);
    Data.check(in, 0, OTHER, LENGTH);
    absent.join();
  }

  @MpiTest(ranks = 2)
  void sendsStartWhileOthersNeedAThreadOutsideMpi(Comm world) throws InterruptedException {
    if (world.rank() == 0) {
      Absent absent = new Absent(world, true);
      await(absent.started);
      world.send(Data.bytes(OTHER, LENGTH), 1, OTHER);
      absent.join();
      return;
    }
    List<Request> receives = new ArrayList<>();
    List<byte[]> buffers = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      buffers.add(new byte[LENGTH]);
      receives.add(world.irecv(buffers.get(i), 0, i));
    }
    byte[] in = new byte[LENGTH];
    world.recv(in, 0, OTHER);
    Data.check(in, 0, OTHER, LENGTH);
    Request.waitAll(receives);
    for (int i = 0; i < MESSAGES; i++) {
      Data.check(buffers.get(i), 0, i, LENGTH);
    }
  }

  private static void beginSleep(Comm world) {
    if (world.rank() == 0) {
      awake = new CountDownLatch(1);
    }
    world.barrier();
  }

  /** Short messages of the thread that is away, more than there is credit for, precede one of another thread. */
  @MpiTest(ranks = 2)
  void theBacklogDoesNotWaitForAThread(Comm world) throws InterruptedException {
    int messages = 400;
    int length = 9_000;
    beginSleep(world);
    if (world.rank() == 1) {
      await(awake);
      byte[] in = new byte[length];
      world.recv(in, 0, OTHER);
      for (int i = 0; i < messages; i++) {
        world.recv(in, 0, i % OTHER);
        Data.check(in, 0, i, length);
      }
      return;
    }
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch mayReturn = new CountDownLatch(1);
    Thread absent = Thread.ofPlatform().daemon().start(() -> {
      try (Arena arena = Arena.ofConfined()) {
        List<Request> sends = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
          MemorySegment buffer = arena.allocate(length, 8);
          Data.fill(buffer, i);
          sends.add(world.isend(Buf.of(buffer, length, Datatype.BYTE), 1, i % OTHER));
        }
        started.countDown();
        await(mayReturn);
        Request.waitAll(sends);
      }
    });
    await(started);
    awake.countDown();
    world.send(new byte[length], 1, OTHER);
    mayReturn.countDown();
    absent.join();
  }

  /** The sender makes no call until all its messages have been received. */
  @MpiTest(ranks = 2)
  void messagesOfARankThatSleepsArrive(Comm world) {
    beginSleep(world);
    if (world.rank() == 1) {
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < MESSAGES; i++) {
        sends.add(world.isend(Data.bytes(i, LENGTH), 0, i));
      }
      await(awake);
      Request.waitAll(sends);
      return;
    }
    byte[] in = new byte[LENGTH];
    for (int i = 0; i < MESSAGES; i++) {
      world.recv(in, 1, i);
      Data.check(in, 0, i, LENGTH);
    }
    awake.countDown();
  }

  /** The receiver makes no call until the cancelled sends have ended. */
  @MpiTest(ranks = 2)
  void aCancelledSendEndsWhileItsReceiverSleeps(Comm world) {
    beginSleep(world);
    if (world.rank() == 1) {
      await(awake);
    } else {
      int ended = 0;
      for (int length : new int[] {8, 5_000, 300_000}) {
        List<Request> sends = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          sends.add(world.issend(Buf.of(new byte[length]), 1, i));
        }
        for (Request send : sends) {
          send.cancel();
          assertTrue(send.await(new Status()).isCancelled(), "there is no receive");
          ended++;
        }
        Request standard = world.isend(new byte[300_000], 1, OTHER);
        standard.cancel();
        while (!standard.test()) {
          Thread.onSpinWait();
        }
      }
      assertEquals(30, ended);
      awake.countDown();
    }
    world.barrier();
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty(), "the cancelled messages are gone");
  }
}
