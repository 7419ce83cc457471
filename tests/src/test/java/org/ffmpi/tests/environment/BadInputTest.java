// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.environment;

import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each wrong argument gets an error of the right class that names its value, and breaks nothing. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BadInputTest {
  /** After all the errors of a test the world still works. */
  private static void assertUsable(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    int[] data = new int[1];
    world.sendrecv(Buf.of(new int[] {world.rank()}), next, 77, Buf.of(data), previous, 77);
    assertEquals(previous, data[0]);
    assertTrue(world.iprobe(previous, ANY_TAG).isEmpty());
    world.barrier();
  }

  @MpiTest(ranks = {1, 3})
  @DisplayName("S1-2.8-b: ranks that do not exist")
  void ranksOutOfRange(Comm world) {
    int[] data = new int[1];
    for (int rank : new int[] {world.size(), -4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      String value = "= " + rank;
      String allowed = world.size() == 1 ? "0" : "0..2";
      assertError(ErrorClass.ERR_RANK, () -> world.send(data, rank, 0), "dest " + value, allowed);
      assertError(ErrorClass.ERR_RANK, () -> world.ssend(Buf.of(data), rank, 0), "dest " + value);
      assertError(ErrorClass.ERR_RANK, () -> world.isend(data, rank, 0), "dest " + value);
      assertError(ErrorClass.ERR_RANK, () -> world.recv(data, rank, 0), "source " + value, allowed);
      assertError(ErrorClass.ERR_RANK, () -> world.recv(data, rank, 0, new Status()), "source " + value);
      assertError(ErrorClass.ERR_RANK, () -> world.irecv(data, rank, 0), "source " + value);
      assertError(ErrorClass.ERR_RANK, () -> world.probe(rank, 0), "source " + value);
      assertError(
          ErrorClass.ERR_RANK, () -> world.sendrecv(Buf.of(data), rank, 0, Buf.of(new int[1]), 0, 0), "dest " + value);
      assertError(
          ErrorClass.ERR_RANK,
          () -> world.sendrecv(Buf.of(data), 0, 0, Buf.of(new int[1]), rank, 0),
          "source " + value);
      assertError(ErrorClass.ERR_ROOT, () -> world.bcast(Buf.of(data), rank), "root " + value, allowed);
      assertError(ErrorClass.ERR_ROOT, () -> world.reduce(Buf.of(data), Op.SUM, rank), "root " + value);
      assertError(ErrorClass.ERR_ROOT, () -> world.gather(Buf.of(data), rank), "root " + value);
    }
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.8-b: negative counts")
  void negativeCounts(Comm world) {
    MemorySegment segment = Arena.ofAuto().allocate(64);
    ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    assertError(ErrorClass.ERR_COUNT, () -> Buf.of(segment, -1, Datatype.INT), "count = -1");
    assertError(
        ErrorClass.ERR_COUNT, () -> Buf.of(segment, Long.MIN_VALUE, Datatype.INT), "count = -9223372036854775808");
    assertError(ErrorClass.ERR_COUNT, () -> Buf.of(buffer, -2, Datatype.INT), "count = -2");
    assertError(ErrorClass.ERR_COUNT, () -> Buf.of(new double[8], -3, Datatype.DOUBLE), "count = -3");
    assertError(ErrorClass.ERR_COUNT, () -> Buf.of(new double[8], 2, -3), "count = -3");
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  void buffersTooSmallForTheCount(Comm world) {
    MemorySegment segment = Arena.ofAuto().allocate(64);
    ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder()).position(8);
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(segment, 9, Datatype.DOUBLE), "64", "9");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(segment, Long.MAX_VALUE, Datatype.DOUBLE), "9223372036854775807");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(segment, 1L << 61, Datatype.DOUBLE), "2305843009213693952");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(buffer, 8, Datatype.DOUBLE), "56", "8");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new int[3], 4, Datatype.INT), "12", "4");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new int[3], 1, 3), "from = 1");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new int[3], -1, 1), "from = -1");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new int[3], 4, 0), "from = 4");
    Buf<Double> fits = Buf.of(segment, 8, Datatype.DOUBLE);
    assertError(ErrorClass.ERR_BUFFER, () -> fits.at(1), "64");
    assertError(ErrorClass.ERR_BUFFER, () -> fits.at(-8));
    assertError(ErrorClass.ERR_BUFFER, () -> fits.at(Long.MAX_VALUE), "9223372036854775807");
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  void missingArguments(Comm world) {
    assertError(ErrorClass.ERR_BUFFER, () -> world.send((int[]) null, 0, 0), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.send((Buf<?>) null, 0, 0), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.recv((double[]) null, 0, 0), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.irecv((Buf<?>) null, 0, 0), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.send((int[]) null, PROC_NULL, 0), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((int[]) null), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((MemorySegment) null, 1, Datatype.INT), "null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((ByteBuffer) null, 1, Datatype.BYTE), "null");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(new int[1], 1, null), "type = null");
    assertError(ErrorClass.ERR_ARG, () -> world.recv(new int[1], 0, 0, null), "into");
    assertError(ErrorClass.ERR_ARG, () -> world.probe(0, 0, null), "into");
    assertError(ErrorClass.ERR_BUFFER, () -> world.bcast(null, 0), "null");
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(new int[1]), null), "op = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.send(Buf.inPlace(), 0, 0), "inPlace");
    assertError(ErrorClass.ERR_BUFFER, () -> world.recv(Buf.inPlace(), 0, 0), "inPlace");
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  void readOnlyReceiveBuffers(Comm world) {
    MemorySegment readOnly = Arena.ofAuto().allocate(64).asReadOnly();
    Buf<Byte> segment = Buf.of(readOnly, 64, Datatype.BYTE);
    Buf<Byte> nio = Buf.of(ByteBuffer.allocate(64).asReadOnlyBuffer(), 64, Datatype.BYTE);
    for (Buf<Byte> buf : List.of(segment, nio)) {
      assertTrue(buf.isReadOnly());
      assertError(ErrorClass.ERR_BUFFER, () -> world.recv(buf, 0, 0), "writable");
      assertError(ErrorClass.ERR_BUFFER, () -> world.irecv(buf, 0, 0), "writable");
      assertError(ErrorClass.ERR_BUFFER, () -> world.allreduce(buf, Op.BOR), "writable");
      assertError(ErrorClass.ERR_BUFFER, () -> world.gather(Buf.of(new byte[1]), buf, world.rank()), "writable");
    }
    // Sending out of it is fine.
    byte[] data = new byte[64];
    int next = (world.rank() + 1) % world.size();
    world.sendrecv(segment, next, 0, Buf.of(data), (world.rank() + world.size() - 1) % world.size(), 0);
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  void foreignByteOrder(Comm world) {
    ByteOrder foreign =
        ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(foreign);
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(buffer, 4, Datatype.INT), foreign.toString(), "byte order");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(buffer.asIntBuffer()), foreign.toString());
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(buffer.asDoubleBuffer()), foreign.toString());
    assertEquals(64, Buf.of(buffer, 64, Datatype.BYTE).count(), "bytes have no order");
    assertUsable(world);
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-2.8-b: messages longer than their buffers")
  void truncation(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : new int[] {1, 20, 41, 1_000, 16_000, 50_000}) {
      Request send = world.isend(Data.bytes(0, length), next, 8);
      Status status = new Status();
      byte[] small = new byte[length - 1];
      assertError(
          ErrorClass.ERR_TRUNCATE, () -> world.recv(small, previous, 8, status),
          "message of " + length + " bytes", "rank " + previous, "tag 8", "buffer of " + (length - 1) + " bytes");
      assertEquals(previous, status.source());
      assertEquals(8, status.tag());
      assertEquals(ErrorClass.SUCCESS, status.error(), "not touched, the error is thrown");
      send.await();
      // The sendrecv to oneself or another truncates as well.
      assertError(
          ErrorClass.ERR_TRUNCATE,
          () -> world.sendrecv(Buf.of(Data.bytes(0, length)), next, 9, Buf.of(small), previous, 9),
          "message of " + length + " bytes");
    }
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  void collectiveArguments(Comm world) {
    int root = world.rank();
    int[] data = new int[4];
    assertError(
        ErrorClass.ERR_COUNT,
        () -> world.allreduce(Buf.of(new int[3]), Buf.of(data), Op.SUM),
        "count of send = 3", "4");
    assertError(
        ErrorClass.ERR_TYPE,
        () -> world.allreduce(Buf.of(data, 4, Datatype.UNSIGNED), Buf.of(new int[4], 4, Datatype.INT), Op.SUM),
        "MPI_UNSIGNED");
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(new float[4]), Op.BAND), "MPI_BAND", "MPI_FLOAT");
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(new double[4]), Op.LAND), "MPI_LAND");
    assertError(ErrorClass.ERR_OP, () -> world.reduce(Buf.of(new int[4]), Op.MAXLOC, root), "MPI_MAXLOC");
    assertError(ErrorClass.ERR_BUFFER, () -> world.allreduce(Buf.of(data), Buf.of(data), Op.SUM), "overlap");
    if (world.size() == 2) {
      assertError(
          ErrorClass.ERR_COUNT, () -> world.gather(Buf.of(data), Buf.of(new int[7]), root), "count of recv = 7", "2");
      assertError(ErrorClass.ERR_COUNT, () -> world.gather(Buf.of(data), Buf.of(new int[6]), root), "16", "12");
    }
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2, 3})
  void callsAfterFinalize(Mpi mpi) {
    Comm world = mpi.world();
    Request pending = world.irecv(new int[1], world.rank(), 5);
    mpi.close();
    int[] data = new int[1];
    List<Executable> calls = List.of(
        () -> world.send(data, 0, 0),
        () -> world.send(data, PROC_NULL, 0),
        () -> world.ssend(Buf.of(data), 0, 0),
        () -> world.recv(data, 0, 0),
        () -> world.recv(data, 0, 0, new Status()),
        () -> world.isend(data, 0, 0),
        () -> world.irecv(data, 0, 0),
        () -> world.sendrecv(Buf.of(data), 0, 0, Buf.of(new int[1]), 0, 0),
        () -> world.probe(0, 0),
        () -> world.iprobe(0, 0),
        world::barrier,
        world::ibarrier,
        () -> world.bcast(Buf.of(data), 0),
        () -> world.allreduce(Buf.of(data), Op.SUM),
        world::requests,
        () -> mpi.self().send(data, 0, 0),
        () -> mpi.shared().allocate(8),
        () -> mpi.abort(1),
        pending::await,
        pending::test,
        () -> Request.waitAll(new ArrayList<>(List.of(pending))));
    for (int i = 0; i < calls.size(); i++) {
      int number = i;
      MpiException error = assertThrows(MpiException.class, calls.get(i), () -> "call " + number);
      assertEquals(ErrorClass.ERR_OTHER, error.errorClass(), "call " + i + ": " + error.getMessage());
      assertTrue(error.getMessage().contains("finalized"), "call " + i + ": " + error.getMessage());
    }
    // These may be called at any time.
    assertTrue(Mpi.isInitialized());
    assertTrue(Mpi.isFinalized());
    Mpi.version();
    Mpi.processorName();
    assertTrue(Mpi.wtime() > 0);
    assertEquals(world.size(), mpi.world().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void worldsOfNoRanks(int ranks) {
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(ranks, mpi -> {}), "ranks = " + ranks, "1 or more");
  }

  @Test
  void wrongSettings() {
    assertSetting("ffmpi.ring.slots", "1", "2");
    assertSetting("ffmpi.ring.slots", "many", "many");
    assertSetting("ffmpi.ring.bulk", "-1", "-1");
    assertSetting("ffmpi.pipe.bytes", "255", "255", "256");
    assertSetting("ffmpi.chunk", "-5", "-5");
    assertSetting("ffmpi.errors", "ignore", "ignore");
    assertSetting("ffmpi.engine", "warp", "warp");
    assertSetting("ffmpi.thread.level", "some", "some");
  }

  private static void assertSetting(String name, String value, String... parts) {
    MpiException error =
        assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(1, Map.of(name, value), mpi -> {}), parts);
    assertTrue(error.getMessage().contains(name), error.getMessage());
  }

  @Test
  void aBodyIsNeeded() {
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(1, null), "body = null");
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(1, null, mpi -> {}), "settings = null");
  }

  /** More ranks than there is memory for: the ring directory alone would not fit. */
  @Test
  @DisplayName("S1-2.8-c: more ranks than memory allows are a resource error")
  void moreRanksThanMemoryAllows() {
    assertError(
        ErrorClass.ERR_NO_MEM,
        () -> Mpi.runThreads(2_000, Map.of("ffmpi.shm.limit", "1M"), mpi -> {}),
        "2000 ranks", "shared memory");
  }

  /** The job's shared memory is used up: each call that needs more says so, completes, and what exists goes on. */
  @MpiTest(ranks = 2, settings = {"ffmpi.shm.limit=4M", "ffmpi.errors=return"})
  @DisplayName("S1-2.8-c S1-2.9.1-c: a full segment is an error and no hang")
  void aFullSegmentIsAnErrorAndNoHang(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    int[] data = new int[1];
    world.sendrecv(Buf.of(new int[] {1}), other, 0, Buf.of(data), other, 0); // both rings exist
    world.barrier();
    if (world.rank() == 0) {
      List<MemorySegment> blocks = new ArrayList<>();
      MpiException error = assertThrows(MpiException.class, () -> {
        while (true) {
          blocks.add(mpi.shared().allocate(64 << 10));
        }
      });
      assertEquals(ErrorClass.ERR_NO_MEM, error.errorClass(), error.getMessage());
      assertTrue(error.getMessage().contains("ffmpi.shm.limit"), error.getMessage());
      assertTrue(blocks.size() > 10, "only " + blocks.size());
      // A large message needs a pipe, for which there is no room.
      assertError(ErrorClass.ERR_NO_MEM, () -> world.send(new byte[1 << 20], 1, 1));
      assertError(ErrorClass.ERR_NO_MEM, () -> world.isend(new byte[1 << 20], 1, 1));
      Reference.reachabilityFence(blocks);
    }
    world.barrier();
    world.sendrecv(Buf.of(new int[] {world.rank()}), other, 2, Buf.of(data), other, 2);
    assertEquals(other, data[0]);
    assertTrue(world.iprobe(other, ANY_TAG).isEmpty());
    world.barrier();
  }

  @MpiTest(ranks = 1)
  void sharedHeapArguments(Mpi mpi) {
    assertError(ErrorClass.ERR_ARG, () -> mpi.shared().allocate(-1), "bytes = -1");
    assertError(ErrorClass.ERR_ARG, () -> mpi.shared().allocate(8, 3), "alignment = 3");
    assertError(ErrorClass.ERR_ARG, () -> mpi.shared().allocate(8, 0), "alignment = 0");
    assertError(ErrorClass.ERR_ARG, () -> mpi.shared().within(null), "arena = null");
    assertError(ErrorClass.ERR_NO_MEM, () -> mpi.shared().allocate(1L << 60), String.valueOf(1L << 60));
    assertEquals(0, mpi.shared().allocate(0).byteSize());
    Arena closed = Arena.ofConfined();
    closed.close();
    assertError(ErrorClass.ERR_BUFFER, () -> mpi.shared().within(closed).allocate(8));
  }
}
