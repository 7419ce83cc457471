// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import static org.ffmpi.datatype.tree.BoundsTest.check;
import static org.ffmpi.datatype.tree.BoundsTest.longs;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.Datatype.Distribution;
import org.ffmpi.datatype.Datatype.Order;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Parts of arrays of several dimensions against a naive enumeration of the indices in them. */
class ArrayTypesTest {
  /** Returns whether an index along a dimension belongs to the part. */
  private interface Selection {
    boolean contains(int dimension, long index);
  }

  /** Lists the elements of a part in the order of memory, as offsets in elements. */
  private static List<Long> enumerate(long[] sizes, Order order, Selection part) {
    int n = sizes.length;
    long[] strides = new long[n];
    long all = 1;
    for (int i = 0; i < n; i++) {
      int d = order == Order.C ? n - 1 - i : i;
      strides[d] = all;
      all *= sizes[d];
    }
    List<Long> offsets = new ArrayList<>();
    for (long offset = 0; offset < all; offset++) {
      boolean inside = true;
      for (int d = 0; d < n; d++) {
        inside &= part.contains(d, offset / strides[d] % sizes[d]);
      }
      if (inside) {
        offsets.add(offset);
      }
    }
    return offsets;
  }

  private static void checkElements(List<Long> offsets, long whole, Datatype<?> old, Datatype<?> type) {
    List<Long> expected = new ArrayList<>();
    List<Long> element = ShapeBytes.of(TypeHandle.of(old).tree().shape());
    offsets.forEach(offset -> element.forEach(b -> expected.add(offset * old.extent() + b)));
    assertEquals(expected, ShapeBytes.of(TypeHandle.of(type).tree().shape()), type::describe);
    long first = expected.stream().mapToLong(b -> b).min().orElse(0);
    long end = expected.stream().mapToLong(b -> b + 1).max().orElse(0);
    check(type, expected.size(), 0, whole * old.extent(), first, end - first);
  }

  private static Datatype<?> someType(RandomGenerator random) {
    return switch (random.nextInt(5)) {
      case 0 -> Datatype.CHAR;
      case 1 -> Datatype.DOUBLE_INT;
      case 2 -> Datatype.INT.resized(-3, 9);
      case 3 -> Datatype.vector(2, 1, 2, Datatype.SHORT);
      default -> Datatype.INT;
    };
  }

  private static Order someOrder(RandomGenerator random) {
    return random.nextBoolean() ? Order.C : Order.FORTRAN;
  }

  @Test
  @DisplayName("S1-2.5.3: a corner of a matrix in both orders")
  void corner() {
    long[] sizes = longs(4, 5);
    long[] part = longs(2, 3);
    long[] starts = longs(1, 2);
    Datatype<?> rows = Datatype.subarray(sizes, part, starts, Order.C, Datatype.INT);
    checkElements(List.of(7L, 8L, 9L, 12L, 13L, 14L), 20, Datatype.INT, rows);
    Datatype<?> columns = Datatype.subarray(sizes, part, starts, Order.FORTRAN, Datatype.INT);
    checkElements(List.of(9L, 10L, 13L, 14L, 17L, 18L), 20, Datatype.INT, columns);
  }

  @Test
  void randomSubarrays() {
    Seed.repeat(300, random -> {
      int n = 1 + random.nextInt(4);
      long[] sizes = random.longs(n, 1, 7).toArray();
      long[] subsizes = new long[n];
      long[] starts = new long[n];
      long whole = 1;
      for (int d = 0; d < n; d++) {
        subsizes[d] = random.nextLong(1, sizes[d] + 1);
        starts[d] = random.nextLong(0, sizes[d] - subsizes[d] + 1);
        whole *= sizes[d];
      }
      Order order = someOrder(random);
      Datatype<?> old = someType(random);
      List<Long> expected =
          enumerate(sizes, order, (d, index) -> index >= starts[d] && index < starts[d] + subsizes[d]);
      checkElements(expected, whole, old, Datatype.subarray(sizes, subsizes, starts, order, old));
    });
  }

  @Test
  void randomDistributedArrays() {
    Seed.repeat(300, random -> {
      int n = 1 + random.nextInt(3);
      long[] gsizes = new long[n];
      Distribution[] distribs = new Distribution[n];
      int[] dargs = new int[n];
      int[] psizes = new int[n];
      int processes = 1;
      long whole = 1;
      for (int d = 0; d < n; d++) {
        gsizes[d] = random.nextLong(1, 14);
        whole *= gsizes[d];
        distribs[d] = Distribution.values()[random.nextInt(3)];
        psizes[d] = distribs[d] == Distribution.NONE ? 1 : 1 + random.nextInt(4);
        processes *= psizes[d];
        int least = distribs[d] == Distribution.BLOCK ? (int) Math.ceilDiv(gsizes[d], psizes[d]) : 1;
        boolean usual = distribs[d] == Distribution.NONE || random.nextInt(3) == 0;
        dargs[d] = usual ? Constants.DISTRIBUTE_DFLT_DARG : least + random.nextInt(4);
      }
      Order order = someOrder(random);
      Datatype<?> old = someType(random);
      Set<Long> dealt = new HashSet<>();
      for (int rank = 0; rank < processes; rank++) {
        int[] position = new int[n];
        int rest = rank;
        for (int d = n - 1; d >= 0; d--) {
          position[d] = rest % psizes[d];
          rest /= psizes[d];
        }
        List<Long> owned = enumerate(gsizes, order, (d, index) ->
            index / length(distribs[d], dargs[d], gsizes[d], psizes[d]) % psizes[d] == position[d]);
        Datatype<?> type = Datatype.darray(processes, rank, gsizes, distribs, dargs, psizes, order, old);
        checkElements(owned, whole, old, type);
        assertTrue(owned.stream().allMatch(dealt::add), "an element belongs to one process");
      }
      assertEquals(whole, dealt.size(), "every element belongs to a process");
    });
  }

