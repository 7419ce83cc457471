// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;

/** Where the blocks of calls with displacements may lie: before the first element, in gaps, and far apart. */
class BlockPlacesTest {
  private static long[] filled(int n, long value) {
    long[] a = new long[n];
    Arrays.fill(a, value);
    return a;
  }

  /** The buffer begins at the last block; the blocks of all other ranks lie before it. */
  @CheckedOrNot
  @MpiTest(ranks = {1, 2, 3, 4})
  void blocksBeforeTheFirstElement(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    int[] array = new int[2 * n];
    long[] counts = filled(n, 2);
    long[] displs = new long[n];
    long[] bytes = new long[n];
    int[] expected = new int[2 * n];
    for (int i = 0; i < n; i++) {
      displs[i] = 2L * (i - (n - 1));
      bytes[i] = 4 * displs[i];
      expected[2 * i] = 10 * i;
      expected[2 * i + 1] = 10 * i + 1;
    }
    Buf<Integer> atLast = Buf.of(array, 2 * (n - 1), 2);
    Buf<Integer> mine = Buf.of(new int[] {10 * r, 10 * r + 1});
    world.allgatherv(mine, atLast, counts, displs);
    assertArrayEquals(expected, array);
    for (int root = 0; root < n; root++) {
      Arrays.fill(array, 0);
      world.gatherv(mine, atLast, counts, displs, root);
      assertArrayEquals(r == root ? expected : new int[2 * n], array);
      int[] got = new int[2];
      world.scatterv(atLast, counts, displs, Buf.of(got), root);
      assertArrayEquals(new int[] {10 * r, 10 * r + 1}, got);
    }
    int[] sent = new int[2 * n];
    for (int i = 0; i < n; i++) {
      sent[2 * i] = 100 * r + i;
    }
    Buf<Integer> from = Buf.of(MemorySegment.ofArray(sent), 8L * (n - 1), 2, Datatype.INT);
    Datatype<?>[] types = new Datatype<?>[n];
    Arrays.fill(types, Datatype.INT);
    for (boolean withTypes : new boolean[] {false, true}) {
      Arrays.fill(array, -1);
      if (withTypes) {
        world.alltoallw(from, counts, bytes, types, atLast, counts, bytes, types);
      } else {
        world.ialltoallv(from, counts, displs, atLast, counts, displs).await();
      }
      for (int i = 0; i < n; i++) {
        assertEquals(100 * i + r, array[2 * i]);
        assertEquals(0, array[2 * i + 1]);
      }
    }
    displs[0]--;
    bytes[0]--;
    assertError(ErrorClass.ERR_BUFFER, () -> world.allgatherv(mine, atLast, counts, displs), "recvDispls[0]");
    assertError(ErrorClass.ERR_BUFFER,
        () -> world.alltoallw(from, counts, bytes, types, atLast, counts, bytes, types), "Displs[0]");
  }

  /** Nothing of a type and something of a type without data match. */
  @CheckedOrNot
  @MpiTest(ranks = {1, 2, 3, 4})
  void blocksWithoutData(IntraComm world) {
    int n = world.size();
    Datatype<?> empty = Datatype.contiguous(0, Datatype.INT).commit();
    Datatype<?>[] empties = new Datatype<?>[n];
    Datatype<?>[] ints = new Datatype<?>[n];
    Arrays.fill(empties, empty);
    Arrays.fill(ints, Datatype.INT);
    long[] none = new long[n];
    long[] five = filled(n, 5);
    long[] far = filled(n, 1L << 40);
    Buf<Integer> from = Buf.of(new int[2]);
    int[] array = {7, 7};
    Buf<Integer> to = Buf.of(array);
    world.alltoallw(from, none, far, ints, to, five, none, empties);
    world.ialltoallw(from, five, none, empties, to, none, far, ints).await();
    boolean odd = world.rank() % 2 == 1;
    world.alltoallw(from, odd ? five : none, none, odd ? empties : ints, to, five, none, empties);
    assertArrayEquals(new int[] {7, 7}, array);
  }

  /** Displacements in bytes into the gaps of the buffer's elements, and types whose data lie before their origin. */
  @CheckedOrNot
  @MpiTest(ranks = {1, 2, 3, 4})
  void gapsAndLowerBounds(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    Datatype<Integer> below = Datatype.hindexed(new long[] {1}, new long[] {-4}, Datatype.INT).commit();
    Datatype<?>[] belows = new Datatype<?>[n];
    Datatype<?>[] ints = new Datatype<?>[n];
    Arrays.fill(belows, below);
    Arrays.fill(ints, Datatype.INT);
    int[] sent = new int[2 * n];
    int[] array = new int[2 * n];
    Arrays.fill(array, -1);
    long[] sendDispls = new long[n];
    long[] recvDispls = new long[n];
    for (int i = 0; i < n; i++) {
      sent[2 * i] = 100 * r + i;
      sendDispls[i] = 8L * i;
      recvDispls[i] = 8L * i - 8 * (n - 1) + 4; // the data lie 4 bytes before, in the gaps
    }
    Datatype<Integer> spread = Datatype.INT.resized(0, 8).commit();
    Buf<Integer> to = Buf.of(array, 8L * (n - 1), 1, spread); // begins at the last one
    long[] ones = filled(n, 1);
    world.alltoallw(Buf.of(sent), ones, sendDispls, ints, to, ones, recvDispls, belows);
    for (int i = 0; i < n; i++) {
      assertEquals(100 * i + r, array[2 * i]);
      assertEquals(-1, array[2 * i + 1]);
    }
  }

  /** Blocks further apart than 2^31 bytes, in a file of which few pages exist. */
  @MpiTest(ranks = {2, 3})
  void farApart(IntraComm world) throws IOException {
    int n = world.size();
    int r = world.rank();
    long far = (5L << 29) / 8; // in elements: 2.5 GiB
    Path path = Files.createTempFile("ffmpi-far", ".bin");
    try (Arena arena = Arena.ofShared();
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment sparse = file.map(FileChannel.MapMode.READ_WRITE, 0, 8 * (far + 2L * n), arena);
      Buf<Long> whole = Buf.of(sparse, far + 2L * n, Datatype.INT64_T);
      long[] counts = filled(n, 1);
      long[] displs = new long[n];
      long[] others = new long[n];
      for (int i = 0; i < n; i++) {
        displs[i] = i == 0 ? 0 : far + i;
        others[i] = i == 0 ? 1 : far + n + i;
      }
      world.gatherv(Buf.of(new long[] {r + 1}), whole, counts, displs, n - 1);
      if (r == n - 1) {
        for (int i = 0; i < n; i++) {
          assertEquals(i + 1, sparse.getAtIndex(ValueLayout.JAVA_LONG, displs[i]));
        }
      }
      long[] got = new long[1];
      world.scatterv(whole, counts, displs, Buf.of(got), n - 1);
      assertEquals(r + 1, got[0]);
      for (int i = 0; i < n; i++) {
        sparse.setAtIndex(ValueLayout.JAVA_LONG, displs[i], 100L * r + i);
      }
      world.alltoallv(whole, counts, displs, whole, counts, others);
      for (int i = 0; i < n; i++) {
        assertEquals(100L * i + r, sparse.getAtIndex(ValueLayout.JAVA_LONG, others[i]));
      }
    } finally {
      Files.delete(path);
    }
  }
}
