// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.ffmpi.CartComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.samples.show.Arguments;
import org.ffmpi.samples.show.Console;
import org.ffmpi.testkit.MpiTest;

class LifeTest {
  /** Row times 100 plus column. */
  private static final Set<Integer> GLIDER = Set.of(1, 102, 200, 201, 202);

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void aGliderComesBackOverEveryEdge(IntraComm world) {
    int side = 16;
    try (CartComm grid = Life.torus(world)) {
      Life life = new Life(grid, side, (row, column) -> GLIDER.contains(row * 100 + column) ? 1 : 0);
      long before = life.sum(true);
      life.run(4);
      assertEquals(5, life.sum(false));
      assertNotEquals(before, life.sum(true));
      life.run(4 * (side - 1));
      assertEquals(before, life.sum(true));
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  void generationsAreDrawnInATerminal(IntraComm world) throws IOException {
    String[] words = {"--live", "--pattern=glider", "--size=20", "--steps=10"};
    Life.Options options = Life.Options.of(new Arguments(words), world.size());
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (CartComm grid = Life.torus(world)) {
      Console console = new Console("life", grid, new PrintStream(printed), 80);
      new Life(grid, options.size(), options.seed()).play(options, console);
      String drawn = printed.toString(StandardCharsets.UTF_8);
      if (grid.rank() == 0) {
        assertTrue(drawn.contains("step 0, 5 cells live"), drawn);
        assertTrue(drawn.contains("step 10, 5 cells live"), drawn);
      } else {
        assertEquals("", drawn);
      }
    }
  }

  @MpiTest(ranks = {2, 3, 4, 6, 8})
  void allRanksTogetherDoWhatOneDoes(Mpi mpi) {
    long[] sums = new long[2];
    IntraComm[] comms = {mpi.self(), mpi.world()};
    for (int i = 0; i < sums.length; i++) {
      try (CartComm grid = Life.torus(comms[i])) {
        Life life = new Life(grid, 37, (row, column) -> (row * 31 + column * 17 + row * column) % 7 < 3 ? 1 : 0);
        life.run(30);
        sums[i] = life.sum(true);
      }
    }
    assertNotEquals(0, sums[0]);
    assertEquals(sums[0], sums[1]);
  }
}
