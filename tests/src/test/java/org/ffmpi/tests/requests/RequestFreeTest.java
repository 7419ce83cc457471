// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.requests;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations that the program has given up ({@code MPI_Request_free}, MPI-4.1 §3.7.3). */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestFreeTest {
  private static final int[] LENGTHS = {0, 8, 100, 5_000, 70_000, 300_000};

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3})
  void sendsGoOnAndArrive(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : LENGTHS) {
      Request incoming = world.irecv(new byte[length], previous, 1);
      byte[] data = new byte[length];
      Request other = world.irecv(data, previous, 2);
      world.isend(Data.bytes(1, length), next, 1).close();
      Request synchronous = world.issend(Buf.of(Data.bytes(2, length)), next, 2);
      synchronous.close();
      assertEquals(Constants.ANY_SOURCE, synchronous.await(new Status()).source());
      Request.waitAll(List.of(incoming, other));
      Data.check(data, 0, 2, length);
      world.barrier();
    }
  }

  @EveryTransport
  @MpiTest(ranks = 2)
  void receivesGoOnAndTakeTheirMessage(Comm world) {
    for (int length : LENGTHS) {
      if (world.rank() == 0) {
        byte[] data = new byte[length];
        byte[] expected = Data.bytes(length, length);
        Request first = world.irecv(data, 1, 1);
        first.close();
        assertFalse(first.isActive());
        assertEquals(Constants.ANY_SOURCE, first.await(new Status()).source());
        assertError(ErrorClass.ERR_REQUEST, first::cancel, "not active");
        byte[] second = new byte[8];
        Request next = world.irecv(second, 1, 1);
        world.barrier();
        next.await();
        Data.check(second, 0, 9, 8);
        while (!Arrays.equals(expected, data)) {
          world.iprobe(1, 99);
        }
      } else {
        world.barrier();
        world.send(Data.bytes(length, length), 0, 1);
        world.send(Data.bytes(9, 8), 0, 1);
      }
      world.barrier();
    }
  }

  /** The engine keeps the memory of an operation that nobody holds any more. */
  @MpiTest(ranks = 2)
  void memoryIsKept(Comm world) throws InterruptedException {
    int length = 3_000_000;
    if (world.rank() == 0) {
      for (int i = 0; i < 4; i++) {
        MemorySegment segment = Arena.ofAuto().allocate(length);
        Data.fill(segment, i);
        world.isend(Buf.of(segment, length, Datatype.BYTE), 1, i).close();
      }
      for (int i = 0; i < 5; i++) {
        System.gc();
        Thread.sleep(10);
        Arena.ofAuto().allocate(length).fill((byte) -1);
      }
      world.barrier();
      world.barrier();
    } else {
      world.barrier();
      byte[] data = new byte[length];
      for (int i = 3; i >= 0; i--) {
        world.recv(data, 0, i);
        Data.check(data, 0, i, length);
      }
      world.barrier();
    }
  }

  /** Finalize sends what was promised, and drops receives that have found nothing. */
  @ParameterizedTest
  @ValueSource(ints = {8, 70_000, 2_000_000})
  void finalizeWithOperationsInFlight(int length) {
    AtomicInteger received = new AtomicInteger();
    Mpi.runThreads(2, Map.of(), mpi -> {
      Comm world = mpi.world();
      if (world.rank() == 0) {
        world.irecv(new byte[length], 1, 1).close();
        world.irecv(new byte[length], Constants.ANY_SOURCE, 2).close();
        Persistent in = world.recvInit(Buf.of(new byte[1]), 1, 3);
        in.start();
        in.close();
        world.isend(Data.bytes(4, length), 1, 4).close();
        world.issend(Buf.of(Data.bytes(5, length)), 1, 5).close();
      } else {
        Thread.sleep(20); // rank 0 is leaving by now
        byte[] data = new byte[length];
        for (int tag = 5; tag >= 4; tag--) {
          world.recv(data, 0, tag);
          Data.check(data, 0, tag, length);
          received.incrementAndGet();
        }
      }
    });
    assertEquals(2, received.get());
  }

  /** As processes: what rank 0 has given up goes out before its process ends. */
  @MpiTest(ranks = 2, processes = true)
  void finalizeOfAProcessWithOperationsInFlight(Comm world) throws InterruptedException {
    int length = 2_000_000;
    if (world.rank() == 0) {
      world.irecv(new byte[length], 1, 1).close();
      world.isend(Data.bytes(4, 8), 1, 4).close();
      world.isend(Data.bytes(5, length), 1, 5).close();
      world.issend(Buf.of(Data.bytes(6, 100)), 1, 6).close();
    } else {
      Thread.sleep(300);
      byte[] data = new byte[length];
      for (int tag = 6; tag >= 4; tag--) {
        long bytes = world.recv(data, 0, tag, new Status()).bytes();
        Data.check(data, 0, tag, (int) bytes);
      }
    }
  }

  /** Nobody waits for it, so that it is nobody's error that its sender has left. */
  @ParameterizedTest
  @ValueSource(strings = {"calls", "thread"})
  void aReceiveWhoseSenderHasLeftIsDropped(String progress) {
    Mpi.runThreads(2, Map.of("ffmpi.progress", progress), mpi -> {
      Comm world = mpi.world();
      if (world.rank() == 0) {
        world.irecv(new byte[1], 1, 1).close();
        world.irecv(new byte[1], 1, Constants.ANY_TAG).close();
        world.barrier();
        long[] sum = {1};
        for (int i = 0; i < 200; i++) {
          mpi.self().allreduce(Buf.of(sum), Op.SUM);
          world.iprobe(0, 1);
          Thread.sleep(0, 200_000);
        }
      } else {
        world.barrier();
      }
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"calls", "thread"})
  @DisplayName("S1-2.8-f: an error that no later call can tell is fatal")
  void anErrorOfWhatWasGivenUpEndsTheJob(String progress) {
    MpiException error = assertThrows(
        MpiException.class,
        () -> Mpi.runThreads(2, Map.of("ffmpi.progress", progress), mpi -> {
          Comm world = mpi.world();
          if (world.rank() == 0) {
            world.irecv(new int[1], 1, 1).close();
            world.barrier();
            world.recv(new int[1], 1, 2); // never comes
          } else {
            world.barrier();
            world.send(new int[3], 0, 1);
            world.recv(new int[1], 0, 2);
          }
        }));
    assertSame(ErrorClass.ERR_TRUNCATE, error.errorClass(), error.getMessage());
  }

  /** Rank 0 gives a receive up that is too short for its message, and goes on. */
  static final class TooShort {
    private TooShort() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        Comm world = mpi.world();
        if (world.rank() == 0) {
          world.irecv(new int[1], 1, 1).close();
        }
        world.barrier();
        if (world.rank() == 1) {
          world.send(new int[3], 0, 1);
        }
        world.recv(new int[1], 1 - world.rank(), 2); // never comes
      });
    }
  }

  @Test
  @DisplayName("S1-2.8-f: an error that no later call can tell ends the processes")
  void anErrorOfWhatWasGivenUpEndsTheProcesses() throws InterruptedException {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = RankJvm.launcher(2)
        .main(TooShort.class.getName())
        .errors(err)
        .timeout(Duration.ofSeconds(100))
        .run();
    String said = err.toString(StandardCharsets.UTF_8);
    assertEquals(ErrorClass.ERR_TRUNCATE.code(), code, said);
    assertTrue(said.contains("MPI_ERR_TRUNCATE: message of 12 bytes from rank 1"), said);
  }

  /** Where errors are only returned there is no call left that could return this one. */
  @MpiTest(ranks = 2)
  void anErrorOfWhatWasGivenUpIsDroppedWhereErrorsAreReturned(Comm world) {
    assertEquals(Errhandler.RETURN, world.errhandler());
    if (world.rank() == 0) {
      world.irecv(new int[1], 1, 1).close();
      world.barrier();
      int[] data = new int[1];
      world.recv(data, 1, 1);
      assertEquals(5, data[0]);
    } else {
      world.barrier();
      world.send(new int[3], 0, 1);
      world.send(new int[] {5}, 0, 1);
    }
    world.barrier();
  }

  @MpiTest(ranks = 2)
  void collectivesInFlightCannotBeGivenUp(Comm world) {
    if (world.rank() == 0) {
      Request barrier = world.ibarrier();
      assertError(ErrorClass.ERR_REQUEST, barrier::close, "collective", "freed");
      assertError(ErrorClass.ERR_REQUEST, barrier::cancel, "collective", "cancelled");
      world.send(new int[1], 1, 0);
      while (barrier.getStatus().isEmpty()) {
        Thread.onSpinWait();
      }
      assertError(ErrorClass.ERR_REQUEST, barrier::close, "collective", "freed"); // complete or not
      assertError(ErrorClass.ERR_REQUEST, barrier::cancel, "collective", "cancelled");
      barrier.await();
      barrier.close();
      assertError(ErrorClass.ERR_REQUEST, barrier::cancel, "not active");
    } else {
      world.recv(new int[1], 0, 0);
      world.ibarrier().await();
    }
  }

  @MpiTest(ranks = 2)
  void whatHasFailedIsToldByClose(Comm world) {
    if (world.rank() == 0) {
      Request incoming = world.irecv(new int[1], 1, 1);
      world.barrier();
      while (!incoming.getStatus(new Status())) {
        Thread.onSpinWait();
      }
      assertError(ErrorClass.ERR_TRUNCATE, incoming::close);
      incoming.close();
    } else {
      world.send(new int[2], 0, 1);
      world.barrier();
    }
  }
}
