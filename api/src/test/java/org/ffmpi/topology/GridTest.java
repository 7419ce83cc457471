// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import static org.ffmpi.base.Constants.PROC_NULL;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class GridTest {
  private static Grid grid(int[] dims, boolean... periods) {
    return Grid.of(dims, periods, 1_000);
  }

  @Test
  void rowMajor() {
    Grid grid = grid(new int[] {3, 4, 2}, false, true, false);
    assertEquals(24, grid.size());
    int rank = 0;
    for (int x = 0; x < 3; x++) {
      for (int y = 0; y < 4; y++) {
        for (int z = 0; z < 2; z++) {
          assertArrayEquals(new int[] {x, y, z}, grid.coords(rank));
          assertEquals(rank, grid.rank(new int[] {x, y, z}));
          assertEquals(rank, grid.rank(new int[] {x, y - 8, z}));
          assertEquals(rank, grid.rank(new int[] {x, y + 4, z}));
          rank++;
        }
      }
    }
  }

  @Test
  void neighborsInTheOrderOfTheStandard() {
    Grid grid = grid(new int[] {3, 4}, false, true);
    assertArrayEquals(new int[] {PROC_NULL, 4, 3, 1}, grid.neighbors(0));
    assertArrayEquals(new int[] {7, PROC_NULL, 10, 8}, grid.neighbors(11));
    assertArrayEquals(new int[] {0, 0}, grid(new int[] {1}, true).neighbors(0));
    assertArrayEquals(new int[] {1, 1}, grid(new int[] {2}, true).neighbors(0));
    assertArrayEquals(new int[0], grid(new int[0]).neighbors(0));
  }

  @Test
  void anyDisplacement() {
    Grid grid = grid(new int[] {3, 4}, false, true);
    assertEquals(0, grid.neighbor(8, 0, -2));
    assertEquals(PROC_NULL, grid.neighbor(8, 0, 1));
    assertEquals(PROC_NULL, grid.neighbor(8, 0, Integer.MAX_VALUE));
    assertEquals(PROC_NULL, grid.neighbor(8, 0, Integer.MIN_VALUE));
    assertEquals(11, grid.neighbor(8, 1, Integer.MAX_VALUE));
    assertEquals(8, grid.neighbor(8, 1, Integer.MIN_VALUE));
    assertEquals(9, grid.neighbor(8, 1, -(long) Integer.MAX_VALUE));
    assertEquals(8, grid.neighbor(8, 1, -(long) Integer.MIN_VALUE));
  }

  @Test
  void partsOfAGrid() {
    Grid grid = grid(new int[] {2, 3, 4}, true, false, true);
    boolean[] remain = {true, false, true};
    Grid sub = grid.sub(remain);
    assertArrayEquals(new int[] {2, 4}, sub.dims());
    assertArrayEquals(new boolean[] {true, true}, sub.periods());
    int[] slice = grid.slice(grid.rank(new int[] {1, 2, 3}), remain);
    assertArrayEquals(new int[] {8, 9, 10, 11, 20, 21, 22, 23}, slice);
    for (int i = 0; i < slice.length; i++) {
      int[] coords = grid.coords(slice[i]);
      assertArrayEquals(new int[] {coords[0], coords[2]}, sub.coords(i));
    }
    assertArrayEquals(new int[] {17}, grid.slice(17, new boolean[3]));
    assertEquals(0, grid.sub(new boolean[3]).ndims());
    assertEquals(1, grid.sub(new boolean[3]).size());
  }

  @Test
  void withoutDimensions() {
    Grid grid = grid(new int[0]);
    assertEquals(1, grid.size());
    assertEquals(0, grid.coords(0).length);
    assertEquals(0, grid.rank(new int[0]));
    assertEquals(0, grid.graph().size() - 1);
  }

  @Test
  void graphHasEachPairOnce() {
    Graph graph = grid(new int[] {2, 2}, true, false).graph();
    assertEquals(3, graph.begin(1) - graph.begin(0)); // the other one of the ring twice, and one beside
    assertTrue(grid(new int[] {1, 1}, true, true).graph().begin(1) == 0);
  }

  @Test
  void refusals() {
    assertError(ErrorClass.ERR_DIMS, () -> grid(new int[] {0}, false));
    assertError(ErrorClass.ERR_DIMS, () -> grid(new int[] {2, -1}, false, false));
    assertError(ErrorClass.ERR_DIMS, () -> grid(null));
    assertError(ErrorClass.ERR_DIMS, () -> Grid.of(new int[] {2, 2}, new boolean[2], 3));
    int half = 1 << 16;
    assertError(ErrorClass.ERR_DIMS, () -> Grid.of(new int[] {half, half, half}, new boolean[3], Integer.MAX_VALUE));
    assertError(ErrorClass.ERR_ARG, () -> grid(new int[] {2, 2}, false));
    assertError(ErrorClass.ERR_ARG, () -> Grid.of(new int[] {2}, null, 4));
    Grid grid = grid(new int[] {3, 4}, false, true);
    assertError(ErrorClass.ERR_RANK, () -> grid.rank(new int[] {3, 0}));
    assertError(ErrorClass.ERR_RANK, () -> grid.rank(new int[] {-1, 0}));
    assertError(ErrorClass.ERR_ARG, () -> grid.rank(new int[] {1}));
    assertError(ErrorClass.ERR_ARG, () -> grid.rank(null));
    assertError(ErrorClass.ERR_ARG, () -> grid.checkRemain(new boolean[1]));
    assertError(ErrorClass.ERR_ARG, () -> grid.checkRemain(null));
  }

  @Test
  void graphsThatAreNone() {
    assertError(ErrorClass.ERR_ARG, () -> Graph.check(null, new int[0], 4));
    assertError(ErrorClass.ERR_ARG, () -> Graph.check(new int[0], null, 4));
    assertError(ErrorClass.ERR_TOPOLOGY, () -> Graph.check(new int[5], new int[0], 4));
    assertError(ErrorClass.ERR_TOPOLOGY, () -> Graph.check(new int[] {2, 1}, new int[] {0, 1}, 4));
    assertError(ErrorClass.ERR_TOPOLOGY, () -> Graph.check(new int[] {-1, 1}, new int[] {0}, 4));
    assertError(ErrorClass.ERR_TOPOLOGY, () -> Graph.check(new int[] {1, 3}, new int[] {0, 1}, 4));
    assertError(ErrorClass.ERR_TOPOLOGY, () -> Graph.check(new int[] {1, 1}, new int[] {0, 1}, 4));
    assertError(ErrorClass.ERR_TOPOLOGY, () -> Graph.check(new int[0], new int[] {0}, 4));
    assertError(ErrorClass.ERR_RANK, () -> Graph.check(new int[] {1, 2}, new int[] {0, 2}, 4));
    assertError(ErrorClass.ERR_RANK, () -> Graph.check(new int[] {1, 2}, new int[] {PROC_NULL, 1}, 4));
    Graph.check(new int[0], new int[0], 4);
    Graph.check(new int[] {2, 2, 3}, new int[] {0, 0, 1}, 4);
  }

  private static void assertError(ErrorClass expected, Executable call) {
    MpiException e = assertThrows(MpiException.class, call);
    assertEquals(expected, e.errorClass(), e.getMessage());
  }
}
