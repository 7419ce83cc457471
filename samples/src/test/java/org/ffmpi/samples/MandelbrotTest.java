// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.ffmpi.Mpi;
import org.ffmpi.samples.show.ProgressBar;
import org.ffmpi.testkit.MpiTest;

class MandelbrotTest {
  private static final ProgressBar SILENT = new ProgressBar(System.out, 0, 1, "step");

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void workersComputeWhatOneRankComputes(Mpi mpi) {
    Mandelbrot picture = new Mandelbrot(new Mandelbrot.Options(24, 37, 300, null));
    int[][] rows = picture.compute(mpi.world(), SILENT);
    if (mpi.world().rank() != 0) {
      assertNull(rows);
      return;
    }
    int[][] alone = picture.compute(mpi.self(), SILENT);
    assertArrayEquals(alone, rows);
    assertEquals(Mandelbrot.checksum(alone), Mandelbrot.checksum(rows));
    assertEquals(0, picture.differences(rows, 5));
    for (int[] row : rows) {
      row[7]++;
    }
    assertEquals(5, picture.differences(rows, 5));
    assertNotEquals(Mandelbrot.checksum(alone), Mandelbrot.checksum(rows));
  }

  @MpiTest(ranks = 3, orders = MpiTest.ALL)
  void rowsInEveryOrder(Mpi mpi) {
    Mandelbrot picture = new Mandelbrot(new Mandelbrot.Options(3, 4, 20, null));
    int[][] rows = picture.compute(mpi.world(), SILENT);
    if (mpi.world().rank() == 0) {
      assertArrayEquals(picture.compute(mpi.self(), SILENT), rows);
    }
  }

  @MpiTest(ranks = 8)
  void moreWorkersThanRows(Mpi mpi) {
    Mandelbrot picture = new Mandelbrot(new Mandelbrot.Options(5, 3, 100, null));
    int[][] rows = picture.compute(mpi.world(), SILENT);
    if (mpi.world().rank() == 0) {
      assertArrayEquals(picture.compute(mpi.self(), SILENT), rows);
    }
  }
}
