// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
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
import org.ffmpi.testkit.MpiVariant;
import org.junit.jupiter.api.DisplayName;

/** With {@code ffmpi.check=full}: types of both sides that do not match, and receives that name a byte twice. */
@MpiVariant(name = "defaults", settings = "ffmpi.check=full")
@MpiVariant(
    name = "tiny rings",
    settings = {
      "ffmpi.check=full", "ffmpi.ring.slots=2", "ffmpi.ring.bulk=64", "ffmpi.pipe.bytes=256", "ffmpi.chunk=64",
      "ffmpi.large.chunk=64", "ffmpi.eager.limit=200", "ffmpi.direct.limit=100"
    })
class CheckedTypesTest {
  /** Lengths that make messages short, of several chunks, and large, in longs. */
  private static final int[] LONGS = {1, 4, 20, 500, 9_000, 40_000};

  private static Datatype<?> struct(Datatype<?>... types) {
    long[] lengths = new long[types.length];
    long[] displacements = new long[types.length];
    long at = 0;
    for (int i = 0; i < types.length; i++) {
      lengths[i] = 1;
      displacements[i] = at;
      at += types[i].extent();
    }
    return Datatype.struct(lengths, displacements, types).commit();
  }

  /** Passes on a message that must not be received as it is, by a way that goes on after that. */
  private static MpiException refused(Comm world, Buf<?> send, Buf<?> recv) {
    Request incoming = world.irecv(recv, Way.previous(world), 1);
    Request outgoing = world.isend(send, Way.next(world), 1);
    MpiException error = assertThrows(MpiException.class, incoming::await);
    assertEquals(ErrorClass.ERR_TYPE, error.errorClass(), error.getMessage());
    outgoing.await();
    return error;
  }