  /** 19 is the number of the default in the MPI-5 binary interface, and a length of blocks like others. */
  @Test
  @DisplayName("§5.1.4: blocks of 18, 19 and 20 elements are dealt out as such")
  void blocksOfEveryLength() {
    for (Distribution distribution : new Distribution[] {Distribution.BLOCK, Distribution.CYCLIC}) {
      for (int darg : new int[] {18, 19, 20}) {
        long gsize = distribution == Distribution.BLOCK ? 53 : 100;
        long elements = 0;
        for (int rank = 0; rank < 3; rank++) {
          int me = rank;
          List<Long> owned = enumerate(longs(gsize), Order.C, (d, index) -> index / darg % 3 == me);
          Datatype<?> type = Datatype.darray(
              3, rank, longs(gsize), new Distribution[] {distribution}, new int[] {darg}, new int[] {3}, Order.C,
              Datatype.INT);
          checkElements(owned, gsize, Datatype.INT, type);
          elements += owned.size();
          assertEquals(darg, type.contents().integers()[5]);
        }
        assertEquals(gsize, elements);
      }
    }
    assertThrows(MpiException.class, () -> Datatype.darray(
        3, 0, longs(60), new Distribution[] {Distribution.BLOCK}, new int[] {19}, new int[] {3}, Order.C,
        Datatype.INT));
  }

  private static long length(Distribution distribution, int darg, long gsize, int psize) {
    return switch (distribution) {
      case NONE -> gsize;
      case BLOCK -> darg == Constants.DISTRIBUTE_DFLT_DARG ? (gsize + psize - 1) / psize : darg;
      case CYCLIC -> darg == Constants.DISTRIBUTE_DFLT_DARG ? 1 : darg;
    };
  }

  @Test
  void theStandardsExampleOfThreeDimensions() {
    // A(100,200,300) as BLOCK, CYCLIC(10), collapsed, over a grid of 2 x 3 x 1, seen from each process.
    long elements = 0;
    for (int rank = 0; rank < 6; rank++) {
      Datatype<?> type = Datatype.darray(
          6,
          rank,
          longs(100, 200, 300),
          new Distribution[] {Distribution.BLOCK, Distribution.CYCLIC, Distribution.NONE},
          new int[] {Constants.DISTRIBUTE_DFLT_DARG, 10, 0},
          new int[] {2, 3, 1},
          Order.FORTRAN,
          Datatype.DOUBLE);
      assertEquals(100L * 200 * 300 * 8, type.extent());
      assertEquals(8L * 50 * (rank % 3 == 2 ? 60 : 70) * 300, type.size());
      assertEquals(8L * (rank / 3 * 50 + rank % 3 * 10 * 100), type.trueLowerBound());
      elements += type.size() / 8;
    }
    assertEquals(100L * 200 * 300, elements);
  }

  @Test
  void hugeArraysAreNotEnumerated() {
    long n = 1L << 19;
    Datatype<?> cube = Datatype.subarray(
        longs(n, n, n), longs(n / 2, n / 2, n / 2), longs(n / 2, n / 4, 0), Order.C, Datatype.DOUBLE);
    assertEquals(1L << 60, cube.extent());
    assertEquals(1L << 57, cube.size());
    Datatype<?> dealt = Datatype.darray(
        1 << 20,
        (1 << 20) - 1,
        longs(n, n, n),
        new Distribution[] {Distribution.CYCLIC, Distribution.CYCLIC, Distribution.BLOCK},
        new int[] {3, Constants.DISTRIBUTE_DFLT_DARG, Integer.MAX_VALUE},
        new int[] {1 << 10, 1 << 9, 2},
        Order.FORTRAN,
        Datatype.DOUBLE);
    assertEquals(0, dealt.size(), "one block of the last dimension covers it, and the second process has none");
    assertEquals(1L << 60, dealt.extent());
    assertEquals(List.of(), ShapeBytes.of(TypeHandle.of(dealt).tree().shape()));
    assertEquals(0, TypeHandle.planOf(dealt.commit()).size());
  }

  @Test
  void argumentsAreCopied() {
    long[] sizes = longs(4, 5);
    Datatype<?> type = Datatype.subarray(sizes, longs(2, 3), longs(1, 2), Order.C, Datatype.INT);
    Arrays.fill(sizes, 1000);
    assertEquals(4, type.contents().integers()[1]);
    assertEquals(80, type.extent());
  }
}
