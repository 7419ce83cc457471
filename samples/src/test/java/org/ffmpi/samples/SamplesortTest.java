// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.ffmpi.IntraComm;
import org.ffmpi.samples.show.ProgressBar;
import org.ffmpi.testkit.MpiTest;

class SamplesortTest {
  private static final ProgressBar SILENT = new ProgressBar(System.out, 0, 1, "step");

  private static long[] sorted(IntraComm world, int count, IntToLongFunction key) {
    long[] keys = IntStream.range(0, count).mapToLong(key).toArray();
    long[] before = Samplesort.fingerprint(world, keys);
    long[] sorted = Samplesort.sort(world, keys, SILENT);
    assertTrue(Samplesort.isSorted(world, sorted));
    assertArrayEquals(before, Samplesort.fingerprint(world, sorted));
    return sorted;
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void keysOfAllRanksAreSortedAndNoneIsLost(IntraComm world) {
    Random random = new Random(world.rank());
    long[] sorted = sorted(world, 5000, i -> random.nextLong());
    assertTrue(Math.abs(sorted.length - 5000) < 500, sorted.length + " keys");
    sorted(world, world.rank() == 1 ? 0 : 100 * world.rank(), i -> random.nextInt(50) - 25);
    sorted(world, 0, i -> 0);
    sorted(world, world.rank(), i -> i == 0 ? Long.MIN_VALUE : Long.MAX_VALUE);
    sorted(world, 1000, i -> 7);
  }

  @MpiTest(ranks = {1, 2, 4})
  void wrongOrderIsNoticedWithinAndBetweenRanks(IntraComm world) {
    int rank = world.rank();
    assertFalse(Samplesort.isSorted(world, new long[] {rank, rank == 0 ? -1 : rank}));
    assertEquals(world.size() == 1, Samplesort.isSorted(world, new long[] {-rank}));
    assertTrue(Samplesort.isSorted(world, rank % 2 == 0 ? new long[0] : new long[] {rank}));
  }
}
