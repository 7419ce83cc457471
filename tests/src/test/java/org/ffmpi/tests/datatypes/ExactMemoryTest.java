// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/**
 * Elements with bounds below zero, gaps, extents that are negative or smaller than the data: buffers of exactly the
 * memory that the true extent of all elements covers, with guards around it.
 */
class ExactMemoryTest {
  private static final int GUARD = 64;
  private static final int FILLER = 0x5A5A5A5A;

  /** Types of two integers each, with the places of both in bytes. */
  private enum Shape {
    BELOW(Datatype.hindexed(new long[] {1, 1}, new long[] {-8, 20}, Datatype.INT), -8, 20),
    MARKED(Datatype.vector(2, 1, 3, Datatype.INT).resized(-4, 40), 0, 12),
    BACKWARDS(Datatype.indexed(new long[] {1, 1}, new long[] {3, 0}, Datatype.INT), 12, 0),
    NEGATIVE_EXTENT(Datatype.contiguous(2, Datatype.INT).resized(0, -16), 0, 4),
    INTERLEAVED(Datatype.hvector(2, 1, 20_000, Datatype.INT).resized(0, 4), 0, 20_000),
    MARKED_TWICE(Datatype.contiguous(2, Datatype.INT.resized(-3, 12)).resized(100, 9).resized(0, 24), 0, 12);

    final Datatype<Integer> type;
    final long[] places;

    Shape(Datatype<Integer> type, long... places) {
      this.type = type.commit();
      this.places = places;
    }
  }

  /** Elements of one shape in memory that ends where the data end, between guards. */
  private static final class Exact {
    final Shape shape;
    final int count;
    final MemorySegment whole;
    final long origin;
    final Buf<Integer> buf;

    Exact(Shape shape, int count, Arena arena) {
      this.shape = shape;
      this.count = count;
      Datatype<Integer> type = shape.type;
      long spread = (count - 1) * type.extent();
      long start = type.trueLowerBound() + Math.min(0, spread);
      long bytes = type.trueExtent() + Math.abs(spread);
      this.whole = arena.allocate(bytes + 2 * GUARD, 8);
      this.origin = GUARD - start;
      MemorySegment exact = whole.asSlice(GUARD, bytes);
      this.buf = Buf.of(exact, -start, count, type);
      clear();
    }

    void clear() {
      for (long at = 0; at + 4 <= whole.byteSize(); at += 4) {
        whole.set(JAVA_INT_UNALIGNED, at, FILLER);
      }
    }

    private long place(int k) {
      return origin + k / 2 * shape.type.extent() + shape.places[k % 2];
    }

    void set(int... values) {
      clear();
      for (int k = 0; k < 2 * count; k++) {
        whole.set(JAVA_INT_UNALIGNED, place(k), values[k]);
      }
    }

    int[] get() {
      return IntStream.range(0, 2 * count).map(k -> whole.get(JAVA_INT_UNALIGNED, place(k))).toArray();
    }

    /** Checks the values, and that nothing else has been written. */
    void check(String what, int... expected) {
      assertArrayEquals(expected, get(), () -> shape + ": " + what);
      MemorySegment seen = Arena.ofAuto().allocate(whole.byteSize(), 8).copyFrom(whole);
      set(expected);
      assertEquals(-1, whole.mismatch(seen), () -> shape + ": " + what + " has written a gap or a guard");
    }
  }

  private static int[] numbers(int rank, int length) {
    return IntStream.range(0, length).map(i -> 1_000_000 * (rank + 1) + i).toArray();
  }

