// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RanksByNodeTest {
  @Test
  void thereAreNoLevelsOnOneNodeNorWhereEachRankIsAlone() {
    assertNull(RanksByNode.of(1, rank -> 7));
    assertNull(RanksByNode.of(5, rank -> 7));
    assertNull(RanksByNode.of(5, rank -> -rank));
    assertNotNull(RanksByNode.of(3, rank -> rank / 2));
  }

  @Test
  void ranksAreCountedNodeByNode() {
    int[] nodeOf = {9, 4, 9, 4, 4, 2};
    RanksByNode nodes = RanksByNode.of(nodeOf.length, rank -> nodeOf[rank]);
    assertFalse(nodes.isInOrder());
    assertEquals(3, nodes.nodes());
    int[] order = {0, 2, 1, 3, 4, 5};
    for (int place = 0; place < order.length; place++) {
      assertEquals(order[place], nodes.rank(place));
      assertEquals(place, nodes.place(order[place]));
    }
    assertEquals(1, nodes.node(4));
    assertEquals(2, nodes.index(4));
    assertEquals(1, nodes.fewest());
    assertEquals(3, nodes.most());
  }

  @Test
  void consecutiveRanksAreTheSameWithoutLists() {
    Random random = new Random(3);
    for (int i = 0; i < 200; i++) {
      int size = 3 + random.nextInt(20);
      int[] nodeOf = random.ints(size, 0, 4).sorted().toArray();
      RanksByNode nodes = RanksByNode.of(size, rank -> nodeOf[rank]);
      if (nodes != null) {
        assertTrue(nodes.isInOrder());
        for (int rank = 0; rank < size; rank++) {
          int start = nodes.start(nodes.node(rank));
          assertEquals(nodeOf[start], nodeOf[rank]);
          assertTrue(start == 0 || nodeOf[start - 1] != nodeOf[start]);
          assertEquals(rank - start, nodes.index(rank));
        }
      }
    }
  }
}
