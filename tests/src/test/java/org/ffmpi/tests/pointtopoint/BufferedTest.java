// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.BSEND_OVERHEAD;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Session;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Buffered mode (MPI-4.1 §3.4 and §3.6). This file is long because it has a test for each rule of both sections, for
 * each of the three kinds of buffer.
 */
@EveryTransport
class BufferedTest {
  /** Longer than what leaves at once by any transport. */
  private static final int LONG = 300_000;

  private static int next(Comm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(Comm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  private static void send(Comm world, int dest, int tag, long message, int length) {
    byte[] data = Data.bytes(message, length);
    world.bsend(Buf.of(data), dest, tag);
    java.util.Arrays.fill(data, (byte) -1); // it may be changed at once
  }

  private static void receive(Comm world, int source, int tag, long message, int length) {
    byte[] data = new byte[length + 1];
    assertEquals(length, world.recv(data, source, tag, new Status()).bytes());
    Data.check(data, 0, message, length);
  }

  /** All ranks send before any receives: no call waits for a peer. */
  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-3.1-b: buffered sends of any length go out before a receive is posted")
  void nothingWaitsForAReceive(Mpi mpi) {
    Comm world = mpi.world();
    int total = 0;
    for (int length : Data.LENGTHS) {
      total += length + BSEND_OVERHEAD;
    }
    Buf<Byte> buffer = Buf.of(new byte[total]);
    mpi.bufferAttach(buffer);
    for (int i = 0; i < Data.LENGTHS.length; i++) {
      if (i % 2 == 0) {
        send(world, next(world), i, i, Data.LENGTHS[i]);
      } else {
        Request request = world.ibsend(Buf.of(Data.bytes(i, Data.LENGTHS[i])), next(world), i);
        assertTrue(request.test(), "complete when it returns");
      }
    }
    for (int i = Data.LENGTHS.length - 1; i >= 0; i--) {
      receive(world, previous(world), i, i, Data.LENGTHS[i]);
    }
    assertSame(buffer, mpi.bufferDetach());
  }

  /** Messages of one sender arrive in order, buffered ones among others. */
  @MpiTest(ranks = 2)
  void orderIsKept(Mpi mpi) {
    Comm world = mpi.world();
    int messages = 200;
    int[] lengths = {0, 8, 40, 500, 20_000};
    if (world.rank() == 0) {
      mpi.bufferAttach(Buf.automatic());
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < messages; i++) {
        int length = lengths[i * 7 % lengths.length];
        if (i % 3 == 0) {
          sends.add(world.isend(Data.bytes(i, length), 1, 5));
        } else {
          send(world, 1, 5, i, length);
        }
      }
      Request.waitAll(sends);
      assertSame(Buf.automatic(), mpi.bufferDetach());
    } else {
      for (int i = 0; i < messages; i++) {
        receive(world, 0, 5, i, lengths[i * 7 % lengths.length]);
      }
    }
  }

  /** Every kind of memory that can be attached, at any alignment, and derived types out of every kind. */
  @MpiTest(ranks = {1, 2})
  void anyMemoryCanBeAttached(Mpi mpi) {
    Comm world = mpi.world();
    int rows = 1_000;
    int bytes = 4 * rows + BSEND_OVERHEAD;
    try (Arena closeable = Arena.ofShared();
        Arena confined = Arena.ofConfined();
        Datatype<?> column = Datatype.vector(rows, 1, 3, Datatype.INT).commit()) {
      for (Buf<?> buffer : List.of(
          Buf.of(new byte[bytes]),
          Buf.of(new byte[bytes + 7], 7, bytes),
          Buf.of(new int[bytes / 4]),
          Buf.of(new double[bytes / 8 + 1]),
          Buf.of(new short[bytes], 3, bytes / 2),
          Buf.of(ByteBuffer.allocateDirect(bytes)),
          Buf.of(Arena.ofAuto().allocate(bytes + 13).asSlice(13), bytes, Datatype.BYTE),
          Buf.of(closeable.allocate(bytes + 5).asSlice(5), bytes, Datatype.BYTE),
          Buf.of(mpi.shared().allocate(bytes, 64), bytes, Datatype.PACKED),
          Buf.automatic())) {
        mpi.bufferAttach(buffer);
        for (MemorySegment matrix : List.of(
            MemorySegment.ofArray(new int[3 * rows]), confined.allocate(12L * rows, 4),
            mpi.shared().allocate(12L * rows, 4))) {
          for (int i = 0; i < 3 * rows; i++) {
            matrix.setAtIndex(ValueLayout.JAVA_INT, i, i * 17);
          }
          world.bsend(Buf.of(matrix, 1, column).at(4), next(world), 1);
          matrix.fill((byte) 0);
          int[] received = new int[rows];
          world.recv(received, previous(world), 1);
          for (int i = 0; i < rows; i++) {
            assertEquals((3 * i + 1) * 17, received[i]);
          }
          mpi.bufferFlush();
        }
        assertSame(buffer, mpi.bufferDetach());
      }
    }
  }

  /** Only promises of the standard are relied on: the sum of what is in the buffer, in any order of completion. */
  @MpiTest(ranks = 2)
  void whatFitsAltogetherFits(Mpi mpi) {
    Comm world = mpi.world();
    int capacity = 100_000;
    long seed = world.rank() == 0 ? Seeds.next() : 0;
    long[] shared = {seed};
    world.bcast(Buf.of(shared), 0);
    RandomGenerator random = Seeds.random(shared[0]);
    if (world.rank() == 0) {
      mpi.bufferAttach(Buf.of(Arena.ofAuto().allocate(capacity), capacity, Datatype.BYTE));
    }
    Seeds.run(shared[0], () -> {
      List<int[]> open = new ArrayList<>(); // tag and length of what has not been received
      int used = 0;
      for (int tag = 0; tag < 300; tag++) {
        int length = random.nextInt(random.nextInt(1, 30_000));
        while (used + length + BSEND_OVERHEAD > capacity) {
          int[] message = open.remove(random.nextInt(open.size()));
          used -= message[1] + BSEND_OVERHEAD;
          if (world.rank() == 1) {
            receive(world, 0, message[0], message[0], message[1]);
            world.send(new byte[0], 0, 1_000);
          } else {
            world.recv(new byte[0], 1, 1_000);
          }
        }
        used += length + BSEND_OVERHEAD;
        open.add(new int[] {tag, length});
        if (world.rank() == 0) {
          send(world, 1, tag, tag, length);
        }
      }
      if (world.rank() == 0) {
        mpi.bufferDetach();
      } else {
        open.forEach(message -> receive(world, 0, message[0], message[0], message[1]));
      }
    });
  }

  @MpiTest(ranks = 2)
  void aFullBufferIsAnErrorAndNothingIsLost(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      Buf<Byte> buffer = Buf.of(new byte[2 * LONG + 2 * BSEND_OVERHEAD]);
      mpi.bufferAttach(buffer);
      send(world, 1, 0, 0, LONG);
      send(world, 1, 1, 1, LONG);
      assertError(
          ErrorClass.ERR_BUFFER, () -> send(world, 1, 2, 2, LONG), LONG + " bytes", "2 messages have not left");
      assertError(
          ErrorClass.ERR_BUFFER, () -> send(world, 1, 2, 2, 2 * LONG + BSEND_OVERHEAD + 1), "BSEND_OVERHEAD", "fit");
      world.barrier();
      mpi.bufferFlush();
      send(world, 1, 3, 3, 2 * LONG + BSEND_OVERHEAD);
      assertSame(buffer, mpi.bufferDetach());
    } else {
      world.barrier();
      receive(world, 0, 0, 0, LONG);
      receive(world, 0, 1, 1, LONG);
      receive(world, 0, 3, 3, 2 * LONG + BSEND_OVERHEAD);
      assertTrue(world.iprobe(0, ANY_TAG).isEmpty());
    }
  }

