// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** Matching of derived types, the order of their data, and the counts at the receiver. */
@EveryTransport
class MatchingTest {
  private static final Datatype<Float> TWO = Datatype.contiguous(2, Datatype.REAL).commit();

  /** The same four numbers by different names. */
  private record Form(long count, Datatype<Float> type) {
    static List<Form> all() {
      return List.of(
          new Form(4, Datatype.REAL),
          new Form(2, TWO),
          new Form(1, Datatype.contiguous(2, TWO).commit()),
          new Form(1, Datatype.contiguous(4, Datatype.REAL).commit()));
    }

    Buf<Float> of(MemorySegment memory) {
      return Buf.of(memory, count, type);
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.11 S1-4.1.11-a: sends and receives of the same numbers match, whatever their types are made of")
  void sixteenCombinations(Mpi mpi) {
    for (Form sent : Form.all()) {
      for (Form received : Form.all()) {
        Exchange.everywhere(mpi, 16, MatrixExamplesTest::count, 16, (source, target, passing) -> {
          Status status = passing.pass(sent.of(source), received.of(target));
          assertEquals(received.count, status.getCount(received.type));
          assertEquals(4, status.getElements(received.type));
          assertEquals(-1, source.mismatch(target));
        });
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.11-b: data go in the order of the typemap, not of addresses")
  void orderOfTheTypemap(Mpi mpi) {
    Datatype<Integer> type = Datatype.indexed(new long[] {1, 2}, new long[] {5, 0}, Datatype.INT).commit();
    Exchange.everywhere(mpi, 32, MatchingTest::countInts, 12, (source, target, passing) -> {
      passing.pass(Buf.of(source, 1, type), Buf.of(target, 3, Datatype.INT));
      assertArrayEquals(new int[] {5, 0, 1}, ints(target));
    });
    Exchange.everywhere(mpi, 12, MatchingTest::countInts, 32, (source, target, passing) -> {
      passing.pass(Buf.of(source, 3, Datatype.INT), Buf.of(target, 1, type));
      assertArrayEquals(new int[] {1, 2, 0, 0, 0, 0, 0, 0}, ints(target));
    });
  }

  static void countInts(MemorySegment memory) {
    for (int i = 0; i < memory.byteSize() / 4; i++) {
      memory.setAtIndex(JAVA_INT_UNALIGNED, i, i);
    }
  }

  private static int[] ints(MemorySegment memory) {
    return memory.toArray(JAVA_INT_UNALIGNED);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.11-d: entries that overlap are sent as often as they are named")
  void overlappingEntriesAreSent(Mpi mpi) {
    Datatype<Integer> type = Datatype.vector(3, 5, 4, Datatype.INT).commit();
    Exchange.everywhere(mpi, 13 * 4, MatchingTest::countInts, 60, (source, target, passing) -> {
      passing.pass(Buf.of(source, 1, type), Buf.of(target, 15, Datatype.INT));
      assertArrayEquals(new int[] {0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 10, 11, 12}, ints(target));
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.7-c: elements of negative extent follow one another downwards")
  void negativeExtent(Mpi mpi) {
    Datatype<Integer> down = Datatype.INT.resized(4, -8).commit();
    assertEquals(-8, down.extent());
    Exchange.everywhere(mpi, 40, MatchingTest::countInts, 40, (source, target, passing) -> {
      Status status = passing.pass(Buf.of(source, 36, 5, down), Buf.of(target, 5, Datatype.INT));
      assertEquals(5, status.getCount(Datatype.INT));
      assertArrayEquals(new int[] {9, 7, 5, 3, 1}, Arrays.copyOf(ints(target), 5));
      target.fill((byte) 0);
      passing.pass(Buf.of(source, 5, Datatype.INT), Buf.of(target, 36, 5, down));
      assertArrayEquals(new int[] {0, 4, 0, 3, 0, 2, 0, 1, 0, 0}, ints(target));
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.11-c: more data than the receive type has room for is an error, less is not")
  void longerThanTheReceiveType(Comm world) {
    Datatype<Integer> everyOther = Datatype.vector(10, 1, 2, Datatype.INT).commit();
    int[] sent = new int[40];
    Arrays.setAll(sent, i -> i + 1);
    int next = Way.next(world);
    int previous = Way.previous(world);
    int[] data = new int[20];
    Request incoming = world.irecv(Buf.of(data, 1, everyOther), previous, 1);
    world.send(Buf.of(sent, 0, 11), next, 1);
    assertError(ErrorClass.ERR_TRUNCATE, incoming::await);
    for (int i = 1; i < 20; i += 2) {
      assertEquals(0, data[i], "a gap was written");
    }
    Request again = world.irecv(Buf.of(data, 1, everyOther), previous, 1);
    world.send(Buf.of(sent, 0, 10), next, 1);
    assertEquals(1, again.await(new Status()).getCount(everyOther));
    assertEquals(10, data[18]);
    world.barrier();
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.11-e: a message may fill any part of the receive buffer; the rest is not touched")
  void partlyFilled(Mpi mpi) {
    Datatype<Integer> pairs = Datatype.vector(2, 1, 2, Datatype.INT).resized(0, 20).commit();
    for (int n = 0; n <= 8; n++) {
      int sent = n;
      Exchange.everywhere(mpi, 32, MatchingTest::countInts, 80, (source, target, passing) -> {
        target.fill((byte) -1);
        Status status = passing.pass(Buf.of(source, sent, Datatype.INT), Buf.of(target, 4, pairs));
        assertEquals(sent % 2 == 0 ? sent / 2 : Constants.UNDEFINED, status.getCount(pairs));
        assertEquals(sent, status.getElements(pairs));
        int[] expected = new int[20];
        Arrays.fill(expected, -1);
        for (int i = 0; i < sent; i++) {
          expected[i / 2 * 5 + i % 2 * 2] = i;
        }
        assertArrayEquals(expected, ints(target));
      });
    }
  }

  private static void assertCounts(Comm world, Buf<?> message, Datatype<?> type, long count, long elements) {
    world.send(message, 0, 3);
    Status probed = world.probe(0, 3);
    assertEquals(count, probed.getCount(type), "count of the probed message");
    assertEquals(elements, probed.getElements(type), "elements of the probed message");
    MemorySegment target = MemorySegment.ofArray(new byte[200]);
    Status status = world.recv(Buf.of(target, target.byteSize() / type.extent(), type), 0, 3, new Status());
    assertEquals(count, status.getCount(type), "count");
    assertEquals(elements, status.getElements(type), "elements");
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.12 S1-4.1.11-f S1-4.1.11-h: whole and partial pairs are counted, also by probes")
  void pairsOfReals(Comm world) {
    long undefined = Constants.UNDEFINED;
    float[] reals = {1, 2, 3, 4};
    assertCounts(world, Buf.of(reals, 0, 2), TWO, 1, 2);
    assertCounts(world, Buf.of(reals, 0, 3), TWO, undefined, 3);
    assertCounts(world, Buf.of(reals, 0, 0), TWO, 0, 0);
    assertCounts(world, Buf.of(new byte[6]), TWO, undefined, undefined);
    for (int n = 0; n <= 4; n++) {
      assertCounts(world, Buf.of(reals, 0, n), Datatype.REAL, n, n);
    }
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-4.12: elements of a struct of an int and two doubles")
  void partsOfAStruct(Comm world) {
    long undefined = Constants.UNDEFINED;
    Datatype<?> type = Datatype.struct(
        new long[] {1, 2}, new long[] {0, 8}, new Datatype<?>[] {Datatype.INT, Datatype.DOUBLE}).commit();
    assertEquals(20, type.size());
    byte[] data = new byte[40];
    assertCounts(world, Buf.of(data, 0, 0), type, 0, 0);
    assertCounts(world, Buf.of(data, 0, 4), type, undefined, 1);
    assertCounts(world, Buf.of(data, 0, 12), type, undefined, 2);
    assertCounts(world, Buf.of(data, 0, 20), type, 1, 3);
    assertCounts(world, Buf.of(data, 0, 24), type, undefined, 4);
    assertCounts(world, Buf.of(data, 0, 40), type, 2, 6);
    assertCounts(world, Buf.of(data, 0, 39), type, undefined, undefined);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S4-1 S4-2 S4-4: markers move copies apart and are not sent")
  void markersAreNotSent(Mpi mpi) {
    Datatype<Integer> wide = Datatype.INT.resized(-3, 9);
    Datatype<Integer> three = Datatype.contiguous(3, wide).commit();
    assertEquals(12, three.size());
    assertEquals(27, three.extent());
    Exchange.everywhere(mpi, 100, MatchingTest::bytes, 100, (source, target, passing) -> {
      target.fill((byte) 0x7f);
      Status status = passing.pass(Buf.of(source, 3, three), Buf.of(target, 9, wide.dup().commit()));
      assertEquals(36, status.bytes());
      assertEquals(9, status.getElements(three));
      for (int i = 0; i < 9; i++) {
        assertEquals(source.get(JAVA_INT_UNALIGNED, 9 * i), target.get(JAVA_INT_UNALIGNED, 9 * i));
      }
      assertGap(target, 4, 9);
    });
  }

  private static void bytes(MemorySegment memory) {
    for (int i = 0; i < memory.byteSize(); i++) {
      memory.set(JAVA_BYTE, i, (byte) i);
    }
  }

  private static void assertGap(MemorySegment memory, int from, int to) {
    for (int i = from; i < to; i++) {
      assertEquals(0x7f, memory.get(JAVA_BYTE, i), "byte " + i);
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S4-9 S1-4.1.9-c: a struct with a gap and the one whose gap is a member carry what they say")
  void gapAsAMember(Mpi mpi) {
    Datatype<?> gap = Datatype.struct(
        new long[] {3, 1}, new long[] {0, 16}, new Datatype<?>[] {Datatype.REAL, Datatype.DOUBLE_PRECISION}).commit();
    Datatype<?> filled = Datatype.struct(
        new long[] {3, 1, 1}, new long[] {0, 12, 16},
        new Datatype<?>[] {Datatype.REAL, Datatype.REAL, Datatype.DOUBLE_PRECISION}).commit();
    assertEquals(20, gap.size());
    assertEquals(24, gap.extent());
    assertEquals(24, filled.size());
    assertEquals(24, filled.extent());
    assertTrue(TypeHandle.planOf(filled).isContiguous() && !TypeHandle.planOf(gap).isContiguous());
    Exchange.everywhere(mpi, 24 * 50, MatrixExamplesTest::count, 24 * 50, (source, target, passing) -> {
      passing.pass(Buf.of(source, 50, filled), Buf.of(target, 50, filled));
      assertEquals(-1, source.mismatch(target));
      target.fill((byte) -1);
      passing.pass(Buf.of(source, 50, gap), Buf.of(target, 50, gap));
      for (int i = 0; i < 50 * 6; i++) {
        int expected = i % 6 == 3 ? -1 : source.getAtIndex(JAVA_INT_UNALIGNED, i);
        assertEquals(expected, target.getAtIndex(JAVA_INT_UNALIGNED, i), "word " + i);
      }
    });
  }

  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-4.1.11-a: collectives take derived types as they take counts")
  void collectives(Comm world) {
    Datatype<Float> column = Datatype.vector(50, 1, 4, Datatype.FLOAT).commit();
    float[] matrix = new float[200];
    if (world.rank() == 1) {
      for (int i = 0; i < 50; i++) {
        matrix[4 * i + 2] = i;
      }
    }
    world.bcast(Buf.of(matrix, 1, Datatype.hindexed(new long[] {1}, new long[] {8}, column).commit()), 1);
    float[] expected = new float[200];
    for (int i = 0; i < 50; i++) {
      expected[4 * i + 2] = i;
    }
    assertArrayEquals(expected, matrix);
    int ranks = world.size();
    Datatype<Float> gathered = Datatype.vector(50, 1, ranks, Datatype.FLOAT).resized(0, 4).commit();
    float[] all = new float[50 * ranks];
    float[] mine = new float[50];
    for (int i = 0; i < 50; i++) {
      mine[i] = 1_000 * world.rank() + i;
    }
    world.gather(Buf.of(mine), Buf.of(all, ranks, gathered), 0);
    for (int i = 0; world.rank() == 0 && i < 50 * ranks; i++) {
      assertEquals(1_000 * (i % ranks) + i / ranks, all[i]);
    }
  }

  @MpiTest(ranks = 2)
  @DisplayName("S1-4.1.11-a: many messages of different types are under way at once and keep their order")
  void manyAtOnce(Comm world) {
    int other = 1 - world.rank();
    List<Request> requests = new ArrayList<>();
    List<int[]> received = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      int[] source = new int[3 * i];
      Arrays.setAll(source, k -> k);
      requests.add(world.isend(Buf.of(source, 1, Datatype.vector(i, 1, 3, Datatype.INT).commit()), other, 1));
    }
    for (int i = 1; i <= 60; i++) {
      int[] target = new int[2 * i];
      received.add(target);
      requests.add(world.irecv(Buf.of(target, 1, Datatype.vector(i, 1, 2, Datatype.INT).commit()), other, 1));
    }
    Request.waitAll(requests);
    for (int[] target : received) {
      for (int k = 0; k < target.length; k++) {
        assertEquals(k % 2 == 0 ? k / 2 * 3 : 0, target[k]);
      }
    }
  }
}
