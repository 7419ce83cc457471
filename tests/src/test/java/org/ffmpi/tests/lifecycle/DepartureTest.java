// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.lifecycle;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.ThreadWorld;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that throw, abort or leave early: the others get an error that says so, and no rank hangs. This file is long
 * because each way to leave meets each way to wait.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class DepartureTest {
  private static final Map<String, String> RETURN = Map.of("ffmpi.errors", "return", "ffmpi.requests.grace", "200000");

  /** A body that fails: what the caller of runThreads sees. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 8})
  void whatABodyThrowsIsThrown(int ranks) {
    IllegalStateException thrown = new IllegalStateException("out of cheese");
    Map<Integer, MpiException> others = new ConcurrentHashMap<>();
    IllegalStateException caught = assertThrows(
        IllegalStateException.class,
        () -> Mpi.runThreads(ranks, RETURN, mpi -> {
          int rank = mpi.world().rank();
          if (rank == ranks - 1) {
            throw thrown;
          }
          try {
            mpi.world().recv(new int[1], ranks - 1, 0);
          } catch (MpiException e) {
            others.put(rank, e);
            throw e;
          }
        }));
    assertSame(thrown, caught);
    assertEquals(ranks - 1, others.size());
    others.forEach((rank, e) -> {
      assertEquals(ErrorClass.ERR_PROC_ABORTED, e.errorClass());
      assertTrue(e.getMessage().contains("rank " + (ranks - 1)), e.getMessage());
      assertTrue(e.getMessage().contains("out of cheese"), e.getMessage());
    });
    assertEquals(ranks - 1, caught.getSuppressed().length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void checkedExceptionsAndErrorsOfABodyAreThrown(int ranks) {
    MpiException wrapped = assertThrows(MpiException.class, () -> Mpi.runThreads(ranks, RETURN, failing(ranks,
        new IOException("no disk"))));
    assertEquals(ErrorClass.ERR_OTHER, wrapped.errorClass());
    assertInstanceOf(IOException.class, wrapped.getCause());
    AssertionError error = new AssertionError("wrong");
    assertSame(error, assertThrows(AssertionError.class, () -> Mpi.runThreads(ranks, RETURN, failing(ranks, error))));
  }

  private static Mpi.Body failing(int ranks, Throwable thrown) {
    return mpi -> {
      if (mpi.world().rank() == 0) {
        switch (thrown) {
          case Exception e -> throw e;
          default -> throw (Error) thrown;
        }
      }
      mpi.world().barrier();
    };
  }

  /** The root has left before the others see that their buffers are too short: its data are there all the same. */
  @Test
  void aRootThatHasLeftHidesNoErrorInLengths() {
    Mpi.runThreads(3, RETURN, mpi -> {
      IntraComm world = mpi.world();
      boolean isShort = world.rank() > 0;
      for (int round = 0; round < 16; round++) {
        IntraComm comm = world.dup();
        Buf<Integer> data = Buf.of(new int[isShort ? 50 : 100]);
        if (isShort) {
          assertError(ErrorClass.ERR_COUNT, () -> comm.bcast(data, 0),
              "rank 0 has 400 bytes where rank " + world.rank() + " has 200");
        } else {
          comm.bcast(data, 0);
        }
      }
    });
  }

  /** Every kind of wait notices the end of the world. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "recv", "await", "waitAny", "waitSome", "probe", "ssend", "large send", "barrier", "allreduce", "ibarrier",
        "iprobe", "test", "full ring"
      })
  void everyKindOfWaitEnds(String kind) {
    for (Map<String, String> settings : List.of(
        RETURN, Map.of("ffmpi.errors", "return", "ffmpi.spin", "0", "ffmpi.yield", "0", "ffmpi.ring.slots", "2"))) {
      Map<Integer, MpiException> seen = new ConcurrentHashMap<>();
      assertThrows(IllegalStateException.class, () -> Mpi.runThreads(3, settings, mpi -> {
        Comm world = mpi.world();
        if (world.rank() == 2) {
          Thread.sleep(30);
          throw new IllegalStateException("the end");
        }
        try {
          waitForRank2(world, kind);
        } catch (MpiException e) {
          seen.put(world.rank(), e);
          throw e;
        }
      }));
      assertEquals(2, seen.size(), kind);
      seen.values().forEach(e -> assertEquals(ErrorClass.ERR_PROC_ABORTED, e.errorClass(), kind + ": " + e));
    }
  }

  private static void waitForRank2(Comm world, String kind) {
    int[] data = new int[1];
    switch (kind) {
      case "recv" -> world.recv(data, ANY_SOURCE, 7);
      case "await" -> world.irecv(data, 2, 7).await();
      case "waitAny" -> Request.waitAny(List.of(world.irecv(data, 2, 7), world.irecv(data, 2, 8)));
      case "waitSome" -> Request.waitSome(List.of(world.irecv(data, 2, 7), world.irecv(data, 2, 8)));
      case "probe" -> world.probe(ANY_SOURCE, ANY_TAG);
      case "ssend" -> world.ssend(Buf.of(data), 2, 7);
      case "large send" -> world.send(new int[1_000_000], 2, 7);
      case "barrier" -> world.barrier();
      case "allreduce" -> world.allreduce(Buf.of(data), Op.SUM);
      case "ibarrier" -> world.ibarrier().await();
      case "iprobe" -> {
        while (world.iprobe(2, 7).isEmpty()) {
          Thread.onSpinWait();
        }
      }
      case "test" -> {
        Request receive = world.irecv(data, 2, 7);
        while (!receive.test()) {
          Thread.onSpinWait();
        }
      }
      case "full ring" -> {
        while (true) {
          world.send(new long[1000], 2, 7);
        }
      }
      default -> throw new IllegalArgumentException(kind);
    }
  }

  /** The form without a lambda: the environment is closed on the way out, and the peers notice. */
  @EveryTransport
  @MpiTest(ranks = {2, 3, 4})
  void aRankThatLeavesTryWithResourcesByAnException(Mpi mpi) {
    Comm world = mpi.world();
    int[] data = new int[1];
    if (world.rank() == 0) {
      assertThrows(IllegalStateException.class, () -> {
        try (mpi) {
          world.recv(data, 1, 1);
          throw new IllegalStateException("enough");
        }
      });
      assertError(ErrorClass.ERR_OTHER, () -> world.send(data, 1, 0), "finalized");
    } else {
      if (world.rank() == 1) {
        world.send(data, 0, 1);
      }
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.recv(data, 0, 5), "rank 0");
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.probe(0, 5), "rank 0");
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.ssend(Buf.of(data), 0, 5), "rank 0");
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.irecv(data, 0, 5).await(), "rank 0");
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.send(new int[500_000], 0, 5), "rank 0");
      assertError(ErrorClass.ERR_PROC_ABORTED, world::barrier, "rank ");
      // The others still reach each other.
      if (world.size() > 2 && world.rank() < 3) {
        int other = 3 - world.rank();
        int[] got = new int[1];
        world.sendrecv(Buf.of(new int[] {world.rank()}), other, 2, Buf.of(got), other, 2);
        assertEquals(other, got[0]);
      }
    }
  }

  /** What a rank sent before it left is received after it has left. */
  @EveryTransport
  @MpiTest(ranks = {2, 3})
  void messagesOutliveTheirSender(Mpi mpi) throws InterruptedException {
    Comm world = mpi.world();
    int[] lengths = {8, 1_000, 15_000, 60_000};
    if (world.rank() > 0) {
      for (int length : lengths) {
        world.isend(Data.bytes(world.rank(), length), 0, length);
      }
      mpi.close(); // has to wait for the large one, which nobody awaits
      assertTrue(Mpi.isFinalized());
    } else {
      Thread.sleep(50);
      for (int source = world.size() - 1; source > 0; source--) {
        for (int i = lengths.length - 1; i >= 0; i--) {
          byte[] data = new byte[lengths[i]];
          world.recv(data, source, lengths[i]);
          Data.check(data, 0, source, lengths[i]);
        }
      }
      int[] data = new int[1];
      for (int source = 1; source < world.size(); source++) {
        int gone = source;
        assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.recv(data, gone, 1), "rank " + gone, "finalized");
      }
    }
  }

  /** Nobody is left but the rank itself, whose threads send to it. */
  @EveryTransport
  @MpiTest(ranks = {2, 3})
  void ownThreadsSendWhenAllOthersHaveFinalized(Mpi mpi) throws Throwable {
    IntraComm world = mpi.world();
    IntraComm copy = world.dup();
    if (world.rank() > 1) {
      return;
    }
    IntraComm pair = world.createGroup(world.group().incl(0, 1), 5);
    if (world.rank() == 1) {
      return;
    }
    for (int source = 1; source < world.size(); source++) {
      int gone = source;
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.recv(new int[1], gone, 8)); // so now it is known
    }
    for (IntraComm comm : List.of(world, copy, pair)) {
      for (String kind : List.of("recv", "irecv", "test", "waitAny", "persistent", "probe", "mprobe")) {
        int[] data = {0};
        CountDownLatch posted = new CountDownLatch(1);
        Thread receiver = Thread.ofPlatform().daemon().start(() -> {
          posted.countDown();
          receiveFromAny(comm, kind, data);
        });
        posted.await();
        assertError(ErrorClass.ERR_PROC_ABORTED, () -> comm.recv(new int[1], 1, 8), "rank 1");
        Thread.sleep(3); // the receiver has looked around more than once
        comm.send(new int[] {7}, 0, 3);
        receiver.join();
        assertEquals(7, data[0], kind);
      }
    }
  }

  private static void receiveFromAny(Comm comm, String kind, int[] data) {
    switch (kind) {
      case "recv" -> comm.recv(data, ANY_SOURCE, 3);
      case "irecv" -> comm.irecv(data, ANY_SOURCE, ANY_TAG).await();
      case "test" -> {
        Request receive = comm.irecv(data, ANY_SOURCE, 3);
        while (!receive.test()) {
          Thread.onSpinWait();
        }
      }
      case "waitAny" -> {
        Request never = comm.irecv(new int[1], 0, 4);
        assertEquals(1, Request.waitAny(List.of(never, comm.irecv(data, ANY_SOURCE, 3))));
        never.cancel();
        never.await();
      }
      case "persistent" -> {
        try (Persistent receive = comm.recvInit(Buf.of(data), ANY_SOURCE, 3)) {
          receive.start();
          receive.await();
        }
      }
      case "probe" -> {
        assertEquals(0, comm.probe(ANY_SOURCE, 3).source());
        comm.recv(data, 0, 3);
      }
      case "mprobe" -> comm.mprobe(ANY_SOURCE, ANY_TAG).mrecv(Buf.of(data));
      default -> throw new IllegalArgumentException(kind);
    }
  }

  /** Between two groups a rank is no sender of its own messages. */
  @MpiTest(ranks = {2, 3})
  void ofAnotherGroupNobodyIsLeft(Mpi mpi) {
    IntraComm world = mpi.world();
    int own = Math.min(1, world.rank());
    IntraComm half = world.split(own, world.rank());
    InterComm between = half.intercomm(0, world, 1 - own, 9);
    if (own == 0) {
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> between.recv(new int[1], ANY_SOURCE, 3), "finalized");
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> between.probe(ANY_SOURCE, ANY_TAG), "finalized");
    }
  }

  /** The standard's own example: a rank that only prints needs no partner. */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 8})
  @DisplayName("S1-2.9.1-a: printing needs no partner")
  void printingNeedsNoPartner(Mpi mpi) {
    if (mpi.world().rank() == 0) {
      System.out.print(""); // "Starting program"
    }
    mpi.close();
    mpi.close(); // twice does nothing
    assertTrue(Mpi.isInitialized());
    assertTrue(Mpi.isFinalized());
  }

  /** An exception inside a scope of requests: its operations are cancelled, and the exception goes on. */
  @EveryTransport
  @MpiTest(ranks = {2, 3})
  void aRankThatThrowsInsideARequestsScope(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      byte[] data = new byte[100];
      IllegalStateException caught = assertThrows(IllegalStateException.class, () -> {
        try (Requests scope = world.requests()) {
          scope.irecv(data, 1, 1);
          scope.irecv(data, ANY_SOURCE, 2);
          scope.issend(Buf.of(new byte[70_000]), 1, 3);
          throw new IllegalStateException("in the scope");
        }
      });
      assertEquals(0, caught.getSuppressed().length, "everything could be cancelled");
      world.send(new int[] {9}, 1, 4);
      world.recv(new int[1], 1, 5);
    } else if (world.rank() == 1) {
      int[] data = new int[1];
      world.recv(data, 0, 4);
      assertEquals(9, data[0]);
      assertTrue(world.iprobe(0, 3).isEmpty(), "the cancelled message is not there");
      world.send(data, 0, 5);
    }
  }

  /** What cannot be cancelled, since it is half way, is given time; then the world ends. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aScopeLeftInTheMiddleOfATransferEndsTheWorld(int ranks) {
    MpiException seen = assertThrows(MpiException.class, () -> Mpi.runThreads(ranks, RETURN, mpi -> {
      Comm world = mpi.world();
      if (world.rank() == 0) {
        // A transfer of 64 MiB has begun when this rank stops to take part in it.
        byte[] data = new byte[1 << 26];
        try (Requests scope = world.requests()) {
          Request receive = scope.irecv(data, 1, 1);
          scope.irecv(data, 1, 99);
          for (int i = 0; i < 3; i++) {
            receive.test();
          }
          world.send(new int[0], 1, 2);
        }
      } else {
        if (world.rank() == 1) {
          Request send = world.isend(new byte[1 << 26], 0, 1);
          world.recv(new int[0], 0, 2);
          Thread.sleep(1_000); // does not take part either, longer than the scope waits
          send.await();
        }
        world.barrier();
      }
    }));
    // Whether the cancel or the message came first is a race; only the first lets everything go on.
    assertTrue(
        seen.errorClass() == ErrorClass.ERR_PENDING || seen.errorClass() == ErrorClass.ERR_PROC_ABORTED,
        seen.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void abortEndsThatWorldOnly(int ranks) {
    AtomicInteger after = new AtomicInteger();
    Mpi.runThreads(2, RETURN, outer -> {
      if (outer.world().rank() == 0) {
        MpiException e = assertThrows(MpiException.class, () -> Mpi.runThreads(ranks, RETURN, mpi -> {
          if (mpi.world().rank() == ranks - 1) {
            mpi.abort(3);
          }
          mpi.world().barrier();
        }));
        assertEquals(ErrorClass.ERR_PROC_ABORTED, e.errorClass());
        assertTrue(e.getMessage().contains("abort(3)"), e.getMessage());
      }
      outer.world().barrier();
      after.incrementAndGet();
    });
    assertEquals(2, after.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {"fatal", "abort"})
  @DisplayName("S1-2.8-d: errors end the world by default")
  void errorsEndTheWorldByDefault(String handler) {
    Map<String, String> settings = handler.equals("fatal") ? Map.of() : Map.of("ffmpi.errors", handler);
    AtomicInteger reached = new AtomicInteger();
    MpiException thrown = assertThrows(MpiException.class, () -> Mpi.runThreads(3, settings, mpi -> {
      Comm world = mpi.world();
      assertEquals(handler.equals("fatal") ? Errhandler.FATAL : Errhandler.ABORT, world.errhandler());
      if (world.rank() == 1) {
        try {
          world.send(new int[1], 3, 0);
        } catch (MpiException e) {
          // The world has ended all the same, for this rank as for the others.
          assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.recv(new int[1], 0, 0), "dest = 3");
          throw e;
        }
      }
      world.recv(new int[1], 1, 0);
      reached.incrementAndGet();
    }));
    assertEquals(ErrorClass.ERR_RANK, thrown.errorClass());
    assertEquals(0, reached.get());
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2}, settings = "ffmpi.errors=fatal")
  @DisplayName("S1-2.8-e: errors can be made to return")
  void errorsCanBeMadeToReturn(Comm world) {
    assertEquals(Errhandler.FATAL, world.errhandler());
    world.setErrhandler(Errhandler.RETURN);
    assertEquals(Errhandler.RETURN, world.errhandler());
    assertError(ErrorClass.ERR_RANK, () -> world.send(new int[1], 77, 0), "77");
    assertError(ErrorClass.ERR_ERRHANDLER, () -> world.setErrhandler(null), "errhandler");
    world.barrier(); // nothing has ended
  }

  @EveryTransport
  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-2.8-f: errors of nonblocking calls surface where they complete")
  void errorsOfNonblockingCallsSurfaceWhereTheyComplete(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : new int[] {10, 100, 5_000, 60_000}) {
      byte[] tooSmall = new byte[length / 2];
      Request receive = world.irecv(tooSmall, previous, 1);
      world.isend(Data.bytes(1, length), next, 1).await();
      Status status = new Status();
      assertError(ErrorClass.ERR_TRUNCATE, () -> receive.await(status), String.valueOf(length), "rank " + previous);
      assertEquals(ErrorClass.SUCCESS, status.error(), "not touched, the error is thrown");
      assertEquals(previous, status.source());
      assertEquals(1, status.tag());
      assertFalse(receive.isActive());
      receive.await(); // the error is told once
    }
    world.barrier();
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-2.8-g: truncation writes nothing beyond the buffer")
  void truncationWritesNothingBeyondTheBuffer(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int elements : new int[] {3, 30, 2_000, 30_000}) {
      float[] sent = new float[elements];
      Arrays.fill(sent, 1);
      float[] received = new float[elements];
      Arrays.fill(received, 9);
      int fits = elements - elements / 3;
      Request receive = world.irecv(Buf.of(received, 0, fits), previous, 1);
      Request send = world.isend(sent, next, 1);
      assertError(ErrorClass.ERR_TRUNCATE, receive::await, String.valueOf(4L * elements), String.valueOf(4L * fits));
      send.await();
      for (int i = fits; i < elements; i++) {
        assertEquals(9, received[i], "element " + i + " of " + elements);
      }
      // The next message is not touched by it.
      Request after = world.irecv(received, previous, 1);
      world.isend(sent, next, 1).await();
      after.await();
      assertEquals(1, received[elements - 1]);
    }
  }

  /** A world that is closed from outside while its ranks wait. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aWorldClosedFromOutsideEnds(int ranks) {
    Map<Integer, MpiException> seen = new ConcurrentHashMap<>();
    ThreadWorld world = ThreadWorld.start(ranks, RETURN, mpi -> {
      MpiException e = assertThrows(MpiException.class, () -> mpi.world().recv(new int[1], mpi.world().rank(), 0));
      seen.put(mpi.world().rank(), e);
      throw e;
    });
    world.close();
    assertThrows(MpiException.class, world::await);
    assertEquals(ranks, seen.size());
    seen.values().forEach(e -> assertEquals(ErrorClass.ERR_PROC_ABORTED, e.errorClass()));
  }

  /** Who only tests, and never waits, gets to know as well. */
  @Test
  void testsFindOutThatASenderHasFinalized() {
    Mpi.runThreads(2, RETURN, mpi -> {
      if (mpi.world().rank() == 0) {
        Request never = mpi.world().irecv(new int[1], 1, 0);
        assertError(ErrorClass.ERR_PROC_ABORTED, () -> {
          while (!never.test()) {
            Thread.onSpinWait();
          }
        });
      }
    });
  }

  /** A program may look for messages, and take back receives that nobody has sent to, when all others have left. */
  @EveryTransport
  @MpiTest(ranks = {2, 3})
  void lookingAndCancellingIsRightAfterSendersHaveFinalized(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() > 0) {
      world.send(new int[] {world.rank()}, 0, 5);
      return;
    }
    Request fromOne = world.irecv(new int[1], 1, 7);
    Request fromAny = world.irecv(new int[1], ANY_SOURCE, 7);
    Persistent again = world.recvInit(Buf.of(new int[1]), 1, 7);
    again.start();
    for (int source = 1; source < world.size(); source++) {
      int gone = source;
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.recv(new int[1], gone, 8)); // so now it is known
    }
    for (int source = 1; source < world.size(); source++) {
      int[] data = new int[1];
      assertTrue(world.iprobe(source, 5).isPresent());
      world.improbe(source, 5).orElseThrow().mrecv(Buf.of(data));
      assertEquals(source, data[0]);
      assertTrue(world.iprobe(source, ANY_TAG).isEmpty());
      assertTrue(world.improbe(source, ANY_TAG).isEmpty());
    }
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    assertTrue(world.improbe(ANY_SOURCE, ANY_TAG).isEmpty());
    for (Request receive : List.of(fromOne, fromAny, again)) {
      receive.cancel();
      Status status = receive.await(new Status());
      assertTrue(status.isCancelled());
      assertEquals(ErrorClass.SUCCESS, status.error());
    }
    again.close();
  }

  /** What a rank has received before it left counts, however many messages that were and whoever else keeps sending. */
  @Test
  void sendsThatWereReceivedBeforeTheReceiverLeftAreComplete() {
    int messages = 300;
    Mpi.runThreads(3, RETURN, mpi -> {
      Comm world = mpi.world();
      switch (world.rank()) {
        case 0 -> {
          Request[] sends = new Request[messages];
          for (int i = 0; i < messages; i++) {
            sends[i] = world.issend(Buf.of(new int[] {i}), 1, i % 7);
          }
          world.recv(new int[1], 2, 1); // rank 1 has gone, and rank 2 begins to send
          Request never = world.irecv(new int[1], 1, 3);
          assertError(ErrorClass.ERR_PROC_ABORTED, never::await);
          Request.waitAll(Arrays.asList(sends));
          int[] data = {0};
          while (data[0] >= 0) {
            world.recv(data, 2, 2);
          }
        }
        case 1 -> {
          int[] data = new int[1];
          for (int tag = 0; tag < 7; tag++) {
            for (int i = tag; i < messages; i += 7) {
              world.recv(data, 0, tag);
              assertEquals(i, data[0]);
            }
          }
        }
        default -> {
          Request never = world.irecv(new int[1], 1, 3);
          assertError(ErrorClass.ERR_PROC_ABORTED, never::await);
          world.send(new int[1], 0, 1);
          for (int i = 2_000; i >= -1; i--) {
            world.send(new int[] {i}, 0, 2);
          }
        }
      }
    });
  }
}
