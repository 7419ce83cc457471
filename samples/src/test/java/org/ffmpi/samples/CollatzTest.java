// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.IntraComm;
import org.ffmpi.samples.show.ProgressBar;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;

class CollatzTest {
  private static final ProgressBar SILENT = new ProgressBar(System.out, 0, 1, "number");

  @Test
  void waysAreAsLongAsTheyAre() {
    assertEquals(0, Collatz.length(1));
    assertEquals(1, Collatz.length(2));
    assertEquals(111, Collatz.length(27));
  }

  @MpiTest(ranks = 3, orders = MpiTest.ALL)
  void chunksInEveryOrder(IntraComm world) {
    Collatz.Found found = Collatz.search(world, 4, 2, SILENT);
    assertEquals(3, found.number());
    assertEquals(3, found.looked());
  }

  @MpiTest(ranks = {1, 2, 4})
  void theLongestWayIsFoundHoweverTheWorkIsShared(IntraComm world) {
    for (int chunk : new int[] {1, 7, 100_000}) {
      Collatz.Found found = Collatz.search(world, chunk == 1 ? 1000 : 100_000, chunk, SILENT);
      assertEquals(chunk == 1 ? 871 : 77_031, found.number());
      assertEquals(chunk == 1 ? 178 : 350, found.length());
      assertEquals(chunk == 1 ? 999 : 99_999, found.looked());
    }
  }
}
