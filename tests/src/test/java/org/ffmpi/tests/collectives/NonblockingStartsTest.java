// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.testkit.MpiTest;

/** Starts of collectives wait for no other rank, and starts after starts get the right data. */
class NonblockingStartsTest {
  private static final int LENGTH = 512;

  /** More calls than a region has slots; the others begin only when a rank has started all of its own. */
  @CheckedOrNot
  @MpiTest(ranks = {2, 3, 4})
  void startsWaitForNobody(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    for (int i = 0; i < 6; i++) {
      world.barrier(); // until there is a region
    }
    for (int first = 0; first < n; first++) {
      long[] told = new long[1];
      if (r != first) {
        world.recv(told, first, 1);
      }
      List<Request> pending = new ArrayList<>();
      List<long[]> data = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        long[] array = new long[LENGTH];
        array[LENGTH - 1] = 10 * i + r;
        data.add(array);
        pending.add(i % 2 == 0 ? world.ibcast(Buf.of(array), first) : world.iallreduce(Buf.of(array), Op.SUM));
      }
      for (int other = 0; r == first && other < n; other++) {
        if (other != first) {
          world.send(told, other, 1);
        }
      }
      Request.waitAll(pending);
      for (int i = 0; i < 12; i++) {
        assertEquals(i % 2 == 0 ? 10 * i + first : 10 * i * n + n * (n - 1) / 2, data.get(i)[LENGTH - 1]);
      }
    }
  }

  @CheckedOrNot
  @MpiTest(ranks = {2, 3})
  void manyStartsOfOnePersistentReduction(IntraComm world) throws InterruptedException {
    int n = world.size();
    int r = world.rank();
    Random random = new Random(r);
    int[] in = new int[1];
    int[] out = new int[1];
    try (Persistent sum = world.allreduceInit(Buf.of(in), Buf.of(out), Op.SUM, null)) {
      for (int i = 0; i < 10_000; i++) {
        if (random.nextInt(1000) == 0) {
          Thread.sleep(1);
        }
        in[0] = i * (r + 1);
        sum.start();
        sum.await();
        assertEquals(i * n * (n + 1) / 2, out[0]);
      }
    }
  }
}
