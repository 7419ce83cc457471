// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** Which arguments of MPI_Alltoall and its relatives count, at which ranks, and which are ignored. */
class AlltoallArgumentsTest {
  /** Two integers of a block, in three types of one signature: place of integer k of block b. */
  private enum Shape {
    TOGETHER {
      @Override
      Buf<?> buf(int[] array, int blocks) {
        return Buf.of(MemorySegment.ofArray(array), blocks, Datatype.contiguous(2, Datatype.INT).commit());
      }

      @Override
      int place(int b, int k) {
        return 2 * b + k;
      }
    },
    APART {
      @Override
      Buf<?> buf(int[] array, int blocks) {
        Datatype<Integer> type = Datatype.vector(2, 1, 2, Datatype.INT).resized(0, 16).commit();
        return Buf.of(MemorySegment.ofArray(array), blocks, type);
      }

      @Override
      int place(int b, int k) {
        return 4 * b + 2 * k;
      }
    },
    SINGLE {
      @Override
      Buf<?> buf(int[] array, int blocks) {
        return Buf.of(array, 0, 2 * blocks);
      }

      @Override
      int place(int b, int k) {
        return 2 * b + k;
      }
    };

    abstract Buf<?> buf(int[] array, int blocks);

    abstract int place(int b, int k);

    static Shape of(int number) {
      return values()[number % values().length];
    }
  }

  private static int[] filled(int length, int value) {
    int[] array = new int[length];
    Arrays.fill(array, value);
    return array;
  }

  /** A call in its three forms, one after the other; its results are looked at after each. */
  private static void inEachForm(
      Runnable blocking, Supplier<Request> nonblocking, Supplier<Persistent> persistent, Runnable clear,
      Runnable check) {
    clear.run();
    blocking.run();
    check.run();
    clear.run();
    nonblocking.get().await();
    check.run();
    try (Persistent request = persistent.get()) {
      for (int start = 0; start < 2; start++) {
        clear.run();
        request.start();
        request.await();
        check.run();
      }
    }
  }

