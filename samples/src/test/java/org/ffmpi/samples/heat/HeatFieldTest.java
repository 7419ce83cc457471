// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.Mpi;
import org.ffmpi.samples.heat.HeatOptions.Buffers;
import org.ffmpi.testkit.MpiTest;

class HeatFieldTest {
  private static final int STEPS = 60;

  private static Field begin(Mpi mpi, Block block, SineModes modes, Buffers kind) {
    Field field = Field.of(mpi, block, kind);
    double[] row = new double[block.size()];
    for (int i = 0; i < block.rows(); i++) {
      modes.row(block.first() + i, 0, row);
      field.write(i + 1, row);
    }
    return field;
  }

  /** Compares bits: the order of additions in a cell must not depend on ranks or memory. */
  private static void assertSame(double[][] expected, Field field) {
    double[] row = new double[field.block().size()];
    for (int i = 0; i < field.block().rows(); i++) {
      field.read(i + 1, row);
      int plateRow = field.block().first() + i;
      assertArrayEquals(expected[plateRow], row, () -> "row " + plateRow + " of " + field.getClass().getSimpleName());
    }
  }

  private static void run(Mpi mpi, int size, Buffers kind) {
    SineModes modes = new SineModes(SineModes.PLATE, size);
    Field field = begin(mpi, Block.of(size, mpi.world().size(), mpi.world().rank()), modes, kind);
    HeatSolver solver = new HeatSolver(mpi.world(), field);
    for (int step = 0; step < STEPS; step++) {
      solver.step();
    }
    assertSame(Reference.field(modes, size, STEPS), field);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8, 16})
  void fieldIsTheSameToTheLastBitFromHeapArrays(Mpi mpi) {
    run(mpi, 50, Buffers.HEAP);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8, 16})
  void fieldIsTheSameToTheLastBitFromNativeMemory(Mpi mpi) {
    run(mpi, 50, Buffers.NATIVE);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8, 16})
  void fieldIsTheSameToTheLastBitFromTheSharedHeap(Mpi mpi) {
    run(mpi, 50, Buffers.SHARED);
  }

  /** A row of 24 KB leaves the eager protocol: it flows only once the neighbour is there to take it. */
  @MpiTest(ranks = {2, 3})
  void longRows(Mpi mpi) {
    for (Buffers kind : Buffers.values()) {
      int size = 3000;
      SineModes modes = new SineModes(SineModes.PLATE, size);
      // A few rows of a plate that wide are enough, so each rank pretends that its block of four is all there is.
      Block block = new Block(size, 4 * mpi.world().rank(), 4);
      Field field = begin(mpi, block, modes, kind);
      HeatSolver solver = new HeatSolver(mpi.world(), field);
      for (int step = 0; step < 3; step++) {
        solver.step();
      }
      assertStrip(mpi, modes, field);
    }
  }

  /** Compares with the same strip of rows, computed by this rank alone. */
  private static void assertStrip(Mpi mpi, SineModes modes, Field field) {
    int size = field.block().size();
    int rows = 4 * mpi.world().size();
    Field whole = begin(mpi, new Block(size, 0, rows), modes, Buffers.HEAP);
    HeatSolver alone = new HeatSolver(mpi.self(), whole);
    for (int step = 0; step < 3; step++) {
      alone.step();
    }
    double[][] expected = new double[rows][size];
    for (int i = 0; i < rows; i++) {
      whole.read(i + 1, expected[i]);
    }
    assertSame(expected, field);
  }

  @MpiTest(ranks = {1, 2, 5})
  void oneRowPerRank(Mpi mpi) {
    run(mpi, mpi.world().size(), Buffers.HEAP);
    run(mpi, mpi.world().size(), Buffers.SHARED);
  }

  /** The comparison with the exact solution is worth something: without the halo it fails. */
  @MpiTest(ranks = 2)
  void missingHaloIsNoticed(Mpi mpi) {
    int size = 64;
    SineModes modes = new SineModes(SineModes.PLATE, size);
    Field field = begin(mpi, Block.of(size, 2, mpi.world().rank()), modes, Buffers.HEAP);
    new HeatSolver(mpi.self(), field).step();
    double[] row = new double[size];
    double[] exact = new double[size];
    double error = 0;
    for (int i = 0; i < field.block().rows(); i++) {
      field.read(i + 1, row);
      modes.row(field.block().first() + i, 1, exact);
      for (int j = 0; j < size; j++) {
        error = Math.max(error, Math.abs(row[j] - exact[j]));
      }
    }
    assertTrue(error > 10 * modes.errorBound(1), "error " + error);
  }
}