  /** What is free is free altogether, wherever it lies. */
  @MpiTest(ranks = 2)
  void aMessageMayLieInSeveralPieces(Mpi mpi) {
    Comm world = mpi.world();
    int capacity = 4 * (LONG + BSEND_OVERHEAD);
    for (Buf<?> buffer : List.of(
        Buf.of(new byte[capacity]), Buf.of(Arena.ofAuto().allocate(capacity), capacity, Datatype.BYTE))) {
      if (world.rank() == 0) {
        mpi.bufferAttach(buffer);
        for (int tag = 0; tag < 4; tag++) {
          send(world, 1, tag, tag, LONG);
        }
        world.recv(new byte[0], 1, 9);
        send(world, 1, 4, 4, 2 * LONG);
        mpi.bufferDetach();
      } else {
        receive(world, 0, 2, 2, LONG);
        receive(world, 0, 0, 0, LONG);
        world.send(new byte[0], 0, 9);
        receive(world, 0, 1, 1, LONG);
        receive(world, 0, 3, 3, LONG);
        receive(world, 0, 4, 4, 2 * LONG);
      }
    }
  }

  @MpiTest(ranks = 2)
  void flushesWaitForWhatIsInTheBuffer(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      mpi.bufferFlush(); // nothing is attached: nothing to wait for
      assertTrue(mpi.bufferIflush().test());
      mpi.bufferAttach(Buf.automatic());
      assertTrue(mpi.bufferIflush().test(), "nothing is in it");
      send(world, 1, 0, 0, LONG);
      Request first = mpi.bufferIflush();
      send(world, 1, 1, 1, LONG);
      Request second = mpi.bufferIflush();
      assertFalse(first.test());
      assertTrue(first.getStatus().isEmpty());
      world.send(new byte[0], 1, 100);
      Status status = first.await(new Status());
      assertEquals(ANY_SOURCE, status.source());
      assertEquals(0, status.bytes());
      assertFalse(status.isCancelled());
      assertFalse(second.test());
      second.cancel();
      List<Request> both = new ArrayList<>(List.of(second, mpi.bufferIflush()));
      world.send(new byte[0], 1, 101);
      Request.waitAll(both);
      send(world, 1, 2, 2, LONG);
      mpi.bufferIflush().close();
      world.send(new byte[0], 1, 102);
      mpi.bufferFlush();
      mpi.bufferDetach();
    } else {
      for (int i = 0; i < 3; i++) {
        world.recv(new byte[0], 0, 100 + i);
        receive(world, 0, i, i, LONG);
      }
    }
  }

  @MpiTest(ranks = 2)
  void aCommunicatorsBufferGoesBeforeTheProcesss(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      Buf<Byte> small = Buf.of(new byte[BSEND_OVERHEAD + 10]);
      Buf<Byte> large = Buf.of(new byte[BSEND_OVERHEAD + LONG]);
      mpi.bufferAttach(large);
      world.attachBuffer(small);
      assertError(ErrorClass.ERR_BUFFER, () -> send(world, 1, 0, 0, 11), "BSEND_OVERHEAD");
      send(world, 1, 0, 0, 10);
      mpi.self().bsend(Buf.of(new byte[LONG]), 0, 0); // of another communicator: the process's
      mpi.self().recv(new byte[LONG], 0, 0);
      world.flushBuffer();
      assertSame(small, world.detachBuffer());
      send(world, 1, 1, 1, LONG);
      Request flush = world.iflushBuffer();
      assertTrue(flush.test(), "it has no buffer");
      assertSame(large, mpi.bufferDetach());
      assertError(ErrorClass.ERR_BUFFER, () -> send(world, 1, 2, 2, 1), "no buffer is attached");
      world.attachBuffer(large);
      send(world, 1, 2, 2, LONG);
      world.iflushBuffer().await();
      assertSame(large, world.detachBuffer());
    } else {
      receive(world, 0, 0, 0, 10);
      receive(world, 0, 1, 1, LONG);
      receive(world, 0, 2, 2, LONG);
    }
  }

  /** The buffer of the communicator, otherwise of its session, otherwise of the process (MPI-4.1 §3.6). */
  @MpiTest(ranks = 2)
  void communicatorsOfSessionsUseTheNearestBuffer(Mpi mpi) {
    Comm world = mpi.world();
    int peer = 1 - world.rank();
    try (Session session = Session.init(null, Errhandler.RETURN);
        IntraComm comm =
            IntraComm.createFromGroup(session.group(Session.WORLD), "nearest", null, Errhandler.RETURN)) {
      Buf<Byte> ofProcess = Buf.of(new byte[BSEND_OVERHEAD + 3 * LONG]);
      Buf<Byte> ofSession = Buf.of(new byte[BSEND_OVERHEAD + 2 * LONG]);
      Buf<Byte> ofComm = Buf.of(new byte[BSEND_OVERHEAD + LONG]);
      assertError(ErrorClass.ERR_BUFFER, () -> send(comm, peer, 0, 0, LONG), "attachBuffer", "Mpi.bufferAttach");
      mpi.bufferAttach(ofProcess);
      send(comm, peer, 3, 3, 3 * LONG);
      world.barrier();
      receive(comm, peer, 3, 3, 3 * LONG);
      mpi.bufferFlush();
      session.attachBuffer(ofSession);
      assertError(ErrorClass.ERR_BUFFER, () -> send(comm, peer, 0, 0, 3 * LONG), "do not fit");
      send(comm, peer, 2, 2, 2 * LONG);
      send(world, peer, 3, 3, 3 * LONG); // the world's own is still that of the process
      world.barrier();
      receive(comm, peer, 2, 2, 2 * LONG);
      receive(world, peer, 3, 3, 3 * LONG);
      comm.attachBuffer(ofComm);
      assertError(ErrorClass.ERR_BUFFER, () -> send(comm, peer, 0, 0, 2 * LONG), "do not fit");
      send(comm, peer, 1, 1, LONG);
      world.barrier();
      receive(comm, peer, 1, 1, LONG);
      assertSame(ofComm, comm.detachBuffer());
      assertSame(ofSession, session.detachBuffer());
      assertSame(ofProcess, mpi.bufferDetach());
      assertError(ErrorClass.ERR_BUFFER, () -> send(comm, peer, 0, 0, LONG), "no buffer is attached");
      mpi.bufferAttach(ofProcess);
      mpi.close(); // takes its buffer along
      assertError(ErrorClass.ERR_BUFFER, () -> send(comm, peer, 0, 0, LONG), "no buffer is attached");
      comm.barrier();
    }
  }

  /** A buffer is attached until its messages have left; then another thread may attach the next. */
  @MpiTest(ranks = 2)
  void detachingTakesUntilTheMessagesHaveLeft(Mpi mpi) throws Throwable {
    Comm world = mpi.world();
    if (world.rank() == 1) {
      world.recv(new int[0], 0, 1);
      receive(world, 0, 0, 0, LONG);
      receive(world, 0, 0, 1, LONG);
      return;
    }
    Buf<Byte> first = Buf.of(new byte[BSEND_OVERHEAD + LONG]);
    Buf<Byte> next = Buf.of(new byte[BSEND_OVERHEAD + LONG]);
    world.attachBuffer(first);
    send(world, 1, 0, 0, LONG);
    Threads.run(Thread.ofPlatform().daemon(), 2, thread -> {
      if (thread == 0) {
        assertSame(first, world.detachBuffer()); // as long as rank 1 receives nothing
        return;
      }
      MpiException error = assertError(ErrorClass.ERR_BUFFER, () -> world.attachBuffer(next));
      while (error.getMessage().contains("is attached")) {
        Thread.onSpinWait(); // the other thread has not begun
        error = assertError(ErrorClass.ERR_BUFFER, () -> world.attachBuffer(next));
      }
      assertTrue(error.getMessage().contains("is being detached"), error.getMessage());
      assertError(ErrorClass.ERR_BUFFER, world::detachBuffer, "none is attached");
      assertError(ErrorClass.ERR_BUFFER, () -> send(world, 1, 9, 9, LONG), "being detached");
      world.send(new int[0], 1, 1);
      while (true) {
        try {
          world.attachBuffer(next);
          break;
        } catch (MpiException e) {
          assertEquals(ErrorClass.ERR_BUFFER, e.errorClass());
        }
      }
      send(world, 1, 0, 1, LONG);
      assertSame(next, world.detachBuffer());
    });
  }

  /** Several threads share one buffer. */
  @MpiTest(ranks = {1, 2})
  void threadsShareABuffer(Mpi mpi) throws Throwable {
    Comm world = mpi.world();
    int threads = 4;
    int messages = 40;
    int[] lengths = {4, 100, 3_000, 17_000};
    mpi.bufferAttach(Buf.of(new byte[threads * messages * (17_000 + BSEND_OVERHEAD)]));
    List<Thread> senders = new ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int t = 0; t < threads; t++) {
      int thread = t;
      Thread.Builder builder = t % 2 == 0 ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
      senders.add(builder.start(() -> {
        try {
          for (int i = 0; i < messages; i++) {
            send(world, next(world), thread, i, lengths[i % lengths.length]);
            if (i % 10 == thread) {
              mpi.bufferIflush().test();
            }
          }
        } catch (Throwable e) {
          failures.add(e);
        }
      }));
    }
    for (Thread sender : senders) {
      sender.join();
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
    for (int t = 0; t < threads; t++) {
      for (int i = 0; i < messages; i++) {
        receive(world, previous(world), t, i, lengths[i % lengths.length]);
      }
    }
    mpi.bufferDetach();
  }

  @MpiTest(ranks = {1, 2})
  void persistentBufferedSends(Mpi mpi) {
    Comm world = mpi.world();
    byte[] data = new byte[20_000];
    try (Persistent send = world.bsendInit(Buf.of(data), next(world), 1);
        Persistent nobody = world.bsendInit(Buf.of(data), PROC_NULL, 1)) {
      nobody.start();
      nobody.await();
      assertError(ErrorClass.ERR_BUFFER, send::start, "no buffer is attached");
      mpi.bufferAttach(Buf.of(new byte[3 * (20_000 + BSEND_OVERHEAD)]));
      for (int i = 0; i < 3; i++) {
        System.arraycopy(Data.bytes(i, data.length), 0, data, 0, data.length);
        send.start();
        assertTrue(send.test());
      }
    }
    for (int i = 0; i < 3; i++) {
      receive(world, previous(world), 1, i, data.length);
    }
    mpi.bufferDetach();
  }

  /** Finalizing waits for what is in the buffers. */
  @MpiTest(ranks = 2)
  void finalizeEmptiesTheBuffers(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      mpi.bufferAttach(Buf.of(new byte[LONG + BSEND_OVERHEAD]));
      world.attachBuffer(Buf.automatic());
      send(world, 1, 0, 0, LONG);
    } else {
      receive(world, 0, 0, 0, LONG);
    }
  }

  /** A receiver that leaves: whoever flushes is told, and nobody hangs. */
  @MpiTest(ranks = 2)
  void aReceiverThatLeaves(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      mpi.bufferAttach(Buf.automatic());
      send(world, 1, 0, 0, LONG);
      MpiException error = assertError(ErrorClass.ERR_PROC_ABORTED, mpi::bufferFlush, "could not be delivered");
      assertEquals(1, error.getSuppressed().length);
      mpi.bufferFlush(); // it has been told
      assertSame(Buf.automatic(), mpi.bufferDetach());
    }
  }

  @MpiTest(ranks = {1, 2})
  void badBuffersAreRefused(Mpi mpi) {
    Comm world = mpi.world();
    Buf<Byte> good = Buf.of(new byte[1_000]);
    Arena closed = Arena.ofShared();
    MemorySegment gone = closed.allocate(1_000);
    Buf<Byte> late = Buf.of(gone, 1_000, Datatype.BYTE);
    closed.close();
    try (Arena confined = Arena.ofConfined();
        Datatype<?> gaps = Datatype.vector(2, 1, 2, Datatype.INT).commit();
        Datatype<?> open = Datatype.contiguous(2, Datatype.INT)) {
      Map<Buf<?>, ErrorClass> bad = Map.of(
          Buf.inPlace(), ErrorClass.ERR_BUFFER,
          Buf.of(confined.allocate(1_000), 1_000, Datatype.BYTE), ErrorClass.ERR_BUFFER,
          Buf.of(new boolean[1_000]), ErrorClass.ERR_BUFFER,
          Buf.of(ByteBuffer.allocate(1_000).asReadOnlyBuffer()), ErrorClass.ERR_BUFFER,
          Buf.of(new int[9], 3, gaps), ErrorClass.ERR_BUFFER,
          late, ErrorClass.ERR_BUFFER,
          Buf.of(new int[9], 3, open), ErrorClass.ERR_TYPE);
      bad.forEach((buf, expected) -> {
        assertError(expected, () -> mpi.bufferAttach(buf), "buffer");
        assertError(expected, () -> world.attachBuffer(buf), "buffer");
      });
      assertError(ErrorClass.ERR_BUFFER, () -> mpi.bufferAttach(null), "buffer = null");
      assertError(ErrorClass.ERR_BUFFER, () -> world.attachBuffer(null), "buffer = null");
    }
    assertError(ErrorClass.ERR_BUFFER, mpi::bufferDetach, "none is attached");
    assertError(ErrorClass.ERR_BUFFER, world::detachBuffer, "none is attached");
    mpi.bufferAttach(good);
    assertError(ErrorClass.ERR_BUFFER, () -> mpi.bufferAttach(Buf.of(new byte[1])), "one at a time", "1000");
    assertError(ErrorClass.ERR_BUFFER, () -> mpi.bufferAttach(Buf.automatic()), "one at a time");
    assertSame(good, mpi.bufferDetach());
    assertError(ErrorClass.ERR_BUFFER, mpi::bufferDetach, "none is attached");
    mpi.bufferAttach(Buf.of(new byte[0]));
    assertError(ErrorClass.ERR_BUFFER, () -> world.bsend(Buf.of(new byte[0]), 0, 0), "BSEND_OVERHEAD");
    mpi.bufferDetach();

    assertTrue(Buf.automatic().isAutomatic());
    assertFalse(Buf.inPlace().isAutomatic());
    assertFalse(Buf.automatic().isInPlace());
    assertEquals(0, Buf.automatic().count());
    assertEquals("Buf.automatic()", Buf.automatic().toString());
    assertError(ErrorClass.ERR_BUFFER, () -> world.send(Buf.automatic(), 0, 0), "Buf.automatic()");
    assertError(ErrorClass.ERR_BUFFER, () -> world.recv(Buf.automatic(), 0, 0), "Buf.automatic()");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.automatic().at(0), "Buf.automatic()");
  }

  @MpiTest(ranks = {1, 2})
  void badSendsAreRefused(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    Buf<Byte> buf = Buf.of(new byte[8]);
    world.bsend(buf, PROC_NULL, 3); // needs no buffer
    assertTrue(world.ibsend(buf, PROC_NULL, 3).test());
    assertError(ErrorClass.ERR_BUFFER, () -> world.bsend(buf, 0, 0), "no buffer is attached", "bufferAttach");
    assertError(ErrorClass.ERR_BUFFER, () -> world.ibsend(buf, 0, 0), "no buffer is attached");
    mpi.bufferAttach(Buf.automatic());
    assertError(ErrorClass.ERR_RANK, () -> world.bsend(buf, n, 0), "dest = " + n);
    assertError(ErrorClass.ERR_TAG, () -> world.bsend(buf, 0, -1), "tag = -1");
    assertError(ErrorClass.ERR_BUFFER, () -> world.bsend(null, 0, 0), "buffer = null");
    assertError(ErrorClass.ERR_RANK, () -> world.ibsend(buf, ANY_SOURCE, 0), "dest = -1");
    assertError(ErrorClass.ERR_TAG, () -> world.ibsend(buf, 0, ANY_TAG), "tag = -2");
    assertError(ErrorClass.ERR_RANK, () -> world.bsendInit(buf, n, 0), "dest = " + n);
    mpi.bufferDetach();
    world.barrier();
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
  }

  /** Packed messages keep the signature of their elements. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void buffersKeepSignatures() {
    Mpi.runThreads(2, Map.of("ffmpi.check", "full", "ffmpi.errors", "return"), BufferedTest::passSignatures);
  }

  private static void passSignatures(Mpi mpi) {
    Comm world = mpi.world();
    for (int count : new int[] {1, 500, 40_000}) {
      if (world.rank() == 0) {
        mpi.bufferAttach(Buf.automatic());
        world.attachBuffer(Buf.of(new byte[8 * count + BSEND_OVERHEAD]));
        world.bsend(Buf.of(new double[count]), 1, 1);
        world.detachBuffer();
        world.bsend(Buf.of(new double[count]), 1, 1);
        mpi.bufferDetach();
        world.isendrecvReplace(Buf.of(new double[count]), 1, 1, 1, 2).await();
      } else {
        double[] data = new double[count];
        world.recv(data, 0, 1);
        Request receive = world.irecv(new long[count], 0, 1);
        MpiException error = assertThrows(MpiException.class, receive::await);
        assertEquals(ErrorClass.ERR_TYPE, error.errorClass());
        assertTrue(error.getMessage().contains("DOUBLE"), error.getMessage());
        Request again = world.irecv(new float[2 * count], 0, 1);
        assertError(ErrorClass.ERR_TYPE, again::await, "DOUBLE", "FLOAT");
        world.send(data, 0, 2);
      }
    }
  }
}
