// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.function.Executable;

/** Types that cannot be used in a call: a clear error of the right class in each of them, and nothing is broken. */
class BadTypesTest {
  /** Every call that takes a buffer, with a buffer made anew. */
  private static List<Executable> calls(Comm world, Supplier<Buf<?>> bad) {
    Buf<?> good = Buf.of(new int[1_000]);
    return List.of(
        () -> world.send(bad.get(), 0, 0),
        () -> world.ssend(bad.get(), 0, 0),
        () -> world.isend(bad.get(), 0, 0),
        () -> world.issend(bad.get(), 0, 0),
        () -> world.recv(bad.get(), 0, 0),
        () -> world.recv(bad.get(), 0, 0, new Status()),
        () -> world.irecv(bad.get(), 0, 0),
        () -> world.sendrecv(bad.get(), 0, 0, good, 0, 0),
        () -> world.sendrecv(good, 0, 0, bad.get(), 0, 0),
        () -> world.bcast(bad.get(), 0),
        () -> world.ibcast(bad.get(), 0),
        () -> world.gather(bad.get(), good, 0),
        () -> world.gather(good, bad.get(), 0));
  }

  private static void assertRefused(Comm world, Supplier<Buf<?>> bad, String... parts) {
    List<Executable> calls = calls(world, bad);
    for (int i = 0; i < calls.size(); i++) {
      try {
        assertError(ErrorClass.ERR_TYPE, calls.get(i), parts);
      } catch (AssertionError e) {
        throw new AssertionError("call " + i + ": " + e.getMessage(), e);
      }
    }
    int[] data = new int[1];
    Request incoming = world.irecv(data, 0, 9);
    world.send(new int[] {42}, 0, 9);
    incoming.await();
    assertEquals(42, data[0]);
    assertTrue(world.iprobe(0, 0).isEmpty(), "something of a refused call was sent");
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-2.8-b S1-4.1.9-a: a type that is not committed is refused by every call that communicates")
  void notCommitted(Mpi mpi) {
    int[] data = new int[1_000];
    MemorySegment segment = mpi.shared().allocate(4_000, 8);
    for (Datatype<?> type : List.of(
        Datatype.vector(3, 1, 2, Datatype.INT), Datatype.contiguous(4, Datatype.INT), Datatype.INT.dup().resized(0, 8),
        Datatype.struct(new long[0], new long[0], new Datatype<?>[0]))) {
      assertRefused(mpi.world(), () -> Buf.of(data, 1, type), "not committed", "commit");
      assertRefused(mpi.world(), () -> Buf.of(segment, 1, type), "not committed", "commit");
      assertRefused(mpi.world(), () -> Buf.of(segment, 0, type), "not committed", "commit");
    }
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.1.9-a: a buffer made before the commit may be used after it")
  void committedLater(Comm world) {
    Datatype<Integer> type = Datatype.vector(3, 1, 2, Datatype.INT);
    Buf<Integer> buf = Buf.of(new int[] {1, 0, 2, 0, 3}, 1, type);
    assertError(ErrorClass.ERR_TYPE, () -> world.send(buf, 0, 0), "not committed");
    type.commit();
    int[] data = new int[3];
    world.sendrecv(buf, 0, 0, Buf.of(data), 0, 0);
    assertEquals(3, data[2]);
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.1.9-e: a freed type is refused by every call that communicates")
  void freed(Comm world) {
    int[] data = new int[1_000];
    Datatype<Integer> type = Datatype.vector(3, 1, 2, Datatype.INT).commit();
    type.setName("column");
    type.close();
    assertRefused(world, () -> Buf.of(data, 1, type), "freed");
    Datatype<Integer> never = Datatype.vector(3, 1, 2, Datatype.INT);
    never.close();
    assertRefused(world, () -> Buf.of(data, 1, never), "freed");
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.1.9-e: nothing but its end can be told of a freed type")
  void freedTypesAnswerNothing(Comm world) {
    Datatype<Integer> type = Datatype.vector(3, 1, 2, Datatype.INT).commit();
    type.close();
    type.close();
    assertTrue(type.isClosed());
    for (Executable call : List.<Executable>of(
        type::commit, type::dup, () -> type.resized(0, 4), () -> Datatype.contiguous(2, type),
        () -> Datatype.struct(new long[] {1}, new long[] {0}, new Datatype<?>[] {type}), type::envelope,
        type::contents, () -> type.setName("gone"))) {
      assertError(ErrorClass.ERR_TYPE, call, "freed");
    }
    world.barrier();
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.1.8-b: memory that the true extent of all elements leaves is refused")
  void memoryTooSmall(Mpi mpi) {
    Datatype<Integer> column = Datatype.vector(10, 1, 10, Datatype.INT).commit();
    assertEquals(364, column.trueExtent());
    Datatype<Integer> dense = column.resized(0, 4).commit();
    Datatype<Integer> down = Datatype.INT.resized(0, -4).commit();
    try (Arena arena = Arena.ofConfined()) {
      for (Place place : Place.values()) {
        MemorySegment memory = place.allocate(mpi, arena, 400);
        assertEquals(1, Buf.of(memory.asSlice(36), 1, column).count());
        assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(memory.asSlice(37), 1, column), "363 bytes", "364");
        assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(memory, 2, column), "400 bytes");
        assertEquals(10, Buf.of(memory, 10, dense).count());
        assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(memory, 11, dense), "400 bytes");
        assertEquals(1, Buf.of(memory, 1, down).count());
        assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(memory, 2, down), "400 bytes");
        assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(memory, Long.MAX_VALUE, column));
        assertError(ErrorClass.ERR_COUNT, () -> Buf.of(memory, -1, column), "count = -1");
      }
    }
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new int[90], 1, column), "360 bytes");
    assertEquals(1, Buf.of(new int[91], 1, column).count());
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-2.5.5: arrays hold derived types of elements that lie in them, byte arrays hold all")
  void arraysOfOtherElements(Comm world) {
    Datatype<Integer> ints = Datatype.vector(2, 1, 2, Datatype.INT).commit();
    Datatype<?> mixed = Datatype.struct(
        new long[] {1, 1}, new long[] {0, 8}, new Datatype<?>[] {Datatype.INT, Datatype.DOUBLE}).commit();
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(new double[10], 1, ints), "double[]");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(new long[10], 1, mixed), "long[]");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(new int[10], 1, mixed), "int[]");
    assertEquals(1, Buf.of(new int[10], 1, ints).count());
    byte[] data = new byte[16];
    world.sendrecv(Buf.of(new byte[] {1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 9, 10, 11, 12}, 1, mixed), 0, 0,
        Buf.of(data, 1, mixed), 0, 0);
    assertEquals(12, data[15]);
  }

  @MpiTest(ranks = 2)
  @DisplayName("S1-4.1.9-a: a rank whose type is refused does not disturb the others")
  void oneRankIsWrong(Comm world) {
    Datatype<Integer> type = Datatype.vector(1_000, 1, 2, Datatype.INT);
    int[] data = new int[2_000];
    if (world.rank() == 0) {
      assertError(ErrorClass.ERR_TYPE, () -> world.send(Buf.of(data, 1, type), 1, 1), "not committed");
      world.send(Buf.of(data, 1, type.commit()), 1, 1);
    } else {
      assertError(ErrorClass.ERR_TYPE, () -> world.recv(Buf.of(data, 1, type), 0, 1), "not committed");
      assertEquals(1, world.recv(Buf.of(data, 1, type.commit()), 0, 1, new Status()).getCount(type));
    }
    world.barrier();
  }
}
