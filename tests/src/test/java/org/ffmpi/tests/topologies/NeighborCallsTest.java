// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.DistGraphComm;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.TopologyComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.CountedMemory;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;

/** Rules of the calls of neighbourhood collectives, and what is wrong with their arguments. */
class NeighborCallsTest {
  private static CartComm ring(IntraComm world) {
    return world.cartCreate(new int[] {world.size()}, new boolean[] {true}, false);
  }

  private static int below(TopologyComm ring) {
    return Math.floorMod(ring.rank() - 1, ring.size());
  }

  private static int above(TopologyComm ring) {
    return (ring.rank() + 1) % ring.size();
  }

  @MpiTest(ranks = {1, 2, 4})
  @DisplayName("S3-1, S3-6: persistent exchanges with neighbours are started in any order, unlike at the neighbours")
  void startedInAnyOrder(IntraComm world) {
    int[] first = {0};
    int[] second = {0};
    int[] gotFirst = new int[2];
    int[] gotSecond = new int[4];
    try (CartComm ring = ring(world);
        Persistent one = ring.neighborAllgatherInit(Buf.of(first), Buf.of(gotFirst), null);
        Persistent other = ring.neighborAllgathervInit(
            Buf.of(second), Buf.of(gotSecond), new long[] {1, 1}, new long[] {3, 1}, null)) {
      for (int round = 0; round < 5; round++) {
        first[0] = 10 * ring.rank() + round;
        second[0] = 1000 + first[0];
        boolean odd = ring.rank() % 2 == 1;
        if (round % 2 == 0) {
          (odd ? one : other).start();
          (odd ? other : one).start();
        } else {
          Persistent.startAll(odd ? List.of(one, other) : List.of(other, one));
        }
        ring.neighborAllgather(Buf.of(new int[] {7}), Buf.of(new int[2])); // meets neither
        Request.waitAll(List.of(one, other));
        int belowHas = 10 * below(ring) + round;
        int aboveHas = 10 * above(ring) + round;
        assertArrayEquals(new int[] {belowHas, aboveHas}, gotFirst);
        assertArrayEquals(new int[] {0, 1000 + aboveHas, 0, 1000 + belowHas}, gotSecond);
      }
    }
  }

  @MpiTest(ranks = 2)
  @DisplayName("S3-9, S3-14, S3-15: an active persistent exchange is neither started, freed nor cancelled")
  void activeOnesStay(IntraComm world) {
    try (CartComm ring = ring(world)) {
      ring.neighborAlltoallInit(Buf.of(new int[2]), Buf.of(new int[2]), null).close(); // never started
      int[] got = new int[2];
      Persistent request = ring.neighborAlltoallInit(Buf.of(new int[] {1, 2}), Buf.of(got), null);
      assertFalse(request.isActive());
      assertTrue(request.test());
      world.barrier();
      if (world.rank() == 0) { // the other has not started
        request.start();
        assertError(ErrorClass.ERR_REQUEST, request::start);
        assertError(ErrorClass.ERR_REQUEST, request::close);
        assertError(ErrorClass.ERR_REQUEST, request::cancel);
      }
      world.barrier();
      if (world.rank() == 1) {
        request.start();
      }
      request.await();
      request.await();
      assertArrayEquals(new int[] {2, 1}, got);
      request.close();
      assertError(ErrorClass.ERR_REQUEST, request::start);
    }
  }

  @MpiTest(ranks = {1, 3})
  void arraysAndTypesAreOfNoMoreUseAfterTheCall(IntraComm world) {
    try (CartComm ring = ring(world)) {
      long[] counts = {1, 1};
      long[] displs = {0, 8};
      Datatype<Double> type = Datatype.contiguous(1, Datatype.DOUBLE).commit();
      Datatype<?>[] types = {type, type};
      double[] in = new double[2];
      Buf<?> out = Buf.of(new double[] {ring.rank(), ring.rank() + 0.5});
      try (Persistent request =
          ring.neighborAlltoallwInit(out, counts, displs, types, Buf.of(in), counts, displs, types, null)) {
        counts[0] = 99;
        displs[1] = -5;
        types[0] = null;
        type.close();
        for (int round = 0; round < 2; round++) {
          in[0] = -1;
          request.start();
          request.await();
          assertArrayEquals(new double[] {below(ring) + 0.5, above(ring)}, in);
        }
      }
    }
  }

