// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.IntraComm;
import org.ffmpi.testkit.MpiTest;

class QueensTest {
  @MpiTest(ranks = {2, 3, 4, 8})
  void allRanksKnowHowManyWaysThereAre(IntraComm world) {
    assertEquals(92, Queens.count(world, 8));
    assertEquals(10, Queens.count(world, 5));
    assertEquals(0, Queens.count(world, 3)); // fewer tasks than workers
  }

  @MpiTest(ranks = 3, orders = MpiTest.ALL)
  void resultsInEveryOrder(IntraComm world) {
    assertEquals(2, Queens.count(world, 4));
  }
}
