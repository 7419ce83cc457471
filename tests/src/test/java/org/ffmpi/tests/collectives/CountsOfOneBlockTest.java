// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;

/** Buffers whose count is that of one rank's block, and arrays of int as counts and displacements. */
class CountsOfOneBlockTest {
  private static final int BLOCK = 3;

  private static Buf<Integer> one(int[] memory) {
    return Buf.perRank(memory, 0, BLOCK, Datatype.INT32_T);
  }

  /** Value k of the block that rank {@code from} has for rank {@code to}. */
  private static int value(int from, int to, int k) {
    return 10_000 * from + 100 * to + k;
  }

  private static int[] blocks(int size, int from, int to) {
    return IntStream.range(0, size * BLOCK)
        .map(i -> value(from < 0 ? i / BLOCK : from, to < 0 ? i / BLOCK : to, i % BLOCK)).toArray();
  }

  private static int[] block(int from, int to) {
    return IntStream.range(0, BLOCK).map(k -> value(from, to, k)).toArray();
  }

  @MpiTest(ranks = 3)
  void theCountIsThatOfOneBlock(IntraComm world) {
    int n = world.size();
    int me = world.rank();
    int[] all = new int[n * BLOCK + 2]; // longer than needed
    world.gather(Buf.of(block(me, 0)), one(all), 1);
    assertArrayEquals(me == 1 ? blocks(n, -1, 0) : new int[n * BLOCK], Arrays.copyOf(all, n * BLOCK));
    int[] mine = new int[BLOCK];
    world.scatter(one(blocks(n, 1, -1)), one(mine), 1);
    assertArrayEquals(block(1, me), mine);
    world.allgather(one(block(me, 0)), one(all));
    assertArrayEquals(blocks(n, -1, 0), Arrays.copyOf(all, n * BLOCK));
    world.alltoall(one(blocks(n, me, -1)), one(all));
    assertArrayEquals(blocks(n, -1, me), Arrays.copyOf(all, n * BLOCK));
    world.reduceScatterBlock(one(blocks(n, 0, -1)), one(mine), Op.MAX);
    assertArrayEquals(block(0, me), mine);
    world.bcast(one(mine), 2);
    assertArrayEquals(block(0, 2), mine, "a call with one block takes one");
    assertEquals(0, all[n * BLOCK], "what lies behind the blocks");
  }

  @MpiTest(ranks = 3)
  void inPlaceTheCountIsThatOfOneBlock(IntraComm world) {
    int n = world.size();
    int me = world.rank();
    int[] all = new int[n * BLOCK];
    System.arraycopy(block(me, 0), 0, all, me * BLOCK, BLOCK);
    world.allgather(one(all));
    assertArrayEquals(blocks(n, -1, 0), all);
    int[] own = me == 2 ? new int[n * BLOCK] : new int[BLOCK];
    System.arraycopy(block(me, 0), 0, own, me == 2 ? me * BLOCK : 0, BLOCK);
    world.gather(one(own), 2);
    assertArrayEquals(me == 2 ? blocks(n, -1, 0) : block(me, 0), own);
    world.scatter(one(own), 2);
    assertArrayEquals(block(me, 0), Arrays.copyOfRange(own, me == 2 ? 2 * BLOCK : 0, own.length));
    int[] exchanged = blocks(n, me, -1);
    world.alltoall(one(exchanged));
    assertArrayEquals(blocks(n, -1, me), exchanged);
    int[] reduced = blocks(n, 0, -1);
    world.reduceScatterBlock(one(reduced), Op.MIN);
    assertArrayEquals(block(0, me), Arrays.copyOf(reduced, BLOCK));
  }

