// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.IntraComm;
import org.ffmpi.testkit.MpiTest;

class RingTest {
  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void tokenCollectsEveryRankInEveryRound(IntraComm world) {
    int rounds = 10;
    long sum = Ring.turn(world, rounds);
    if (world.rank() == 0) {
      assertEquals((long) rounds * world.size() * (world.size() - 1) / 2, sum);
    }
  }
}
