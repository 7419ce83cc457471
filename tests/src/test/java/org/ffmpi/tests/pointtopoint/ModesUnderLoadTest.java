// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.BSEND_OVERHEAD;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.Packer;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The modes of sending, and probes, at their limits: full buffers, races of cancels, many threads, wrong envelopes. */
class ModesUnderLoadTest {
  /** A message that was set apart and is never received: its sender learns that the receiver has left. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aMessageThatIsNeverReceivedKeepsNobody() {
    for (int length : new int[] {10, 4 << 20}) {
      Mpi.runThreads(2, Map.of("ffmpi.errors", "return"), mpi -> {
        Comm world = mpi.world();
        if (world.rank() == 0) {
          Request send = world.issend(Buf.of(new byte[length]), 1, 0);
          assertError(ErrorClass.ERR_PROC_ABORTED, send::await, "rank 1 has finalized");
        } else {
          assertFalse(world.mprobe(0, 0).isConsumed());
        }
      });
    }
  }

  /** Two threads probe and two receive with wildcards. */
  @MpiTest(ranks = {2, 4}, timeout = 120)
  @DisplayName("S1-3.1-b: messages to many threads come once each, those of one sender to one thread in order")
  void manyThreadsReceiveFromAll(Comm world) throws Throwable {
    int messages = 1_200;
    int size = world.size();
    if (world.rank() > 0) {
      for (int i = 0; i < messages; i++) {
        int[] data = new int[1 + (i % 100 == 7 ? 50_000 : i % 10 == 3 ? 3_000 : i % 5)];
        Arrays.fill(data, i);
        world.send(data, 0, world.rank());
      }
      return;
    }
    AtomicInteger left = new AtomicInteger(messages * (size - 1));
    AtomicIntegerArray seen = new AtomicIntegerArray(messages * size);
    Threads.run(Thread.ofPlatform().daemon(), 4, thread -> {
      int[] last = new int[size];
      Arrays.fill(last, -1);
      int[] room = new int[50_001];
      Status status = new Status();
      while (left.getAndDecrement() > 0) {
        int[] data = room;
        if (thread < 2) {
          Message message = world.mprobe(ANY_SOURCE, ANY_TAG, status);
          data = new int[(int) status.getCount(Datatype.INT)];
          message.mrecv(Buf.of(data), status);
        } else {
          world.recv(room, ANY_SOURCE, ANY_TAG, status);
        }
        int from = status.source();
        assertEquals(from, status.tag());
        assertTrue(data[0] > last[from], "in order");
        last[from] = data[0];
        assertEquals(data[0], data[(int) status.getCount(Datatype.INT) - 1]);
        seen.incrementAndGet(from * messages + data[0]);
      }
    });
    for (int i = messages; i < seen.length(); i++) {
      assertEquals(1, seen.get(i), "message " + i % messages + " of rank " + i / messages);
    }
  }

  /** The formula of the standard, to the byte, wherever the buffer begins. */
  @MpiTest(ranks = 1)
  @DisplayName("S1-3.1-b: a buffer takes as many messages as the formula says, and not one more")
  void bufferedSendsFillTheBufferExactly(Mpi mpi) {
    Comm world = mpi.world();
    int[] lengths = {0, 1, 7, 63, 64, 65, 4_096, 1 << 20};
    int capacity = 0;
    for (int length : lengths) {
      capacity += (int) Packer.size(length, Datatype.BYTE) + BSEND_OVERHEAD;
    }
    byte[] memory = new byte[capacity + 1];
    Buf<Byte> buffer = Buf.of(memory, 1, capacity);
    mpi.bufferAttach(buffer);
    for (int length : lengths) {
      world.bsend(Buf.of(Data.bytes(length, length)), 0, length);
    }
    byte[] one = new byte[1 << 20];
    for (int i = lengths.length - 1; i >= 0; i--) {
      world.recv(Buf.of(one, 0, lengths[i]), 0, lengths[i]);
      Data.check(one, 0, lengths[i], lengths[i]);
    }
    assertSame(buffer, mpi.bufferDetach());
    assertEquals(0, memory[0]);
  }

  /** More than any attached buffer holds, for a receiver that comes late. */
  @MpiTest(ranks = 2, timeout = 120)
  @DisplayName("S1-3.1-b: automatic buffering takes what comes; flush waits for the receiver")
  void automaticBuffering(Mpi mpi) throws InterruptedException {
    Comm world = mpi.world();
    int messages = 20;
    int length = 2 << 20;
    if (world.rank() == 0) {
      mpi.bufferAttach(Buf.automatic());
      for (int i = 0; i < messages; i++) {
        world.bsend(Buf.of(Data.bytes(i, length)), 1, i);
      }
      world.send(new byte[0], 1, messages);
      mpi.bufferFlush();
      assertSame(Buf.automatic(), mpi.bufferDetach());
    } else {
      byte[] data = new byte[length];
      world.recv(new byte[0], 0, messages); // all of them have returned
      for (int i = messages - 1; i >= 0; i--) {
        world.recv(data, 0, i);
        Data.check(data, 0, i, length);
      }
    }
  }