  private static void assertUsable(Comm world) {
    int[] data = new int[1];
    world.sendrecv(Buf.of(new int[] {world.rank()}), Way.next(world), 2, Buf.of(data), Way.previous(world), 2);
    assertEquals(Way.previous(world), data[0]);
    world.barrier();
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.8-h S1-4.1.11-a: ints received as doubles are an error that names both")
  void intsAsDoubles(Mpi mpi) {
    Comm world = mpi.world();
    for (int longs : LONGS) {
      for (Place from : Place.values()) {
        try (Arena arena = Arena.ofShared()) {
          MemorySegment source = from.allocate(mpi, arena, 8L * longs);
          MemorySegment target = from.allocate(mpi, arena, 8L * longs);
          MpiException error = refused(
              world, Buf.of(source, 2L * longs, Datatype.INT), Buf.of(target, longs, Datatype.DOUBLE));
          assertTrue(error.getMessage().contains("INT"), error.getMessage());
          assertTrue(error.getMessage().contains("DOUBLE"), error.getMessage());
        }
      }
      assertUsable(world);
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.11-a: structs whose members come in another order do not match")
  void orderOfMembers(Comm world) {
    Datatype<?> one = struct(Datatype.INT, Datatype.DOUBLE, Datatype.CHAR);
    Datatype<?> other = struct(Datatype.INT, Datatype.CHAR, Datatype.DOUBLE);
    for (int count : new int[] {1, 3, 100, 5_000}) {
      MemorySegment source = MemorySegment.ofArray(new byte[count * 32]);
      MemorySegment target = MemorySegment.ofArray(new byte[count * 32]);
      MpiException error = refused(world, Buf.of(source, count, one), Buf.of(target, count, other));
      for (String part : List.of("INT", "DOUBLE", "CHAR")) {
        assertTrue(error.getMessage().contains(part), error.getMessage());
      }
      assertUsable(world);
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.11 S1-4.1.11-e: equal signatures match, whatever the constructors, and shorter messages too")
  void equalSignatures(Mpi mpi) {
    Datatype<?> intAndDoubles = Datatype.struct(
        new long[] {1, 3}, new long[] {0, 8}, new Datatype<?>[] {Datatype.INT, Datatype.DOUBLE}).commit();
    Datatype<Double> stride = Datatype.vector(3, 1, 2, Datatype.DOUBLE);
    Datatype<?> apart = Datatype.struct(
        new long[] {1, 1}, new long[] {60, 0}, new Datatype<?>[] {Datatype.INT, stride}).resized(0, 64).commit();
    for (int count : new int[] {1, 7, 300, 1_500}) {
      Exchange.everywhere(mpi, 32L * count, memory -> memory.fill((byte) 3), 64L * (count + 2), (a, b, passing) -> {
        Status status = passing.pass(Buf.of(a, count, intAndDoubles), Buf.of(b, count + 2L, apart));
        assertEquals(count, status.getCount(apart));
      });
    }
    Exchange.everywhere(mpi, 4, memory -> {}, 64, (a, b, passing) ->
        assertEquals(1, passing.pass(Buf.of(a, 1, Datatype.INT), Buf.of(b, 1, apart)).getElements(apart)));
    assertUsable(mpi.world());
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.2-d S1-4.2-e: PACKED matches everything, BYTE only itself")
  void packedAndBytes(Comm world) {
    for (int longs : LONGS) {
      MemorySegment source = MemorySegment.ofArray(new long[longs]);
      MemorySegment target = MemorySegment.ofArray(new long[longs]);
      Way.RECEIVE_FIRST.pass(
          world, Buf.of(source, 8L * longs, Datatype.PACKED), Buf.of(target, longs, Datatype.DOUBLE));
      Way.UNEXPECTED.pass(world, Buf.of(source, longs, Datatype.LONG), Buf.of(target, 8L * longs, Datatype.PACKED));
      refused(world, Buf.of(source, 8L * longs, Datatype.BYTE), Buf.of(target, longs, Datatype.LONG));
    }
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.11-c: too long a message is refused for its length")
  void truncation(Comm world) {
    for (int longs : LONGS) {
      Request incoming = world.irecv(new long[longs], Way.previous(world), 1);
      Request outgoing = world.isend(new long[longs + 1], Way.next(world), 1);
      assertError(ErrorClass.ERR_TRUNCATE, incoming::await);
      outgoing.await();
    }
    assertUsable(world);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.11-d: entries that overlap may be sent, not received, however short the message")
  void overlappingEntries(Comm world) {
    Datatype<Integer> overlapping = Datatype.vector(3, 5, 4, Datatype.INT).commit();
    Datatype<Integer> close = Datatype.contiguous(2, Datatype.INT).resized(0, 4).commit();
    int[] data = new int[20];
    int[] target = new int[15];
    Way.SENDRECV.pass(world, Buf.of(data, 1, overlapping), Buf.of(target));
    int self = world.rank();
    assertError(ErrorClass.ERR_TYPE, () -> world.recv(Buf.of(data, 1, overlapping), self, 3), "overlap");
    assertError(ErrorClass.ERR_TYPE, () -> world.irecv(Buf.of(data, 1, overlapping), self, 3), "overlap");
    assertError(ErrorClass.ERR_TYPE, () -> world.irecv(Buf.of(data, 2, close), self, 3), "overlap");
    Way.SENDRECV.pass(world, Buf.of(data, 0, 2), Buf.of(target, 1, close));
    assertUsable(world);
  }

  @MpiTest(ranks = {2, 3})
  void collectives(Comm world) {
    double[] data = new double[100];
    Datatype<Double> everySecond = Datatype.vector(50, 1, 2, Datatype.DOUBLE).commit();
    world.bcast(world.rank() == 0 ? Buf.of(data, 0, 50) : Buf.of(data, 1, everySecond), 0);
    double[] all = new double[100 * world.size()];
    world.gather(Buf.of(data, 1, everySecond), Buf.of(all, 0, 50 * world.size()), 1);
    world.allreduce(Buf.of(data), Op.SUM);
    assertUsable(world);
  }

  @MpiVariant(name = "defaults", settings = "ffmpi.check=full")
  @MpiTest(ranks = 2, processes = true, timeout = 120)
  @DisplayName("S1-4.1.11-a: the same between processes")
  void betweenProcesses(Mpi mpi) {
    intsAsDoubles(mpi);
    orderOfMembers(mpi.world());
    equalSignatures(mpi);
  }
}
