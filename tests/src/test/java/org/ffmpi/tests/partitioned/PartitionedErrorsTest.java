// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.partitioned;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Misuse of partitioned communication: the error that the standard names, and nothing is broken by it. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartitionedErrorsTest {
  /** After all the errors of a test partitioned messages still pass. */
  private static void assertUsable(Comm world) {
    int[] received = new int[12];
    int[] sent = new int[12];
    Arrays.setAll(sent, i -> i + 100 * world.rank());
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    try (PartitionedSend out = world.psendInit(Buf.of(sent), 3, next, 77);
        PartitionedRecv in = world.precvInit(Buf.of(received), 4, previous, 77)) {
      in.start();
      out.start();
      out.preadyRange(0, 2);
      out.await();
      in.await();
    }
    for (int i = 0; i < 12; i++) {
      assertEquals(i + 100 * previous, received[i]);
    }
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    world.barrier();
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.1: arguments of psend_init and precv_init")
  void wrongArguments(Comm world) {
    Buf<Integer> buf = Buf.of(new int[12]);
    for (int partitions : new int[] {-1, Integer.MIN_VALUE}) {
      assertError(ErrorClass.ERR_ARG, () -> world.psendInit(buf, partitions, 0, 0), "partitions = " + partitions);
      assertError(ErrorClass.ERR_ARG, () -> world.precvInit(buf, partitions, 0, 0), "partitions = " + partitions);
    }
    for (int partitions : new int[] {0, 5, 7, 13, Integer.MAX_VALUE}) {
      assertError(
          ErrorClass.ERR_COUNT, () -> world.psendInit(buf, partitions, 0, 0), "12", "multiples of the " + partitions);
      assertError(
          ErrorClass.ERR_COUNT, () -> world.precvInit(buf, partitions, 0, 0), "12", "multiples of the " + partitions);
      assertError(ErrorClass.ERR_COUNT, () -> world.precvInit(buf, partitions, PROC_NULL, 0), "12");
    }
    for (int rank : new int[] {world.size(), -4, Integer.MAX_VALUE}) {
      assertError(ErrorClass.ERR_RANK, () -> world.psendInit(buf, 3, rank, 0), "dest = " + rank);
      assertError(ErrorClass.ERR_RANK, () -> world.precvInit(buf, 3, rank, 0), "source = " + rank);
    }
    assertError(ErrorClass.ERR_RANK, () -> world.psendInit(buf, 3, ANY_SOURCE, 0), "dest");
    assertError(ErrorClass.ERR_RANK, () -> world.precvInit(buf, 3, ANY_SOURCE, 0), "source = ANY_SOURCE");
    assertError(ErrorClass.ERR_TAG, () -> world.psendInit(buf, 3, 0, ANY_TAG), "tag");
    assertError(ErrorClass.ERR_TAG, () -> world.precvInit(buf, 3, 0, ANY_TAG), "tag = ANY_TAG");
    assertError(ErrorClass.ERR_TAG, () -> world.precvInit(buf, 3, 0, -7), "tag = -7");
    assertError(ErrorClass.ERR_BUFFER, () -> world.psendInit(null, 3, 0, 0), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.precvInit(Buf.inPlace(), 3, 0, 0), "inPlace");
    Buf<Byte> readOnly = Buf.of(Arena.ofAuto().allocate(8).asReadOnly(), 8, Datatype.BYTE);
    assertError(ErrorClass.ERR_BUFFER, () -> world.precvInit(readOnly, 2, 0, 0), "writable");
    try (Datatype<?> raw = Datatype.vector(2, 1, 2, Datatype.INT)) {
      assertError(ErrorClass.ERR_TYPE, () -> world.psendInit(Buf.of(new int[3], 1, raw), 1, 0, 0), "commit");
    }
    MemorySegment segment = Arena.ofAuto().allocate(16);
    try (Datatype<?> absolute =
        Datatype.hindexed(new long[] {1}, new long[] {Address.of(segment)}, Datatype.INT).commit()) {
      Buf<?> bottom = Buf.bottom(List.of(segment), 1, absolute);
      assertError(ErrorClass.ERR_BUFFER, () -> world.psendInit(bottom, 1, 0, 0), "follow one another");
      assertError(ErrorClass.ERR_BUFFER, () -> world.precvInit(bottom, 1, 0, 0), "follow one another");
    }
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.1: pready of what is not there, not active or marked already")
  void wrongMarks(Comm world) {
    int peer = world.size() - 1 - world.rank();
    int[] received = new int[6];
    try (PartitionedSend out = world.psendInit(Buf.of(new int[] {0, 1, 2, 3, 4, 5}), 6, peer, 0);
        PartitionedRecv in = world.precvInit(Buf.of(received), 6, peer, 0)) {
      for (int round = 0; round < 3; round++) {
        assertError(ErrorClass.ERR_REQUEST, () -> out.pready(0), "not active");
        assertError(ErrorClass.ERR_REQUEST, () -> out.preadyRange(0, 5), "not active");
        assertError(ErrorClass.ERR_REQUEST, () -> out.preadyList(0, 5), "not active");
        assertError(ErrorClass.ERR_REQUEST, () -> out.preadyList(), "not active");
        out.start();
        in.start();
        assertError(ErrorClass.ERR_REQUEST, out::start, "is active");
        assertError(ErrorClass.ERR_REQUEST, () -> Persistent.startAll(List.of(out)), "is active");
        for (int p : new int[] {-1, 6, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
          assertError(ErrorClass.ERR_ARG, () -> out.pready(p), "partition = " + p, "0..5");
          assertError(ErrorClass.ERR_ARG, () -> out.preadyRange(p, 3), "low = " + p);
          assertError(ErrorClass.ERR_ARG, () -> out.preadyRange(0, p), "high = " + p);
          assertError(ErrorClass.ERR_ARG, () -> out.preadyList(0, p), "partition = " + p);
          assertError(ErrorClass.ERR_ARG, () -> in.parrived(p), "partition = " + p, "0..5");
        }
        assertError(ErrorClass.ERR_ARG, () -> out.preadyRange(3, 2), "high = 2", "low = 3");
        assertError(ErrorClass.ERR_ARG, () -> out.preadyList((int[]) null), "null");
        out.pready(3);
        assertError(ErrorClass.ERR_ARG, () -> out.pready(3), "partition = 3", "not yet marked");
        assertError(ErrorClass.ERR_ARG, () -> out.preadyRange(0, 5), "partition = 3");
        assertError(ErrorClass.ERR_ARG, () -> out.preadyList(5, 4, 3), "partition = 3");
        assertError(ErrorClass.ERR_ARG, () -> out.preadyList(1, 2, 1), "partition = 1");
        assertFalse(out.test());
        assertFalse(in.parrived(0) || in.parrived(1) || in.parrived(5), "a refused call marks nothing");
        world.barrier(); // nobody marks more before all have looked
        out.preadyRange(0, 2);
        out.preadyList(5, 4);
        assertError(ErrorClass.ERR_ARG, () -> out.pready(0), "partition = 0");
        out.await();
        in.await();
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5}, received);
        assertTrue(in.parrived(0));
        assertError(ErrorClass.ERR_ARG, () -> in.parrived(6), "partition = 6");
      }
    }
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.1: an active partitioned request can be neither cancelled nor freed")
  void activeRequestsStay(Comm world) {
    int peer = world.size() - 1 - world.rank();
    PartitionedSend out = world.psendInit(Buf.of(new int[4]), 2, peer, 0);
    PartitionedRecv in = world.precvInit(Buf.of(new int[4]), 2, peer, 0);
    out.start();
    in.start();
    assertError(ErrorClass.ERR_REQUEST, out::cancel, "cancelled");
    assertError(ErrorClass.ERR_REQUEST, in::cancel, "cancelled");
    assertError(ErrorClass.ERR_REQUEST, out::close, "freed");
    assertError(ErrorClass.ERR_REQUEST, in::close, "freed");
    world.barrier();
    out.preadyRange(0, 1);
    while (in.getStatus().isEmpty()) {
      Thread.yield();
    }
    while (out.getStatus().isEmpty()) {
      Thread.yield();
    }
    assertError(ErrorClass.ERR_REQUEST, in::close, "freed"); // complete, though no wait has said so
    assertError(ErrorClass.ERR_REQUEST, in::cancel, "cancelled");
    assertError(ErrorClass.ERR_REQUEST, out::close, "freed");
    assertError(ErrorClass.ERR_REQUEST, out::cancel, "cancelled");
    in.await();
    in.close();
    in.close();
    out.await();
    out.close();
    assertError(ErrorClass.ERR_REQUEST, out::start, "closed");
    assertError(ErrorClass.ERR_REQUEST, in::start, "closed");
    assertError(ErrorClass.ERR_REQUEST, () -> out.pready(0), "not active");
    assertTrue(in.parrived(0));
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§3.2.4: more than fits is ERR_TRUNCATE, and nothing is written beyond")
  void truncation(Comm world) {
    int peer = world.size() - 1 - world.rank();
    int[] memory = new int[12];
    int[] sent = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    int[][] cases = {{6, 4}, {3, 4}, {12, 2}, {1, 1}, {4, 8}}; // partitions at both ends, for 12 and for 8 ints
    for (int[] c : cases) {
      try (PartitionedSend out = world.psendInit(Buf.of(sent), c[0], peer, c[0]);
          PartitionedRecv in = world.precvInit(Buf.of(memory, 2, 8), c[1], peer, c[0])) {
        for (int round = 0; round < 2; round++) {
          Arrays.fill(memory, -1);
          in.start();
          out.start();
          out.preadyRange(0, c[0] - 1);
          Status status = new Status();
          assertError(ErrorClass.ERR_TRUNCATE, () -> in.await(status), "48 bytes", "32 bytes", "tag " + c[0]);
          assertEquals(32, status.bytes());
          assertEquals(ErrorClass.SUCCESS, status.error(), "not touched, the error is thrown");
          out.await();
          assertArrayEquals(new int[] {-1, -1}, Arrays.copyOf(memory, 2));
          assertArrayEquals(new int[] {-1, -1}, Arrays.copyOfRange(memory, 10, 12));
          assertArrayEquals(Arrays.copyOf(sent, 8), Arrays.copyOfRange(memory, 2, 10));
        }
        in.start();
        out.start();
        out.preadyRange(0, c[0] - 1);
        int last = c[1] - 1;
        if (8 % (12 / c[0]) == 0) { // no piece is cut
          while (!in.parrived(last)) {
            Thread.yield();
          }
        } else {
          assertError(ErrorClass.ERR_TRUNCATE, () -> {
            while (!in.parrived(last)) {
              Thread.yield();
            }
          }, "48 bytes", "32 bytes");
        }
        assertError(ErrorClass.ERR_TRUNCATE, in::await);
        out.await();
      }
    }
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§3.2.4: the same when the data have to be unpacked")
  void truncationOfStagedData(Comm world) {
    int peer = world.size() - 1 - world.rank();
    int[] sent = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    int[] memory = new int[15];
    try (Datatype<?> pairs = Datatype.vector(2, 1, 2, Datatype.INT).resized(0, 20).commit()) {
      try (PartitionedSend out = world.psendInit(Buf.of(sent), 4, peer, 0);
          PartitionedRecv in = world.precvInit(Buf.of(memory, 3, pairs), 3, peer, 0)) {
        for (int round = 0; round < 2; round++) {
          Arrays.fill(memory, -1);
          in.start();
          out.start();
          out.preadyRange(0, 3);
          Status status = new Status();
          assertError(ErrorClass.ERR_TRUNCATE, () -> in.await(status), "48 bytes", "24 bytes");
          assertEquals(24, status.bytes());
          out.await();
          assertArrayEquals(new int[] {0, -1, 1, -1, -1, 2, -1, 3, -1, -1, 4, -1, 5, -1, -1}, memory);
        }
      }
    }
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.8-b: memory that may not be touched now")
  void memory(Comm world) throws InterruptedException {
    int peer = world.size() - 1 - world.rank();
    int[] received = new int[4];
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment own = confined.allocate(16, 4);
      own.setAtIndex(ValueLayout.JAVA_INT, 3, 42);
      try (PartitionedSend out = world.psendInit(Buf.of(own, 4, Datatype.INT), 2, peer, 0);
          PartitionedRecv in = world.precvInit(Buf.of(received), 2, peer, 0)) {
        out.start();
        in.start();
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread other = Thread.ofPlatform().start(() -> {
          try {
            out.pready(1);
          } catch (Throwable e) {
            seen.set(e);
          }
        });
        other.join();
        assertError(
            ErrorClass.ERR_BUFFER,
            () -> {
              throw seen.get();
            },
            "confined");
        out.preadyRange(0, 1); // nothing was marked, and the owner may
        out.await();
        in.await();
        assertEquals(42, received[3]);
      }
    }
    Arena closing = Arena.ofShared();
    Buf<Integer> doomed = Buf.of(closing.allocate(16, 4), 4, Datatype.INT);
    PartitionedSend started = world.psendInit(doomed, 2, PROC_NULL, 0); // cannot be completed, and so not be closed
    try (PartitionedSend out = world.psendInit(doomed, 2, peer, 1);
        PartitionedRecv in = world.precvInit(doomed, 2, peer, 1)) {
      started.start();
      started.pready(0);
      closing.close();
      assertError(ErrorClass.ERR_BUFFER, out::start, "arena");
      assertError(ErrorClass.ERR_BUFFER, in::start, "arena");
      assertFalse(out.isActive() || in.isActive());
      assertError(ErrorClass.ERR_BUFFER, () -> started.pready(1), "arena");
      assertFalse(started.test());
      assertError(ErrorClass.ERR_REQUEST, started::close, "freed");
    }
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.2: a confined receive buffer is filled by its thread")
  void confinedReceiveBuffers(Comm world) {
    int peer = world.size() - 1 - world.rank();
    try (Arena confined = Arena.ofConfined();
        Datatype<?> pairs = Datatype.vector(2, 1, 2, Datatype.INT).resized(0, 16).commit()) {
      MemorySegment dense = confined.allocate(48, 4);
      MemorySegment strewn = confined.allocate(96, 4);
      int[] sent = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
      try (PartitionedSend first = world.psendInit(Buf.of(sent), 4, peer, 0);
          PartitionedSend second = world.psendInit(Buf.of(sent), 4, peer, 1);
          PartitionedRecv one = world.precvInit(Buf.of(dense, 12, Datatype.INT), 3, peer, 0);
          PartitionedRecv two = world.precvInit(Buf.of(strewn, 6, pairs), 3, peer, 1)) {
        for (int round = 0; round < 3; round++) {
          Persistent.startAll(List.of(one, two, first, second));
          first.preadyRange(0, 3);
          second.preadyRange(0, 3);
          while (!two.parrived(2)) {
            Thread.yield();
          }
          Request.waitAll(Arrays.asList(one, two, first, second));
          for (int i = 0; i < 12; i++) {
            assertEquals(i, dense.getAtIndex(ValueLayout.JAVA_INT, i));
            assertEquals(i, strewn.getAtIndex(ValueLayout.JAVA_INT, 2 * i));
          }
          dense.fill((byte) 0);
          strewn.fill((byte) 0);
        }
      }
    }
    assertUsable(world);
  }

  /** Every wait for a rank that has left ends. */
  @ParameterizedTest
  @ValueSource(strings = {"set-up", "partitions", "send", "pready"})
  void peersThatLeave(String kind) {
    Map<String, String> settings = Map.of("ffmpi.errors", "return");
    Mpi.runThreads(2, settings, mpi -> {
      Comm world = mpi.world();
      int[] data = new int[400_000];
      if (world.rank() == 1) {
        if (kind.equals("partitions")) {
          PartitionedSend out = world.psendInit(Buf.of(data), 4, 0, 0);
          out.start();
        }
        return;
      }
      Executable wait = switch (kind) {
        case "set-up", "partitions" -> {
          PartitionedRecv in = world.precvInit(Buf.of(data), 8, 1, 0);
          in.start();
          yield in::await;
        }
        default -> {
          PartitionedSend out = world.psendInit(Buf.of(data), 4, 1, 0);
          out.start();
          out.pready(2);
          yield () -> {
            if (kind.equals("send")) {
              out.preadyList(0, 1, 3);
            }
            out.await(); // also when not all are marked: the receiver is gone
          };
        }
      };
      assertError(ErrorClass.ERR_PROC_ABORTED, wait::execute, "rank 1");
    });
  }

  private interface Executable {
    void execute() throws Throwable;
  }

  @MpiTest(ranks = 1)
  @DisplayName("§11.2.2: after finalize")
  void afterFinalize() {
    PartitionedSend[] out = new PartitionedSend[1];
    PartitionedRecv[] in = new PartitionedRecv[1];
    Mpi.runThreads(1, mpi -> {
      out[0] = mpi.world().psendInit(Buf.of(new int[4]), 2, 0, 0);
      in[0] = mpi.world().precvInit(Buf.of(new int[4]), 2, 0, 0);
    });
    assertError(ErrorClass.ERR_OTHER, () -> out[0].start(), "finalized");
    assertError(ErrorClass.ERR_OTHER, () -> out[0].pready(0), "finalized");
    assertError(ErrorClass.ERR_OTHER, () -> in[0].parrived(0), "finalized");
    out[0].close();
    in[0].close();
  }
}
