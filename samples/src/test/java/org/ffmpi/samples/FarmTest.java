// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.testkit.MpiTest;

class FarmTest {
  private static final int BELOW_TEN_THOUSAND = 1229;

  @MpiTest(ranks = 3, orders = MpiTest.ALL)
  void piecesInEveryOrder(IntraComm world) {
    Farm.Harvest harvest = Farm.work(world, 30, 3);
    assertEquals(10, harvest.together());
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void theMasterCountsWhatTheWorkersFind(IntraComm world) {
    Farm.Harvest harvest = Farm.work(world, 10_000, 30);
    boolean master = world.rank() == 0;
    if (master) {
      assertEquals(new Farm.Harvest(BELOW_TEN_THOUSAND, 30, BELOW_TEN_THOUSAND), harvest);
    }
    assertEquals(BELOW_TEN_THOUSAND, harvest.together());
    long[] all = {master ? 0 : harvest.primes(), master ? 0 : harvest.pieces()};
    world.allreduce(Buf.of(all), Op.SUM);
    assertEquals(BELOW_TEN_THOUSAND, all[0]);
    assertEquals(30, all[1]);
  }
}