  // ---- all arguments at all ranks

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 8})
  @DisplayName("S2-3 S2-1 S2-2: every rank's own types and buffers count, on both sides")
  void typesOfEachRank(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    Shape from = Shape.of(r);
    Shape to = Shape.of(r + 1);
    int[] sent = filled(4 * n, -7);
    int[] got = new int[4 * n];
    int[] expected = filled(4 * n, -1);
    for (int b = 0; b < n; b++) {
      for (int k = 0; k < 2; k++) {
        sent[from.place(b, k)] = 1_000 * r + 10 * b + k;
        expected[to.place(b, k)] = 1_000 * b + 10 * r + k;
      }
    }
    Buf<?> out = from.buf(sent, n);
    Buf<?> in = to.buf(got, n);
    inEachForm(() -> world.alltoall(out, in), () -> world.ialltoall(out, in), () -> world.alltoallInit(out, in, null),
        () -> Arrays.fill(got, -1), () -> assertArrayEquals(expected, got));
  }

  @MpiTest(ranks = {2, 3, 4}, settings = "ffmpi.check=full")
  @DisplayName("S2-3: where everything is checked, a count or type that is wrong at one rank is an error at all")
  void anyRanksArgumentsCount(IntraComm world) {
    int n = world.size();
    int[] none = new int[4 * n];
    for (int wrong = 0; wrong < n; wrong++) {
      boolean isWrong = world.rank() == wrong;
      int each = isWrong ? 2 : 1;
      MpiException amount = assertThrows(MpiException.class, () -> world.alltoall(
          Buf.of(new int[each * n]), Buf.of(none, 0, each * n)));
      MpiException type = assertThrows(MpiException.class, () -> world.alltoall(
          isWrong ? Buf.of(new float[n]) : Buf.of(new int[n]), isWrong ? Buf.of(new float[n]) : Buf.of(none, 0, n)));
      for (MpiException error : List.of(amount, type)) {
        assertTrue(error.getMessage().contains("rank " + wrong) || n == 2, error::getMessage);
      }
      assertArrayEquals(new int[4 * n], none, "nothing has been received");
      int[] sum = {1};
      world.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(n, sum[0]);
    }
  }

  @EveryTransport
  @MpiTest(ranks = {2, 3, 4})
  @DisplayName("S2-3: the communicator counts: calls on twins meet their like only, whatever their order")
  void theCommunicatorCounts(IntraComm world) {
    int n = world.size();
    try (IntraComm twin = world.dup()) {
      for (int round = 0; round < 20; round++) {
        int[][] got = {filled(n, -1), filled(n, -1)};
        Request[] requests = new Request[2];
        for (int i = 0; i < 2; i++) {
          int which = (world.rank() + round + i) % 2;
          IntraComm comm = which == 0 ? world : twin;
          requests[which] = comm.ialltoall(Buf.of(filled(n, 100 * round + 10 * world.rank() + which)),
              Buf.of(got[which]));
        }
        Request.waitAll(Arrays.asList(requests));
        for (int r = 0; r < n; r++) {
          assertEquals(100 * round + 10 * r, got[0][r]);
          assertEquals(100 * round + 10 * r + 1, got[1][r]);
        }
      }
    }
  }

  // ---- in place

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 8})
  @DisplayName("S2-4 S2-9 S2-12: in place, what is given for the other buffer is ignored, whatever it is")
  void garbageInPlace(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    long[] garbage = {-99};
    Datatype<?>[] noTypes = {null};
    for (int each : new int[] {1, 700, 20_000}) {
      long[] counts = new long[n];
      long[] displs = new long[n];
      long[] bytes = new long[n];
      Datatype<?>[] types = new Datatype<?>[n];
      for (int b = 0; b < n; b++) {
        counts[b] = (r + b) % 2 == 0 ? each : each - 1; // symmetric, so that some blocks are empty
        displs[b] = (long) b * each;
        bytes[b] = 4 * displs[b];
        types[b] = Datatype.INT;
      }
      int[] full = new int[n * each];
      int[] fullExpected = new int[n * each];
      int[] partsExpected = new int[n * each];
      int[] parts = new int[n * each];
      for (int i = 0; i < full.length; i++) {
        int b = i / each;
        full[i] = 1_000_000 * r + 100_000 * b + i % each;
        parts[i] = full[i];
        fullExpected[i] = 1_000_000 * b + 100_000 * r + i % each;
        partsExpected[i] = i % each < counts[b] ? fullExpected[i] : full[i];
      }
      int[] data = new int[n * each];
      Buf<?> buf = Buf.of(data);
      inEachForm(() -> world.alltoall(Buf.inPlace(), buf), () -> world.ialltoall(Buf.inPlace(), buf),
          () -> world.alltoallInit(Buf.inPlace(), buf, null),
          () -> System.arraycopy(full, 0, data, 0, data.length), () -> assertArrayEquals(fullExpected, data));
      inEachForm(() -> world.alltoallv(Buf.inPlace(), garbage, null, buf, counts, displs),
          () -> world.ialltoallv(Buf.inPlace(), null, garbage, buf, counts, displs),
          () -> world.alltoallvInit(Buf.inPlace(), garbage, garbage, buf, counts, displs, null),
          () -> System.arraycopy(parts, 0, data, 0, data.length), () -> assertArrayEquals(partsExpected, data));
      inEachForm(() -> world.alltoallw(Buf.inPlace(), garbage, null, noTypes, buf, counts, bytes, types),
          () -> world.ialltoallw(Buf.inPlace(), null, garbage, null, buf, counts, bytes, types),
          () -> world.alltoallwInit(Buf.inPlace(), garbage, garbage, noTypes, buf, counts, bytes, types, null),
          () -> System.arraycopy(parts, 0, data, 0, data.length), () -> assertArrayEquals(partsExpected, data));
    }
  }

  // ---- displacements and types of each pair

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 8})
  @DisplayName("S2-7 S2-8 S2-11: one exchange, by elements of a resized type and by types and bytes of each pair")
  void twoWaysToSayOneExchange(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    int stride = 3; // integers from one element to the next
    Datatype<Integer> apart = Datatype.INT.resized(0, 4L * stride).commit();
    long[] outCounts = new long[n];
    long[] inCounts = new long[n];
    long[] outDispls = new long[n];
    long[] inDispls = new long[n];
    long[] outBytes = new long[n];
    long[] inBytes = new long[n];
    Datatype<?>[] outTypes = new Datatype<?>[n];
    Datatype<?>[] inTypes = new Datatype<?>[n];
    long[] ones = filledLongs(n, 1);
    int room = 5;
    for (int j = 0; j < n; j++) {
      outCounts[j] = (3 * r + j) % room;
      inCounts[j] = (3 * j + r) % room;
      outDispls[j] = (long) room * ((j + r) % n); // each rank's blocks lie in an order of its own
      inDispls[j] = (long) room * ((j + 2 * r) % n);
      outBytes[j] = 4L * stride * outDispls[j];
      inBytes[j] = 4L * stride * inDispls[j];
      outTypes[j] = Datatype.vector(outCounts[j], 1, stride, Datatype.INT).commit();
      inTypes[j] = Datatype.vector(inCounts[j], 1, stride, Datatype.INT).commit();
    }
    int[] sent = filled(stride * room * n, -7);
    int[] expected = filled(stride * room * n, -1);
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < outCounts[j]; k++) {
        sent[stride * ((int) outDispls[j] + k)] = 1_000 * r + 10 * j + k;
      }
      for (int k = 0; k < inCounts[j]; k++) {
        expected[stride * ((int) inDispls[j] + k)] = 1_000 * j + 10 * r + k;
      }
    }
    int[] got = new int[sent.length];
    Buf<?> out = Buf.of(MemorySegment.ofArray(sent), (long) room * n, apart);
    Buf<?> in = Buf.of(MemorySegment.ofArray(got), (long) room * n, apart);
    inEachForm(() -> world.alltoallv(out, outCounts, outDispls, in, inCounts, inDispls),
        () -> world.ialltoallv(out, outCounts, outDispls, in, inCounts, inDispls),
        () -> world.alltoallvInit(out, outCounts, outDispls, in, inCounts, inDispls, null),
        () -> Arrays.fill(got, -1), () -> assertArrayEquals(expected, got, "elements"));
    inEachForm(() -> world.alltoallw(out, ones, outBytes, outTypes, in, ones, inBytes, inTypes),
        () -> world.ialltoallw(out, ones, outBytes, outTypes, in, ones, inBytes, inTypes),
        () -> world.alltoallwInit(out, ones, outBytes, outTypes, in, ones, inBytes, inTypes, null),
        () -> Arrays.fill(got, -1), () -> assertArrayEquals(expected, got, "types of each pair"));
  }

  private static long[] filledLongs(int length, long value) {
    long[] array = new long[length];
    Arrays.fill(array, value);
    return array;
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S2-13: each rank in turn scatters by alltoallw; the same messages as one by one")
  void scatterwFromEachRank(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    for (int root = 0; root < n; root++) {
      // Rank j gets the multiples of j + 1 out of the root's array: a column of a type of its own.
      int length = 6 * n;
      long[] outCounts = new long[n];
      long[] outBytes = new long[n];
      Datatype<?>[] outTypes = new Datatype<?>[n];
      Datatype<?>[] inTypes = new Datatype<?>[n];
      for (int j = 0; j < n; j++) {
        outCounts[j] = r == root ? 1 : 0;
        outBytes[j] = 4L * j;
        outTypes[j] = Datatype.vector(6, 1, j + 1, Datatype.INT).resized(0, 4).commit();
        inTypes[j] = Datatype.INT;
      }
      long[] inCounts = new long[n];
      inCounts[root] = 6;
      int[] sent = new int[length];
      int from = root;
      Arrays.setAll(sent, i -> r == from ? 100 * from + i : -5);
      int[] got = new int[6];
      int[] expected = new int[6];
      Arrays.setAll(expected, i -> 100 * from + r + i * (r + 1));
      Buf<?> out = Buf.of(sent);
      Buf<?> in = Buf.of(got);
      inEachForm(() -> world.alltoallw(out, outCounts, outBytes, outTypes, in, inCounts, new long[n], inTypes),
          () -> world.ialltoallw(out, outCounts, outBytes, outTypes, in, inCounts, new long[n], inTypes),
          () -> world.alltoallwInit(out, outCounts, outBytes, outTypes, in, inCounts, new long[n], inTypes, null),
          () -> Arrays.fill(got, -1), () -> assertArrayEquals(expected, got));
    }
  }

  // ---- between groups

  @EveryTransport
  @MpiTest(ranks = {2, 3, 4, 5, 8})
  @DisplayName("S2-6: between groups of any sizes one direction may carry nothing; those buffers are not touched")
  void oneWayBetweenGroups(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    for (int lows = 1; lows < n; lows += 2) {
      int border = lows;
      boolean isLow = r < border;
      try (IntraComm half = world.split(isLow ? 0 : 1, r);
          InterComm inter = half.intercomm(0, world, isLow ? border : 0, 1)) {
        for (boolean upwards : new boolean[] {true, false}) {
          boolean sends = isLow == upwards;
          int others = inter.remoteSize();
          for (int each : new int[] {1, 900}) {
            // The buffers are there on both sides and full of data; only their counts are 0 where nothing goes.
            int[] sent = new int[each * others];
            Arrays.setAll(sent, i -> 1_000_000 * r + 1_000 * (i / each) + i % each);
            int[] got = new int[each * others];
            int first = isLow ? border : 0; // world rank of the other group's first
            int me = inter.rank();
            int[] expected = filled(each * others, -1);
            if (!sends) {
              Arrays.setAll(expected, i -> 1_000_000 * (first + i / each) + 1_000 * me + i % each);
            }
            Buf<?> out = Buf.of(sent, 0, sends ? sent.length : 0);
            Buf<?> in = Buf.of(got, 0, sends ? 0 : got.length);
            int[] before = sent.clone();
            inEachForm(() -> inter.alltoall(out, in), () -> inter.ialltoall(out, in),
                () -> inter.alltoallInit(out, in, null), () -> Arrays.fill(got, -1), () -> {
                  assertArrayEquals(expected, got);
                  assertArrayEquals(before, sent);
                });
          }
        }
        assertFalse(inter.iprobe(Constants.ANY_SOURCE, Constants.ANY_TAG).isPresent());
      }
    }
  }
}