  private static int[] sums(int ranks, int length, int from) {
    return IntStream.range(from, from + length).map(i -> 1_000_000 * (ranks * (ranks + 1) / 2) + ranks * i).toArray();
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4}, timeout = 120)
  @DisplayName("S1-4.1.8-b: collectives read and write exactly the true extent of all elements, whatever the bounds")
  void collectives(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    for (Shape shape : Shape.values()) {
      for (int each : new int[] {1, 50}) {
        try (Arena arena = Arena.ofShared(); IntraComm comm = world.dup()) {
          Exact one = new Exact(shape, each, arena);
          Exact all = new Exact(shape, n * each, arena);
          Exact result = new Exact(shape, each, arena);
          Exact whole = new Exact(shape, n * each, arena);
          int[] joined = IntStream.range(0, n).flatMap(s -> Arrays.stream(numbers(s, 2 * each))).toArray();
          int[] turned = IntStream.range(0, n).flatMap(s ->
              Arrays.stream(numbers(s, 2 * n * each)).skip(2L * each * r).limit(2L * each)).toArray();
          for (int call = 0; call < 3; call++) { // with messages and with a region
            one.set(r == 0 ? numbers(0, 2 * each) : new int[2 * each]);
            comm.bcast(one.buf, 0);
            one.check("bcast", numbers(0, 2 * each));
            one.set(numbers(r, 2 * each));
            all.clear();
            comm.allgather(one.buf, all.buf);
            all.check("allgather", joined);
            all.set(numbers(r, 2 * n * each));
            whole.clear();
            comm.alltoall(all.buf, whole.buf);
            whole.check("alltoall", turned);
            result.clear();
            comm.allreduce(one.buf, result.buf, Op.SUM);
            result.check("allreduce", sums(n, 2 * each, 0));
            result.clear();
            comm.scan(one.buf, result.buf, Op.SUM);
            result.check("scan", sums(r + 1, 2 * each, 0));
            result.clear();
            comm.reduceScatterBlock(all.buf, result.buf, Op.SUM);
            result.check("reduceScatterBlock", sums(n, 2 * each, 2 * each * r));
            result.clear();
            comm.reduce(one.buf, r == n - 1 ? result.buf : null, Op.SUM, n - 1);
            if (r == n - 1) {
              result.check("reduce", sums(n, 2 * each, 0));
            }
            all.set(numbers(0, 2 * n * each));
            result.clear();
            comm.scatter(r == 0 ? all.buf : null, result.buf, 0);
            result.check("scatter", Arrays.copyOfRange(numbers(0, 2 * n * each), 2 * each * r, 2 * each * (r + 1)));
          }
        }
      }
    }
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.8-b S1-4.1.7-a S1-4.1.7-b: messages between all shapes; bounds place elements and nothing else")
  void messages(Comm world) {
    int next = Way.next(world);
    int previous = Way.previous(world);
    for (int count : new int[] {1, 7, 1_500}) {
      for (Shape from : Shape.values()) {
        try (Arena arena = Arena.ofShared()) {
          Exact out = new Exact(from, count, arena);
          out.set(numbers(world.rank(), 2 * count));
          for (Shape to : Shape.values()) {
            Exact in = new Exact(to, count, arena);
            Request receive = world.irecv(in.buf, previous, 3);
            world.send(out.buf, next, 3);
            Status status = receive.await(new Status());
            assertEquals(8L * count, status.bytes());
            assertEquals(count, status.getCount(to.type));
            assertEquals(2L * count, status.getElements(from.type));
            in.check("from " + from, numbers(previous, 2 * count));
          }
          out.check("sending", numbers(world.rank(), 2 * count));
        }
      }
    }
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.1.8-b: one byte less than the true extent of all elements is refused, on either side")
  void oneByteLess(Comm world) {
    for (Shape shape : Shape.values()) {
      for (int count : new int[] {1, 5}) {
        Datatype<Integer> type = shape.type;
        long spread = (count - 1) * type.extent();
        long start = type.trueLowerBound() + Math.min(0, spread);
        long bytes = type.trueExtent() + Math.abs(spread);
        MemorySegment memory = Arena.ofAuto().allocate(bytes, 8);
        assertEquals(count, Buf.of(memory, -start, count, type).count());
        assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(memory, -start - 1, count, type));
        assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(memory.asSlice(0, bytes - 1), -start, count, type));
      }
    }
    world.barrier();
  }

  // ---- commit, duplicates

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-4.1.9-b: one committed type in many messages at once, each with a buffer and data of its own")
  void oneTypeInManyMessages(Comm world) {
    Datatype<Integer> type = Datatype.vector(300, 2, 5, Datatype.INT).commit();
    int length = 299 * 5 + 2;
    int messages = 12;
    Request[] requests = new Request[2 * messages];
    MemorySegment[] in = new MemorySegment[messages];
    for (int m = 0; m < messages; m++) {
      MemorySegment out = memory(m, length);
      in[m] = memory(m + 1, length);
      for (int i = 0; i < length; i++) {
        out.set(JAVA_INT_UNALIGNED, 4L * i, 10_000 * m + 100_000 * world.rank() + i);
        in[m].set(JAVA_INT_UNALIGNED, 4L * i, -1);
      }
      requests[m] = world.irecv(Buf.of(in[m], 1, type), Way.previous(world), m);
      requests[messages + m] = world.isend(Buf.of(out, 1, type), Way.next(world), m);
    }
    Request.waitAll(Arrays.asList(requests));
    for (int m = 0; m < messages; m++) {
      for (int i = 0; i < length; i++) {
        int expected = i % 5 < 2 ? 10_000 * m + 100_000 * Way.previous(world) + i : -1;
        assertEquals(expected, in[m].get(JAVA_INT_UNALIGNED, 4L * i), "message " + m + ", integer " + i);
      }
    }
  }

  private static MemorySegment memory(int kind, int length) {
    return kind % 2 == 0 ? Arena.ofAuto().allocate(4L * length, 4) : MemorySegment.ofArray(new int[length]);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.10-b: duplicates of a type in use have the attributes that the functions let through, each once")
  void attributesOfDuplicates(Comm world) {
    int[] copies = new int[2];
    int[] deletes = new int[2];
    try (Keyval<Datatype<?>, Integer> passed = Keyval.of((_, value) -> {
      copies[0]++;
      return Optional.of(value + 1);
    }, (_, _) -> deletes[0]++); Keyval<Datatype<?>, Integer> dropped = Keyval.of((_, _) -> {
      copies[1]++;
      return Optional.empty();
    }, (_, _) -> deletes[1]++)) {
      Datatype<Integer> type = Datatype.vector(3, 1, 2, Datatype.INT).commit();
      type.attributes().set(passed, 10);
      type.attributes().set(dropped, 20);
      Datatype<Integer> twin = type.dup();
      Datatype<Integer> third = twin.dup();
      int[] sent = {1, 0, 2, 0, 3};
      int[] got = new int[5];
      Way.SENDRECV.pass(world, Buf.of(MemorySegment.ofArray(sent), 1, third),
          Buf.of(MemorySegment.ofArray(got), 1, twin));
      assertArrayEquals(sent, got);
      assertEquals(List.of(10, 11, 12), List.of(type.attributes().get(passed).orElseThrow(),
          twin.attributes().get(passed).orElseThrow(), third.attributes().get(passed).orElseThrow()));
      assertEquals(Optional.empty(), twin.attributes().get(dropped));
      assertEquals(Optional.empty(), third.attributes().get(dropped));
      type.close();
      assertEquals(11, twin.attributes().get(passed).orElseThrow(), "the duplicate has its own");
      third.close();
      twin.close();
      assertArrayEquals(new int[] {2, 1}, copies, "the second key was not there to be copied again");
      assertArrayEquals(new int[] {3, 1}, deletes);
    }
  }

  // ---- counts

  @EveryTransport
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.11-h: every type of the receive's signature gives the same counts, by receives and probes")
  void typesOfTheSameSignature(Comm world) {
    int next = Way.next(world);
    int previous = Way.previous(world);
    for (int count : new int[] {0, 1, 5}) {
      Request send = world.isend(numbers(0, 2 * count), next, 1);
      Status probed = world.probe(previous, 1);
      Status received = world.recv(Buf.of(new int[10]), previous, 1, new Status());
      send.await();
      for (Status status : List.of(probed, received)) {
        for (Shape shape : Shape.values()) {
          assertEquals(count, status.getCount(shape.type), shape::toString);
          assertEquals(2 * count, status.getElements(shape.type), shape::toString);
          assertEquals(count, status.getCountInt(shape.type), shape::toString);
        }
        Datatype<Integer> three = Datatype.contiguous(3, Datatype.INT);
        assertEquals(2 * count % 3 == 0 ? 2 * count / 3 : Constants.UNDEFINED, status.getCount(three));
        assertEquals(2 * count, status.getElements(three));
      }
    }
  }
}
