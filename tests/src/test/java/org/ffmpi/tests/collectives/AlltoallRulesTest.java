// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;

/** The rules of the standard for MPI_Alltoall and its relatives, one by one. */
class AlltoallRulesTest {
  private static int[] filled(int length, int value) {
    int[] a = new int[length];
    Arrays.fill(a, value);
    return a;
  }

  private static Buf<Object> bytes(int[] array) {
    return Buf.of(MemorySegment.ofArray(array), 4L * array.length, Side.bytesType());
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  @DisplayName("S2-1: block j of rank i lands in block i of rank j")
  void blocksChangePlaces(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    int[] sent = new int[2 * n];
    int[] received = new int[2 * n];
    for (int j = 0; j < n; j++) {
      sent[2 * j] = 100 * r + j;
      sent[2 * j + 1] = -sent[2 * j];
    }
    world.alltoall(Buf.of(sent), Buf.of(received));
    for (int i = 0; i < n; i++) {
      assertEquals(100 * i + r, received[2 * i]);
      assertEquals(-(100 * i + r), received[2 * i + 1]);
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S2-2: contiguous blocks are received into strided ones of the same signature")
  void mapsMayDiffer(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    int[] sent = new int[2 * n];
    for (int k = 0; k < sent.length; k++) {
      sent[k] = 100 * r + k;
    }
    Datatype<Integer> column = Datatype.vector(2, 1, n, Datatype.INT).resized(0, 4).commit();
    int[] received = new int[2 * n];
    world.alltoall(Buf.of(sent), Buf.of(MemorySegment.ofArray(received), n, column));
    for (int i = 0; i < n; i++) {
      assertEquals(100 * i + 2 * r, received[i]);
      assertEquals(100 * i + 2 * r + 1, received[n + i]);
    }
  }

  @MpiTest(ranks = 4)
  @DisplayName("S2-4: in place at all ranks, each block is replaced by the one that comes")
  void inPlace(IntraComm world) {
    int r = world.rank();
    for (int form = 0; form < 3; form++) {
      int[] a = {100 * r, 100 * r + 1, 100 * r + 2, 100 * r + 3};
      switch (form) {
        case 0 -> world.alltoall(Buf.inPlace(), Buf.of(a));
        case 1 -> world.alltoall(Buf.of(a));
        default -> world.ialltoall(Buf.of(a)).await();
      }
      assertArrayEquals(new int[] {r, 100 + r, 200 + r, 300 + r}, a);
    }
  }

  @MpiTest(ranks = {2, 3, 8})
  @DisplayName("S2-5: long buffers in place, block by block")
  void inPlaceOfLongBlocks(IntraComm world) {
    int block = 50_000;
    int[] a = new int[block * world.size()];
    for (int k = 0; k < a.length; k++) {
      a[k] = 1_000_000 * world.rank() + k / block;
    }
    world.alltoall(Buf.of(a));
    for (int k = 0; k < a.length; k++) {
      assertEquals(1_000_000 * (k / block) + world.rank(), a[k]);
    }
  }

  @MpiTest(ranks = 4)
  @DisplayName("S2-6: between groups, as much may go one way as does not the other")
  void betweenGroups(IntraComm world) {
    int r = world.rank();
    boolean isLow = r < 2;
    try (IntraComm half = world.split(isLow ? 0 : 1, r);
        InterComm inter = half.intercomm(0, world, isLow ? 2 : 0, 1)) {
      int[] sent = isLow ? new int[] {100 * r, 100 * r + 1} : new int[0];
      int[] received = isLow ? new int[0] : new int[2];
      inter.alltoall(Buf.of(sent), Buf.of(received));
      if (!isLow) {
        assertArrayEquals(new int[] {r - 2, 100 + r - 2}, received);
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  @DisplayName("S2-7: lengths may differ from pair to pair")
  void lengthsDiffer(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    long[] sendCounts = new long[n];
    long[] recvCounts = new long[n];
    long[] sendDispls = new long[n];
    long[] recvDispls = new long[n];
    for (int j = 0; j < n; j++) {
      sendCounts[j] = (r + 2 * j) % 4;
      recvCounts[j] = (j + 2 * r) % 4;
      sendDispls[j] = 4L * (n - 1 - j);
      recvDispls[j] = 4L * j;
    }
    int[] sent = new int[4 * n];
    for (int j = 0; j < n; j++) {
      Arrays.fill(sent, (int) sendDispls[j], (int) (sendDispls[j] + sendCounts[j]), 100 * r + j);
    }
    int[] received = filled(4 * n, -1);
    world.alltoallv(Buf.of(sent), sendCounts, sendDispls, Buf.of(received), recvCounts, recvDispls);
    for (int k = 0; k < received.length; k++) {
      assertEquals(k % 4 < recvCounts[k / 4] ? 100 * (k / 4) + r : -1, received[k]);
    }
  }

  @MpiTest(ranks = {2, 4})
  @DisplayName("S2-8: displacements count in extents, those of resized types too")
  void displacementsInExtents(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    Datatype<Integer> apart = Datatype.contiguous(1, Datatype.INT).resized(0, 12).commit();
    int[] sent = new int[3 * n];
    long[] ones = new long[n];
    long[] displs = new long[n];
    for (int j = 0; j < n; j++) {
      ones[j] = 1;
      displs[j] = j;
      sent[3 * j] = 100 * r + j;
    }
    int[] received = filled(3 * n, -1);
    world.alltoallv(Buf.of(MemorySegment.ofArray(sent), n, apart), ones, displs,
        Buf.of(MemorySegment.ofArray(received), n, apart), ones, displs);
    for (int k = 0; k < received.length; k++) {
      assertEquals(k % 3 == 0 ? 100 * (k / 3) + r : -1, received[k]);
    }
  }

  @MpiTest(ranks = 4)
  @DisplayName("S2-9: alltoallv in place, with gaps that stay as they are")
  void alltoallvInPlace(IntraComm world) {
    int r = world.rank();
    long[] counts = new long[4];
    long[] displs = new long[4];
    int length = 0;
    for (int j = 0; j < 4; j++) {
      counts[j] = (r + j) % 3;
      displs[j] = ++length;
      length += (int) counts[j];
    }
    for (int form = 0; form < 3; form++) {
      int[] a = filled(length, -1);
      int[] expected = a.clone();
      for (int j = 0; j < 4; j++) {
        for (int k = 0; k < counts[j]; k++) {
          a[(int) displs[j] + k] = 1_000 * r + 100 * j + k;
          expected[(int) displs[j] + k] = 1_000 * j + 100 * r + k;
        }
      }
      switch (form) {
        case 0 -> world.alltoallv(Buf.of(a), counts, displs);
        case 1 -> world.alltoallv(Buf.inPlace(), null, null, Buf.of(a), counts, displs);
        default -> world.ialltoallv(Buf.of(a), counts, displs).await();
      }
      assertArrayEquals(expected, a);
    }
  }

  @MpiTest(ranks = {3, 4})
  @DisplayName("S2-10: alltoallv between groups goes by the pairs of ranks of both")
  void alltoallvBetweenGroups(IntraComm world) {
    int r = world.rank();
    boolean isLow = r < 1;
    try (IntraComm part = world.split(isLow ? 0 : 1, r);
        InterComm inter = part.intercomm(0, world, isLow ? 1 : 0, 1)) {
      int others = inter.remoteSize();
      int me = inter.rank();
      long[] sendCounts = new long[others];
      long[] recvCounts = new long[others];
      long[] displs = new long[others];
      for (int j = 0; j < others; j++) {
        sendCounts[j] = isLow ? j + 1 : 2 * me;
        recvCounts[j] = isLow ? 2 * j : me + 1;
        displs[j] = 8L * j;
      }
      int[] received = filled(8 * others, -1);
      inter.alltoallv(Buf.of(filled(8 * others, r)), sendCounts, displs, Buf.of(received), recvCounts, displs);
      for (int k = 0; k < received.length; k++) {
        int from = isLow ? 1 + k / 8 : 0;
        assertEquals(k % 8 < recvCounts[k / 8] ? from : -1, received[k]);
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S2-11: alltoallw has types of its own for each pair, and counts displacements in bytes")
  void typesDiffer(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    // A matrix whose columns are spread over the ranks becomes one whose rows are: a transpose in one call.
    int[] sent = new int[n * n];
    Datatype<?>[] columns = new Datatype<?>[n];
    Datatype<?>[] rows = new Datatype<?>[n];
    long[] ones = new long[n];
    long[] sendDispls = new long[n];
    long[] recvDispls = new long[n];
    for (int j = 0; j < n; j++) {
      columns[j] = Datatype.vector(n, 1, n, Datatype.INT).commit();
      rows[j] = Datatype.contiguous(n, Datatype.INT).commit();
      ones[j] = 1;
      sendDispls[j] = 4L * j;
      recvDispls[j] = 4L * n * j;
      for (int i = 0; i < n; i++) {
        sent[i * n + j] = 10_000 * r + 100 * i + j;
      }
    }
    int[] received = new int[n * n];
    world.alltoallw(bytes(sent), ones, sendDispls, columns, bytes(received), ones, recvDispls, rows);
    for (int from = 0; from < n; from++) {
      for (int i = 0; i < n; i++) {
        assertEquals(10_000 * from + 100 * i + r, received[from * n + i]);
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S2-12: alltoallw in place")
  void alltoallwInPlace(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    int[] a = filled(6 * n, -1);
    int[] expected = a.clone();
    long[] counts = new long[n];
    long[] displs = new long[n];
    Datatype<?>[] types = new Datatype<?>[n];
    for (int j = 0; j < n; j++) {
      boolean isStrided = j > r;
      counts[j] = 1;
      displs[j] = 24L * j;
      types[j] = isStrided ? Datatype.vector(3, 1, 2, Datatype.INT).commit()
          : Datatype.contiguous(3, Datatype.INT).commit();
      for (int k = 0; k < 3; k++) {
        int at = 6 * j + (isStrided ? 2 * k : k);
        a[at] = 1_000 * r + 100 * j + k;
        expected[at] = 1_000 * j + 100 * r + k;
      }
    }
    world.alltoallw(bytes(a), counts, displs, types);
    assertArrayEquals(expected, a);
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S2-13: alltoallw of which one rank sends only is a scatter with a type for each")
  void scatterw(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    int[] sent = new int[n * n];
    for (int k = 0; k < sent.length; k++) {
      sent[k] = k;
    }
    long[] sendCounts = new long[n];
    long[] recvCounts = new long[n];
    long[] sendDispls = new long[n];
    Datatype<?>[] sendTypes = new Datatype<?>[n];
    Datatype<?>[] recvTypes = new Datatype<?>[n];
    for (int j = 0; j < n; j++) {
      sendCounts[j] = r == 0 ? 1 : 0;
      sendDispls[j] = 4L * j * n;
      sendTypes[j] = Datatype.contiguous(j + 1, Datatype.INT).commit();
      recvTypes[j] = Datatype.INT;
    }
    recvCounts[0] = r + 1;
    int[] received = filled(n, -1);
    world.alltoallw(bytes(sent), sendCounts, sendDispls, sendTypes, bytes(received), recvCounts, new long[n],
        recvTypes);
    for (int k = 0; k < n; k++) {
      assertEquals(k <= r ? n * r + k : -1, received[k]);
    }
  }

  @MpiTest(ranks = {1, 3})
  @DisplayName("S2-14: arrays have an entry for each rank; counts are not negative")
  void wrongArrays(IntraComm world) {
    int n = world.size();
    Buf<?> buf = Buf.of(new int[4 * n]);
    Buf<?> other = Buf.of(new int[4 * n]);
    long[] right = new long[n];
    long[] tooLong = new long[n + 1];
    long[] negative = new long[n];
    negative[n - 1] = -1;
    Datatype<?>[] types = new Datatype<?>[n];
    Arrays.fill(types, Datatype.INT);
    assertError(ErrorClass.ERR_COUNT, () -> world.alltoallv(buf, tooLong, right, other, right, right), "sendCounts");
    assertError(ErrorClass.ERR_COUNT, () -> world.alltoallv(buf, right, right, other, tooLong, right), "recvCounts");
    assertError(ErrorClass.ERR_ARG, () -> world.alltoallv(buf, right, tooLong, other, right, right), "sendDispls");
    assertError(
        ErrorClass.ERR_COUNT, () -> world.alltoallv(buf, negative, right, other, right, right), "sendCounts", "-1");
    assertError(ErrorClass.ERR_COUNT, () -> world.alltoallv(buf, null, right, other, right, right), "sendCounts");
    assertError(ErrorClass.ERR_TYPE,
        () -> world.alltoallw(buf, right, right, new Datatype<?>[n + 1], other, right, right, types), "sendTypes");
    assertError(ErrorClass.ERR_COUNT, () -> world.allgatherv(Buf.of(new int[0]), buf, tooLong, right), "recvCounts");
    assertError(ErrorClass.ERR_COUNT,
        () -> world.reduceScatter(Buf.of(new int[n]), Buf.of(new int[1]), tooLong, Op.SUM), "counts");
    assertError(ErrorClass.ERR_COUNT,
        () -> world.reduceScatter(Buf.of(new int[n]), Buf.of(new int[1]), negative, Op.SUM), "counts", "-1");
    world.barrier(); // nothing has been started, and all goes on
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S2-16: the five flavours of reductions")
  void flavours(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    int[] mine = new int[n];
    for (int i = 0; i < n; i++) {
      mine[i] = 10 * r + i;
    }
    int tens = 10 * n * (n - 1) / 2;
    int[] result = filled(n, -1);
    world.reduce(Buf.of(mine), r == n - 1 ? Buf.of(result) : null, Op.SUM, n - 1);
    assertEquals(r == n - 1 ? tens : -1, result[0]);
    world.allreduce(Buf.of(mine), Buf.of(result), Op.SUM);
    assertEquals(tens + n * (n - 1), result[n - 1]);
    world.scan(Buf.of(mine), Buf.of(result), Op.SUM);
    assertEquals(10 * r * (r + 1) / 2, result[0]);
    result[0] = -1;
    world.exscan(Buf.of(mine), Buf.of(result), Op.SUM);
    assertEquals(r == 0 ? -1 : 10 * r * (r - 1) / 2, result[0]);
    long[] ones = new long[n];
    Arrays.fill(ones, 1);
    world.reduceScatter(Buf.of(mine), Buf.of(result, 0, 1), ones, Op.SUM);
    assertEquals(tens + n * r, result[0]);
  }
}