  @MpiTest(ranks = 4)
  void neighboursHaveBlocksOfTheirOwn(IntraComm world) {
    try (CartComm ring = world.cartCreate(new int[] {4}, new boolean[] {true}, false)) {
      int me = ring.rank();
      int[] got = new int[2 * BLOCK];
      ring.neighborAllgather(one(block(me, 0)), one(got));
      int[] due = new int[2 * BLOCK];
      System.arraycopy(block((me + 3) % 4, 0), 0, due, 0, BLOCK);
      System.arraycopy(block((me + 1) % 4, 0), 0, due, BLOCK, BLOCK);
      assertArrayEquals(due, got);
      ring.neighborAllgatherv(
          one(block(me, 0)), one(got), new int[] {BLOCK, BLOCK}, new int[] {0, BLOCK});
      assertArrayEquals(due, got);
    }
  }

  @MpiTest(ranks = 3)
  void arraysOfCountsReachAsFarAsTheMemory(IntraComm world) {
    int n = world.size();
    int me = world.rank();
    int[] counts = IntStream.range(0, n).map(r -> r + 1).toArray();
    int[] displs = IntStream.range(0, n).map(r -> 4 * (n - 1 - r)).toArray();
    int[] mine = IntStream.range(0, me + 1).map(k -> value(me, 0, k)).toArray();
    int[] due = new int[4 * n];
    for (int r = 0; r < n; r++) {
      for (int k = 0; k < counts[r]; k++) {
        due[displs[r] + k] = value(r, 0, k);
      }
    }
    int[] all = new int[4 * n];
    Buf<Integer> room = Buf.perRank(all, 0, 0, Datatype.INT32_T);
    world.allgatherv(Buf.of(mine), room, counts, displs);
    assertArrayEquals(due, all);
    Arrays.fill(all, 0);
    world.iallgatherv(Buf.of(mine), room, counts, displs).await();
    assertArrayEquals(due, all);
    Arrays.fill(all, 0);
    world.gatherv(Buf.of(mine), room, counts, displs, 0);
    assertArrayEquals(me == 0 ? due : new int[4 * n], all);
  }

  @MpiTest(ranks = 2)
  void whereArraysDoNotMatterTheyMayBeNull(IntraComm world) {
    int me = world.rank();
    int[] all = new int[2];
    if (me == 0) {
      world.gatherv(Buf.of(new int[] {7}), Buf.of(all), new int[] {1, 1}, new int[] {0, 1}, 0);
      world.scatterv(Buf.of(all), new int[] {1, 1}, new int[] {1, 0}, Buf.of(new int[1]), 0);
      assertArrayEquals(new int[] {7, 8}, all);
    } else {
      int[] mine = {8};
      world.gatherv(Buf.of(mine), null, null, null, 0);
      world.scatterv(null, null, null, Buf.of(mine), 0);
      assertArrayEquals(new int[] {7}, mine);
    }
  }

  @MpiTest(ranks = 2)
  void tooLittleMemoryIsNamed(IntraComm world) {
    world.setErrhandler(Errhandler.RETURN);
    MpiException error = assertThrows(
        MpiException.class, () -> world.alltoall(one(new int[2 * BLOCK]), one(new int[2 * BLOCK - 1])));
    assertEquals(ErrorClass.ERR_BUFFER, error.errorClass());
    assertTrue(error.getMessage().contains("does not hold such a block for each of 2 ranks"), error.getMessage());
    error = assertThrows(MpiException.class, () -> world.gatherv(
        Buf.of(new int[1]), Buf.of(new int[2]), new int[] {1, 1}, new int[] {0, 1}, 0, 1));
    assertTrue(error.getMessage().contains("number of roots = 2"), error.getMessage());
  }

  @MpiTest(ranks = 2)
  void displacementsBeyondTheMemoryAreRefused(IntraComm world) {
    world.setErrhandler(Errhandler.RETURN);
    Buf<Integer> room = Buf.perRank(new int[4], 0, 1, Datatype.INT32_T);
    MpiException error = assertThrows(MpiException.class, () -> world.allgatherv(
        Buf.of(new int[1]), room, new int[] {1, 1}, new int[] {0, 4}));
    assertTrue(error.getMessage().contains("recvDispls[1] = 4"), error.getMessage());
  }
}
