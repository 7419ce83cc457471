// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Message;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** Matched probes and receives (MPI-4.1 §3.8.2 and §3.8.3). */
@EveryTransport
class MatchedProbeTest {
  private static int next(Comm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(Comm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-3.1-b: messages of any length are found, sized and received")
  void messagesOfAnyLength(Comm world) {
    for (int length : Data.LENGTHS) {
      Request send = world.isend(Data.bytes(length, length), next(world), length);
      Status probed = new Status();
      Message message = length % 2 == 0
          ? world.mprobe(previous(world), length, probed)
          : world.mprobe(ANY_SOURCE, ANY_TAG, probed);
      assertEquals(previous(world), probed.source());
      assertEquals(length, probed.tag());
      assertEquals(length, probed.bytes());
      assertEquals(length, message.status().getCount(Datatype.BYTE));
      assertFalse(message.isConsumed());
      assertFalse(message.isNoProc());
      assertTrue(world.iprobe(ANY_SOURCE, length).isEmpty(), "nobody else can see it");
      byte[] data = new byte[(int) message.status().bytes()];
      Status received;
      if (length % 3 == 0) {
        received = message.mrecv(Buf.of(data), new Status());
      } else if (length % 3 == 1) {
        received = message.imrecv(Buf.of(data)).await(new Status());
      } else {
        message.mrecv(Buf.of(data));
        received = message.status();
      }
      assertTrue(message.isConsumed());
      assertEquals(previous(world), received.source());
      assertEquals(length, received.tag());
      assertEquals(length, received.bytes());
      Data.check(data, 0, length, length);
      send.await();
    }
  }

  @MpiTest(ranks = {1, 2})
  void improbeFindsNothingUntilThereIsSomething(Comm world) {
    assertTrue(world.improbe(ANY_SOURCE, ANY_TAG).isEmpty());
    Status untouched = new Status();
    assertTrue(world.improbe(previous(world), 3, untouched).isEmpty());
    assertEquals(ANY_SOURCE, untouched.source());
    world.barrier();
    Request other = world.isend(new int[] {1}, next(world), 2);
    Request send = world.isend(new int[] {7}, next(world), 3);
    Optional<Message> found;
    do {
      found = world.improbe(previous(world), 3);
    } while (found.isEmpty());
    int[] data = new int[1];
    found.get().mrecv(Buf.of(data));
    assertEquals(7, data[0]);
    world.recv(data, previous(world), 2);
    assertEquals(1, data[0]);
    other.await();
    send.await();
  }

  /** Messages that were set apart may be received in any order; later ones do not overtake those that were not. */
  @MpiTest(ranks = {1, 2})
  void orderOfReceivingIsFree(Comm world) {
    int messages = 20;
    for (int length : new int[] {1, 60, 3_000, 20_000}) {
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < messages; i++) {
        sends.add(world.isend(Data.bytes(i, length), next(world), 1));
      }
      List<Message> found = new ArrayList<>();
      for (int i = 0; i < messages / 2; i++) {
        found.add(world.mprobe(previous(world), 1));
      }
      byte[] data = new byte[length];
      for (int i = messages / 2; i < messages; i++) {
        world.recv(data, previous(world), 1);
        Data.check(data, 0, i, length);
      }
      List<Request> receives = new ArrayList<>();
      byte[][] into = new byte[found.size()][length];
      for (int i = found.size() - 1; i >= 0; i--) {
        receives.add(found.get(i).imrecv(Buf.of(into[i])));
      }
      Request.waitAll(receives);
      for (int i = 0; i < into.length; i++) {
        Data.check(into[i], 0, i, length);
      }
      Request.waitAll(sends);
    }
  }

  /** A synchronous send completes by the matched receive. */
  @MpiTest(ranks = 2)
  void synchronousSends(Comm world) {
    for (int length : new int[] {0, 40, 40_000}) {
      if (world.rank() == 0) {
        world.ssend(Buf.of(Data.bytes(5, length)), 1, 0);
      } else {
        byte[] data = new byte[length];
        world.mprobe(0, 0).mrecv(Buf.of(data));
        Data.check(data, 0, 5, length);
      }
    }
  }

  /** The sender waits for that (MPI-4.1 §7.4.3: what is pending goes on). */
  @MpiTest(ranks = {1, 2})
  void afterItsCommunicatorHasBeenClosed(Comm world) {
    for (int length : new int[] {0, 40, 40_000, 4 << 20}) {
      Comm copy = world.dup();
      Request send = copy.issend(Buf.of(Data.bytes(5, length)), next(world), 0);
      Message message = copy.mprobe(previous(world), 0);
      Message another = copy.mprobe(PROC_NULL, 0);
      copy.close();
      byte[] data = new byte[length];
      Buf<Byte> readOnly = Buf.of(MemorySegment.ofArray(data).asReadOnly(), length, Datatype.BYTE);
      assertError(ErrorClass.ERR_BUFFER, () -> message.mrecv(readOnly), "writable");
      if (length == 40) {
        Status status = message.imrecv(Buf.of(data)).await(new Status());
        assertEquals(previous(world), status.source());
      } else {
        message.mrecv(Buf.of(data));
      }
      Data.check(data, 0, 5, length);
      send.await();
      another.mrecv(Buf.of(data));
    }
  }

  @MpiTest(ranks = {1, 2})
  void derivedTypesAndKindsOfMemory(Comm world) {
    int rows = 2_000;
    try (Arena confined = Arena.ofConfined();
        Arena closeable = Arena.ofShared();
        Datatype<?> column = Datatype.vector(rows, 1, 2, Datatype.INT).commit()) {
      int[] out = new int[rows];
      for (int i = 0; i < rows; i++) {
        out[i] = 3 * i;
      }
      for (MemorySegment matrix : List.of(
          MemorySegment.ofArray(new int[2 * rows]), confined.allocate(8L * rows, 4), closeable.allocate(8L * rows, 4),
          Arena.ofAuto().allocate(8L * rows, 4))) {
        matrix.fill((byte) 0xff);
        Request send = world.isend(out, next(world), 0);
        Status status = world.mprobe(ANY_SOURCE, 0).mrecv(Buf.of(matrix, 1, column), new Status());
        assertEquals(1, status.getCount(column));
        for (int i = 0; i < rows; i++) {
          assertEquals(3 * i, matrix.getAtIndex(java.lang.foreign.ValueLayout.JAVA_INT, 2L * i));
          assertEquals(-1, matrix.getAtIndex(java.lang.foreign.ValueLayout.JAVA_INT, 2L * i + 1));
        }
        send.await();
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-3.1-c: matched probes of PROC_NULL")
  void nobody(Comm world) {
    byte[] data = {9};
    Status status = new Status();
    for (Message message : List.of(
        world.mprobe(PROC_NULL, 3), world.mprobe(PROC_NULL, ANY_TAG, status),
        world.improbe(PROC_NULL, 3).orElseThrow(), world.improbe(PROC_NULL, 3, status).orElseThrow())) {
      assertTrue(message.isNoProc());
      assertNobody(message.status());
      for (int i = 0; i < 3; i++) {
        message.mrecv(Buf.of(data));
        assertNobody(message.mrecv(Buf.of(data), new Status()));
        assertNobody(message.imrecv(Buf.of(data)).await(new Status()));
        assertFalse(message.isConsumed());
      }
    }
    assertNobody(status);
    assertArrayEquals(new byte[] {9}, data);
  }

  private static void assertNobody(Status status) {
    assertEquals(PROC_NULL, status.source());
    assertEquals(ANY_TAG, status.tag());
    assertEquals(0, status.bytes());
  }

  @MpiTest(ranks = {1, 2})
  void truncationAndBadArguments(Comm world) {
    int n = world.size();
    assertError(ErrorClass.ERR_RANK, () -> world.mprobe(n, 0), "source = " + n);
    assertError(ErrorClass.ERR_TAG, () -> world.mprobe(0, -7), "tag = -7");
    assertError(ErrorClass.ERR_ARG, () -> world.mprobe(0, 0, null), "into = null");
    assertError(ErrorClass.ERR_RANK, () -> world.improbe(-5, 0), "source = -5");
    assertError(ErrorClass.ERR_TAG, () -> world.improbe(0, -1), "tag = -1");
    assertError(ErrorClass.ERR_ARG, () -> world.improbe(0, 0, null), "into = null");
    for (int length : new int[] {4, 90, 5_000, 70_000}) {
      Request send = world.isend(Data.bytes(2, length), next(world), 1);
      Message message = world.mprobe(previous(world), 1);
      byte[] data = new byte[length];
      Buf<Byte> readOnly = Buf.of(MemorySegment.ofArray(data).asReadOnly(), length, Datatype.BYTE);
      assertError(ErrorClass.ERR_BUFFER, () -> message.mrecv(null), "buffer = null");
      assertError(ErrorClass.ERR_BUFFER, () -> message.imrecv(Buf.inPlace()), "inPlace");
      assertError(ErrorClass.ERR_BUFFER, () -> message.mrecv(readOnly), "writable");
      assertError(ErrorClass.ERR_ARG, () -> message.mrecv(Buf.of(data), null), "into = null");
      assertFalse(message.isConsumed(), "still there after wrong calls");
      Status status = new Status();
      assertError(
          ErrorClass.ERR_TRUNCATE, () -> message.mrecv(Buf.of(data, 0, length / 2), status), length + " bytes");
      assertEquals(ErrorClass.SUCCESS, status.error(), "not touched, the error is thrown");
      assertEquals(previous(world), status.source());
      assertError(ErrorClass.ERR_REQUEST, () -> message.mrecv(Buf.of(data)), "received already");
      assertError(ErrorClass.ERR_REQUEST, () -> message.imrecv(Buf.of(data)), "received already");
      for (int i = length / 2; i < length; i++) {
        assertEquals(0, data[i], "nothing is written behind the buffer");
      }
      send.await();
    }
    Request send = world.isend(new byte[] {1}, next(world), 1);
    Request receive = world.mprobe(previous(world), 1).imrecv(Buf.of(new byte[1]));
    receive.cancel();
    assertFalse(receive.await(new Status()).isCancelled(), "it had been matched");
    send.await();
  }

  /** Many threads probe with the same pattern: each message is received by exactly one, whole. */
  @MpiTest(ranks = {1, 2, 3})
  void threadsProbeForTheSameMessages(Comm world) throws Throwable {
    int threads = 4;
    int messages = 300;
    int[] lengths = {4, 40, 300, 9_000};
    List<Request> sends = new ArrayList<>();
    AtomicInteger left = new AtomicInteger(messages);
    AtomicIntegerArray seen = new AtomicIntegerArray(messages);
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> receivers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int thread = t;
      Thread.Builder builder = t % 2 == 0 ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
      receivers.add(builder.start(() -> {
        try {
          while (left.getAndDecrement() > 0) {
            Message message = thread < 2 ? world.mprobe(previous(world), ANY_TAG) : improbe(world);
            int tag = message.status().tag();
            byte[] data = new byte[(int) message.status().bytes()];
            assertEquals(lengths[tag % lengths.length], data.length);
            message.mrecv(Buf.of(data));
            Data.check(data, 0, tag, data.length);
            seen.incrementAndGet(tag);
          }
        } catch (Throwable e) {
          failures.add(e);
        }
      }));
    }
    for (int i = 0; i < messages; i++) {
      sends.add(world.isend(Data.bytes(i, lengths[i % lengths.length]), next(world), i));
    }
    Request.waitAll(sends);
    for (Thread receiver : receivers) {
      receiver.join();
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
    for (int i = 0; i < messages; i++) {
      assertEquals(1, seen.get(i), "message " + i);
    }
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
  }

  private static Message improbe(Comm world) {
    while (true) {
      Optional<Message> found = world.improbe(ANY_SOURCE, ANY_TAG);
      if (found.isPresent()) {
        return found.get();
      }
      Thread.yield();
    }
  }

  /** Two threads receive one message: one of them gets it, the other an error. */
  @MpiTest(ranks = 1)
  void aMessageIsReceivedOnce(Comm world) throws Throwable {
    for (int round = 0; round < 50; round++) {
      Request send = world.isend(new int[] {round}, 0, 0);
      Message message = world.mprobe(0, 0);
      AtomicInteger received = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        threads.add(Thread.ofPlatform().daemon().start(() -> {
          try {
            message.mrecv(Buf.of(new int[1]));
            received.incrementAndGet();
          } catch (org.ffmpi.base.MpiException e) {
            refused.addAndGet(e.errorClass() == ErrorClass.ERR_REQUEST ? 1 : 100);
          }
        }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(1, received.get());
      assertEquals(1, refused.get());
      send.await();
    }
  }

  @MpiTest(ranks = 2)
  void aSenderThatLeaves(Comm world) {
    if (world.rank() == 0) {
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.mprobe(1, 0), "1");
    }
  }
}
