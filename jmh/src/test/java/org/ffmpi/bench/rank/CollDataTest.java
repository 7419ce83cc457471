// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CollDataTest {
  private static CollData data(String name, int rank) {
    return new CollData(name, rank, 4, 64);
  }

  @Test
  void bytesAreCountedAsOsuDoes() {
    assertEquals(8, data("bcast", 0).sendWords());
    assertEquals(8, data("allreduce", 1).receiveWords());
    assertEquals(32, data("alltoallw", 1).sendWords());
    assertEquals(32, data("allgather", 1).receiveWords());
    assertEquals(8, data("reduce_scatter", 1).sendWords());
    assertEquals(2, data("reduce_scatter_block", 1).receiveWords());
    assertEquals(1, new CollData("reduce_scatter", 0, 4, 8).share());
  }

  @Test
  void onlyTheRootSendsOrReceivesWhereThereIsOne() {
    assertEquals(0, data("scatterv", 1).sentWords());
    assertEquals(32, data("scatterv", 0).sentWords());
    assertEquals(0, data("gather", 3).receivedWords());
    assertEquals(0, data("bcast", 0).receivedWords());
    assertEquals(0, data("exscan", 0).receivedWords());
  }

  @Test
  void whatIsReceivedHasBeenSent() {
    for (String name : new String[] {"alltoall", "alltoallv", "alltoallw"}) {
      assertEquals(data(name, 3).sent(2 * 8 + 5), data(name, 2).expected(3 * 8 + 5));
    }
    assertEquals(data("gather", 3).sent(5), data("gather", 0).expected(3 * 8 + 5));
    assertEquals(data("scatter", 0).sent(2 * 8 + 5), data("scatter", 2).expected(5));
    double scan = data("scan", 0).sent(5) + data("scan", 1).sent(5);
    assertEquals(scan, data("scan", 1).expected(5));
    assertEquals(scan, data("exscan", 2).expected(5));
    double all = scan + data("reduce", 2).sent(5) + data("reduce", 3).sent(5);
    assertEquals(all, data("reduce", 0).expected(5));
    assertEquals(all, data("reduce_scatter", 2).expected(1));
  }

  @Test
  void sizesThatAreNoDoublesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new CollData("bcast", 0, 2, 12));
    assertThrows(IllegalArgumentException.class, () -> new CollData("scan", 0, 2, 0));
    assertEquals(0, new CollData("barrier", 0, 2, 0).sendWords());
  }
}
