// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.function.Executable;

/** An interrupt neither ends a wait nor gets lost. */
@EveryTransport
class InterruptTest {
  /** Makes calls while another thread interrupts this one again and again. */
  private static void underInterrupts(Executable calls) throws Throwable {
    Thread me = Thread.currentThread();
    AtomicBoolean over = new AtomicBoolean();
    Thread nuisance = Thread.ofPlatform().daemon().start(() -> {
      while (!over.get()) {
        me.interrupt();
        LockSupport.parkNanos(300_000);
      }
    });
    calls.execute();
    over.set(true);
    while (nuisance.isAlive()) {
      Thread.onSpinWait();
    }
    assertTrue(Thread.interrupted());
  }

  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-2.9.2-b: waits go on when interrupted, and the status is kept")
  void waitsGoOnAndTheStatusIsKept(Comm world) throws Throwable {
    int peer = world.rank() ^ 1;
    if (peer >= world.size()) {
      return;
    }
    if (world.rank() % 2 == 0) {
      int[] data = new int[1];
      Thread.currentThread().interrupt();
      world.recv(data, peer, 1);
      assertEquals(1, data[0]);
      assertTrue(Thread.interrupted(), "after recv");

      Thread.currentThread().interrupt();
      Request receive = world.irecv(data, peer, 2);
      receive.await();
      assertEquals(2, data[0]);
      assertTrue(Thread.interrupted(), "after await");

      Thread.currentThread().interrupt();
      assertEquals(3, world.probe(peer, 3).tag());
      assertTrue(Thread.interrupted(), "after probe");
      world.recv(data, peer, 3);

      Thread.currentThread().interrupt();
      world.ssend(Buf.of(new int[] {4}), peer, 4);
      assertTrue(Thread.interrupted(), "after ssend");

      Thread.currentThread().interrupt();
      world.send(Data.bytes(5, 200_000), peer, 5);
      assertTrue(Thread.interrupted(), "after a large send");

      Thread.currentThread().interrupt();
      Request.waitAll(List.of(world.irecv(data, peer, 6), world.isend(data, peer, 6)));
      assertTrue(Thread.interrupted(), "after waitAll");
    } else {
      for (int tag = 1; tag <= 3; tag++) {
        Thread.sleep(20);
        world.send(new int[] {tag}, peer, tag);
      }
      Thread.sleep(20);
      world.recv(new int[1], peer, 4);
      Thread.sleep(20);
      byte[] data = new byte[200_000];
      world.recv(data, peer, 5);
      Data.check(data, 0, 5, 200_000);
      Thread.sleep(20);
      world.sendrecv(Buf.of(new int[] {6}), peer, 6, Buf.of(new int[1]), peer, 6);
    }
  }

  @MpiTest(ranks = 2)
  void manyInterruptsDuringManyMessages(Comm world) throws Throwable {
    int peer = 1 - world.rank();
    underInterrupts(() -> {
      byte[] in = new byte[50_000];
      for (int i = 0; i < 100; i++) {
        int length = i % 10 == 0 ? 50_000 : i % 3 == 0 ? 500 : 8;
        Request send = world.isend(Data.bytes(i, length), peer, 1);
        Status status = world.recv(in, peer, 1, new Status());
        send.await();
        assertEquals(length, status.bytes());
        Data.check(in, 0, i, length);
      }
    });
    world.barrier();
  }

  /** What grows on first use, rings and heap, must not break when the thread that needs it is interrupted. */
  @MpiTest(ranks = 2)
  void firstUseUnderInterrupt(Mpi mpi) {
    Comm world = mpi.world();
    Thread.currentThread().interrupt();
    MemorySegment block = mpi.shared().allocate(100_000, 64);
    Data.fill(block, world.rank());
    byte[] in = new byte[100_000];
    Request receive = world.irecv(in, 1 - world.rank(), 0);
    world.send(Buf.of(block, 100_000, Datatype.BYTE), 1 - world.rank(), 0);
    receive.await();
    assertTrue(Thread.interrupted());
    Data.check(in, 0, 1 - world.rank(), 100_000);
    world.barrier();
  }

  @MpiTest(ranks = {2, 4})
  void collectivesUnderInterrupt(Comm world) {
    for (int i = 0; i < 5; i++) {
      Thread.currentThread().interrupt();
      world.barrier();
      assertTrue(Thread.interrupted());
      long[] sum = {world.rank()};
      Thread.currentThread().interrupt();
      world.allreduce(Buf.of(sum), Op.SUM);
      assertTrue(Thread.interrupted());
      assertEquals(world.size() * (world.size() - 1L) / 2, sum[0]);
    }
  }

  @MpiTest(ranks = 2)
  void sharedArenaUnderInterrupt(Comm world) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment out = arena.allocate(60_000);
      MemorySegment in = arena.allocate(60_000);
      Data.fill(out, 2);
      Thread.currentThread().interrupt();
      Request receive = world.irecv(Buf.of(in, 60_000, Datatype.BYTE), 1 - world.rank(), 0);
      world.send(Buf.of(out, 60_000, Datatype.BYTE), 1 - world.rank(), 0);
      receive.await();
      assertTrue(Thread.interrupted());
      Data.check(in, 2, 60_000);
    }
  }
}
