// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BlockTest {
  @Test
  void blocksFollowEachOtherAndDifferByOneRowAtMost() {
    for (int size : new int[] {1, 2, 16, 17, 1000, 100_000}) {
      for (int ranks = 1; ranks <= Math.min(size, 16); ranks++) {
        int next = 0;
        for (int rank = 0; rank < ranks; rank++) {
          Block block = Block.of(size, ranks, rank);
          assertEquals(next, block.first());
          assertTrue(block.rows() == size / ranks || block.rows() == size / ranks + 1, block.toString());
          next += block.rows();
        }
        assertEquals(size, next);
      }
    }
  }
}