  /** A column and a row of each process's part of a matrix, halos in the same memory as what is sent. */
  @MpiTest(ranks = {1, 2, 4})
  void halosOfAMatrix(IntraComm world) {
    int rows = 4;
    int columns = 5;
    int[] dims = world.size() == 4 ? new int[] {2, 2} : new int[] {1, world.size()};
    try (CartComm torus = world.cartCreate(dims, new boolean[] {true, true}, false);
        Datatype<Double> row = Datatype.contiguous(columns, Datatype.DOUBLE).commit();
        Datatype<Double> column = Datatype.vector(rows, 1, columns + 2, Datatype.DOUBLE).commit()) {
      double[] part = new double[(rows + 2) * (columns + 2)];
      for (int r = 1; r <= rows; r++) {
        for (int c = 1; c <= columns; c++) {
          part[r * (columns + 2) + c] = 100 * torus.rank() + 10 * r + c;
        }
      }
      long[] ones = {1, 1, 1, 1};
      Datatype<?>[] types = {row, row, column, column};
      int wide = columns + 2;
      long[] edges = {8 * (wide + 1), 8 * (rows * wide + 1), 8 * (wide + 1), 8 * (wide + columns)};
      long[] halos = {8, 8 * ((rows + 1) * wide + 1), 8 * wide, 8 * (wide + columns + 1)};
      torus.neighborAlltoallw(Buf.of(part), ones, edges, types, Buf.of(part), ones, halos, types);
      CartComm.Shift down = torus.shift(0, 1);
      CartComm.Shift right = torus.shift(1, 1);
      for (int c = 1; c <= columns; c++) {
        assertEquals(100 * down.source() + 10 * rows + c, part[c]);
        assertEquals(100 * down.dest() + 10 + c, part[(rows + 1) * wide + c]);
      }
      for (int r = 1; r <= rows; r++) {
        assertEquals(100 * right.source() + 10 * r + columns, part[r * wide]);
        assertEquals(100 * right.dest() + 10 * r + 1, part[r * wide + columns + 1]);
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3})
  void longBlocks(IntraComm world) {
    int n = 300_000;
    try (CartComm ring = ring(world)) {
      MemorySegment out = Arena.ofAuto().allocate(16L * n, 8);
      for (int i = 0; i < 2 * n; i++) {
        out.setAtIndex(ValueLayout.JAVA_DOUBLE, i, 1e7 * ring.rank() + i);
      }
      double[] in = new double[2 * n];
      Request request = ring.ineighborAlltoall(Buf.of(out, 2 * n, Datatype.DOUBLE), Buf.of(in));
      double[] again = new double[2 * n];
      ring.neighborAlltoall(Buf.of(out, 2 * n, Datatype.DOUBLE), Buf.of(again));
      request.await();
      for (int i = 0; i < n; i++) {
        assertEquals(1e7 * below(ring) + n + i, in[i]);
        assertEquals(1e7 * above(ring) + i, in[n + i]);
      }
      assertArrayEquals(in, again);
    }
  }

  private record Counted(MemorySegment segment, AtomicInteger users) implements CountedMemory {
    @Override
    public String missing() {
      return null;
    }

    @Override
    public Lease lease() {
      users.incrementAndGet();
      return users::decrementAndGet;
    }
  }

  @MpiTest(ranks = 2)
  void memoryIsHeldWhileBlocksAreOnTheirWay(IntraComm world) {
    AtomicInteger users = new AtomicInteger();
    Counted memory = new Counted(Arena.ofAuto().allocate(16, 4), users);
    Buf<?> send = Buf.of(memory, 0, 2, Datatype.INT);
    Buf<?> recv = Buf.of(memory, 8, 2, Datatype.INT);
    memory.segment().setAtIndex(ValueLayout.JAVA_INT, 0, 10 * world.rank() + 1);
    memory.segment().setAtIndex(ValueLayout.JAVA_INT, 1, 10 * world.rank() + 2);
    try (CartComm ring = ring(world); Persistent kept = ring.neighborAlltoallInit(send, recv, null)) {
      assertEquals(0, users.get());
      Buf<?>[] out = {Buf.of(memory, 0, 1, Datatype.INT), Buf.of(memory, 4, 1, Datatype.INT)};
      Buf<?>[] in = {Buf.of(memory, 8, 1, Datatype.INT), Buf.of(memory, 12, 1, Datatype.INT)};
      for (boolean persistent : new boolean[] {false, true, true}) {
        memory.segment().asSlice(8).fill((byte) 0);
        world.barrier();
        Request request = kept;
        if (world.rank() == 1) { // not before the other has looked
          world.recv(new int[1], 0, 0);
        }
        if (persistent) {
          kept.start();
        } else {
          request = ring.ineighborAlltoallw(out, in);
        }
        if (world.rank() == 0) {
          assertTrue(users.get() > 0);
          world.send(new int[1], 1, 0);
        }
        request.await();
        assertEquals(0, users.get());
        int other = 10 * (1 - world.rank());
        assertEquals(other + 2, memory.segment().getAtIndex(ValueLayout.JAVA_INT, 2));
        assertEquals(other + 1, memory.segment().getAtIndex(ValueLayout.JAVA_INT, 3));
      }
      ring.neighborAlltoallw(out, in);
      assertEquals(0, users.get());
      assertError(ErrorClass.ERR_BUFFER, () -> ring.neighborAlltoallw(out, out), "recv[0]", "send[0]");
      assertEquals(0, users.get());
    }
  }

  @MpiTest(ranks = {1, 3})
  void nobodyIsANeighbour(IntraComm world) {
    int[] none = {};
    int last = world.size() - 1;
    int[] sources = world.rank() == last ? new int[] {last} : none;
    try (DistGraphComm graph = world.distGraphCreateAdjacent(sources, sources, false)) {
      int[] got = {-1};
      boolean alone = world.rank() < last;
      Buf<?> send = alone ? null : Buf.of(new int[] {5});
      Buf<?> recv = alone ? null : Buf.of(got);
      long[] one = alone ? null : new long[] {1};
      long[] zero = alone ? null : new long[] {0};
      graph.neighborAllgather(send, recv);
      graph.neighborAllgatherv(send, recv, one, zero);
      graph.neighborAlltoall(send, recv);
      graph.neighborAlltoallv(send, one, zero, recv, one, zero);
      graph.ineighborAlltoallw(alone ? null : new Buf<?>[] {send}, alone ? null : new Buf<?>[] {recv}).await();
      assertEquals(alone ? -1 : 5, got[0]);
    }
    try (CartComm point = world.cartCreate(new int[0], new boolean[0], false)) {
      if (point != null) {
        point.neighborAlltoall(null, null);
        point.ineighborAllgather(Buf.of(new int[1]), null).await();
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  void wrongArguments(IntraComm world) {
    try (CartComm ring = ring(world)) {
      Buf<?> two = Buf.of(new int[2]);
      Buf<?> other = Buf.of(new int[2]);
      long[] ones = {1, 1};
      long[] displs = {0, 1};
      assertError(ErrorClass.ERR_BUFFER, () -> ring.neighborAllgather(null, two), "send = null");
      assertError(ErrorClass.ERR_BUFFER, () -> ring.neighborAllgather(two, null), "recv = null");
      assertError(ErrorClass.ERR_BUFFER, () -> ring.neighborAlltoall(Buf.inPlace(), two), "send = Buf.inPlace()");
      assertError(ErrorClass.ERR_BUFFER, () -> ring.neighborAlltoall(two, two), "recv[0]", "overlap", "send[0]");
      assertError(
          ErrorClass.ERR_COUNT, () -> ring.neighborAllgather(two, Buf.of(new int[3])), "count of recv = 3", "2");
      assertError(ErrorClass.ERR_COUNT, () -> ring.ineighborAlltoall(Buf.of(new int[3]), two), "count of send = 3");
      assertError(ErrorClass.ERR_COUNT,
          () -> ring.neighborAlltoallv(two, new long[3], displs, other, ones, displs), "sendCounts.length = 3");
      assertError(ErrorClass.ERR_COUNT,
          () -> ring.neighborAllgathervInit(two, other, new long[] {0, -1}, displs, null), "recvCounts[1] = -1");
      assertError(ErrorClass.ERR_ARG,
          () -> ring.ineighborAlltoallv(two, ones, displs, other, ones, null), "recvDispls = null");
      assertError(ErrorClass.ERR_BUFFER,
          () -> ring.neighborAlltoallv(two, ones, displs, other, ones, new long[] {0, 2}), "recvDispls[1] = 2");
      Datatype<?>[] types = {Datatype.INT, null};
      assertError(ErrorClass.ERR_TYPE,
          () -> ring.neighborAlltoallw(two, ones, displs, types, other, ones, displs, types), "sendTypes[1] = null");
      assertError(ErrorClass.ERR_ARG,
          () -> ring.neighborAlltoallw(new Buf<?>[] {two}, new Buf<?>[] {two, other}), "send.length = 1");
      assertError(ErrorClass.ERR_BUFFER,
          () -> ring.neighborAlltoallw(new Buf<?>[] {two, null}, new Buf<?>[] {two, other}), "send[1] = null");
      MemorySegment readOnly = Arena.ofAuto().allocate(8).asReadOnly();
      assertError(ErrorClass.ERR_BUFFER,
          () -> ring.neighborAlltoall(two, Buf.of(readOnly, 2, Datatype.INT)), "recv", "writable");
      Info freed = new Info();
      freed.close();
      assertError(ErrorClass.ERR_INFO, () -> ring.neighborAlltoallInit(two, other, freed));
      ring.neighborAlltoall(two, other); // nothing has been begun by what was refused
    }
    CartComm closed = ring(world);
    closed.close();
    assertError(ErrorClass.ERR_COMM, () -> closed.neighborAlltoall(Buf.of(new int[2]), Buf.of(new int[2])));
  }

  @MpiTest(ranks = 2)
  void blocksOfTheWrongLengthAreFound(IntraComm world) {
    try (CartComm line = world.cartCreate(new int[] {2}, new boolean[] {false}, false)) {
      Buf<?> send = Buf.of(new int[line.rank() == 0 ? 2 : 4]);
      Buf<?> recv = Buf.of(new int[4]);
      if (line.rank() == 0) {
        line.neighborAlltoall(send, recv);
      } else {
        assertError(ErrorClass.ERR_COUNT, () -> line.neighborAlltoall(send, recv), "rank 0", "4 bytes", "8");
      }
    }
  }

  @MpiTest(ranks = 3, settings = "ffmpi.check=full")
  void whatRanksDisagreeAboutIsAnErrorAtAll(IntraComm world) {
    try (CartComm line = world.cartCreate(new int[] {3}, new boolean[] {false}, false)) {
      Buf<?> recv = Buf.of(new int[4]);
      Buf<?> nothing = Buf.of(new int[0]);
      boolean odd = line.rank() == 1;
      assertError(ErrorClass.ERR_COUNT,
          () -> line.neighborAlltoall(odd ? nothing : Buf.of(new int[4]), recv), "rank 1");
      assertError(ErrorClass.ERR_COUNT,
          () -> line.ineighborAllgather(Buf.of(new int[odd ? 1 : 2]), recv).await(), "rank 1");
      assertError(ErrorClass.ERR_BUFFER,
          () -> line.neighborAllgather(odd ? null : nothing, nothing), odd ? "send = null" : "rank 1");
    }
  }
}
