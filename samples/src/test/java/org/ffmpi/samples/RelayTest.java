// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.IntraComm;
import org.ffmpi.testkit.MpiTest;

class RelayTest {
  @MpiTest(ranks = {1, 2, 3, 4})
  void everyRankAddsToEveryPartition(IntraComm world) {
    long[] result = Relay.pass(world, 5);
    int rank = world.rank();
    for (int i = 0; i < result.length; i++) {
      assertEquals((long) i * (rank + 1) * (rank + 2) / 2, result[i]);
    }
  }
}