  /** Each message is cancelled or received, and none is overtaken by a later one. */
  @EveryTransport
  @MpiTest(ranks = 2)
  @DisplayName("S1-3.1-b: a cancel and a receive race, and one of them wins")
  void cancelsRaceWithReceives(Comm world) {
    int rounds = 400;
    if (world.rank() == 0) {
      for (int i = 0; i < rounds; i++) {
        int[] data = new int[i % 3 == 0 ? 1 : 20_000];
        data[0] = i;
        Request send = world.issend(Buf.of(data), 1, 5);
        for (int spin = 0; spin < i % 50; spin++) {
          Thread.onSpinWait();
        }
        send.cancel();
        boolean cancelled = send.await(new Status()).isCancelled();
        world.send(new int[] {-1 - i}, 1, 5); // the marker, with the same tag
        world.recv(data, 1, 6);
        assertEquals(cancelled ? 0 : 1, data[0], "round " + i);
      }
    } else {
      int[] data = new int[20_000];
      for (int i = 0; i < rounds; i++) {
        world.recv(data, 0, 5);
        int received = 0;
        if (data[0] >= 0) {
          assertEquals(i, data[0]);
          received = 1;
          world.recv(data, 0, 5);
        }
        assertEquals(-1 - i, data[0]);
        world.send(new int[] {received}, 0, 6);
      }
    }
  }

  /** Both ranks exchange long strided data at once, a rank does with itself, and with nobody. */
  @MpiTest(ranks = {1, 2})
  void longStridedDataAreReplaced(Comm world) {
    int n = 500_000;
    int peer = world.size() - 1 - world.rank();
    try (Datatype<Integer> column = Datatype.vector(n, 1, 3, Datatype.INT).commit()) {
      int[] data = new int[3 * n];
      for (int i = 0; i < data.length; i++) {
        data[i] = i % 3 == 0 ? world.rank() * n + i : -i;
      }
      Buf<Integer> buf = Buf.of(MemorySegment.ofArray(data), 1, column);
      Status status = world.sendrecvReplace(buf, peer, 1, peer, 1, new Status());
      assertEquals(4L * n, status.bytes());
      status = world.sendrecvReplace(buf, PROC_NULL, 1, PROC_NULL, 1, new Status());
      assertEquals(PROC_NULL, status.source());
      assertEquals(ANY_TAG, status.tag());
      assertEquals(0, status.bytes());
      for (int i = 0; i < data.length; i++) {
        assertEquals(i % 3 == 0 ? peer * n + i : -i, data[i]);
      }
    }
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-3.1-b: a synchronous send to oneself completes when it is matched, not before")
  void synchronousSendsToOneself(Comm world) throws Throwable {
    for (int length : new int[] {0, 100, 100_000}) {
      Request send = world.issend(Buf.of(Data.bytes(1, length)), 0, 3);
      for (int i = 0; i < 1_000; i++) {
        assertFalse(send.test());
      }
      byte[] data = new byte[length];
      Thread.ofPlatform().daemon().start(() -> world.irecv(data, 0, 3).await()).join();
      send.await();
      Data.check(data, 0, 1, length);
      Thread receiver = Thread.ofPlatform().daemon().start(() -> world.recv(data, 0, 4));
      world.ssend(Buf.of(Data.bytes(2, length)), 0, 4);
      receiver.join();
      Data.check(data, 0, 2, length);
    }
  }

  /** What is wrong is refused at the call, and the message is still there. */
  @MpiTest(ranks = {1, 2})
  void wrongEnvelopesConsumeNothing(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    int[] data = new int[1];
    Request send = world.isend(new int[] {5}, next, Integer.MAX_VALUE);
    for (int tag : new int[] {-3, Integer.MIN_VALUE}) {
      assertError(ErrorClass.ERR_TAG, () -> world.recv(data, previous, tag), "tag = " + tag);
      assertError(ErrorClass.ERR_TAG, () -> world.irecv(data, previous, tag), "tag = " + tag);
      assertError(ErrorClass.ERR_TAG, () -> world.recvInit(Buf.of(data), previous, tag), "tag = " + tag);
      assertError(ErrorClass.ERR_TAG, () -> world.probe(previous, tag), "tag = " + tag);
    }
    for (int source : new int[] {world.size(), -17, Integer.MIN_VALUE}) {
      assertError(ErrorClass.ERR_RANK, () -> world.recv(data, source, 0), "source = " + source);
      assertError(ErrorClass.ERR_RANK, () -> world.irecv(data, source, 0), "source = " + source);
      assertError(ErrorClass.ERR_RANK, () -> world.recvInit(Buf.of(data), source, 0), "source = " + source);
      assertError(ErrorClass.ERR_RANK, () -> world.iprobe(source, 0), "source = " + source);
    }
    assertError(ErrorClass.ERR_TAG, () -> world.send(data, next, ANY_TAG), "tag = " + ANY_TAG);
    try (Persistent receive = world.recvInit(Buf.of(data), ANY_SOURCE, ANY_TAG)) {
      receive.start();
      assertEquals(Integer.MAX_VALUE, receive.await(new Status()).tag());
    }
    assertEquals(5, data[0]);
    send.await();
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-2.5.8-a: a count that no int holds is UNDEFINED as an int, and right as a long")
  void countsBeyondInt(Comm world) {
    Status status = new Status();
    long elements = 3L << 30;
    status.setElements(Datatype.BYTE, elements);
    assertEquals(UNDEFINED, status.getCountInt(Datatype.BYTE));
    assertEquals(UNDEFINED, status.getElementsInt(Datatype.BYTE));
    assertEquals(elements, status.getCount(Datatype.BYTE));
    assertEquals(elements / 4, status.getCountInt(Datatype.INT));
    assertEquals(elements / 4, status.getElements(Datatype.INT));
  }
}
