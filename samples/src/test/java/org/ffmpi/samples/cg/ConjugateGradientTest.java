// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.cg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.samples.show.ProgressBar;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.io.TempDir;

class ConjugateGradientTest {
  private static final ProgressBar SILENT = new ProgressBar(System.out, 0, 1, "digit");

  private static ConjugateGradient.Progress assertSolved(IntraComm comm, SparseRows rows) {
    double[] b = new double[rows.rows()];
    Arrays.fill(b, 1);
    double[] x = new double[b.length];
    try (ConjugateGradient method = new ConjugateGradient(comm, rows)) {
      assertEquals(1, method.residual(b, x), 1e-12);
      ConjugateGradient.Progress progress = method.solve(b, x, 1e-8, 1000, SILENT);
      assertTrue(progress.isPositiveDefinite());
      assertEquals(progress.residual(), method.residual(b, x), 1e-9);
      assertTrue(method.residual(b, x) <= 1e-8, "residual " + method.residual(b, x));
      return progress;
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void plateIsSolvedInAboutAsManyStepsOnAnyNumberOfRanks(IntraComm world) {
    assertEquals(193, assertSolved(world, MatrixMarket.plate(world)).iterations(), 3);
  }

  @MpiTest(ranks = {1, 2, 4, 6})
  void poissonsEquationIsSolved(IntraComm world) {
    assertSolved(world, Poisson.rows(17, world));
    assertSolved(world, Poisson.rows(1, world)); // most ranks have no row
  }

  /** The halo of a matrix without any structure: a rank needs entries of all others, and some of them twice. */
  @MpiTest(ranks = {1, 2, 3, 5})
  void productIsThatOfTheWholeMatrix(Mpi mpi, @TempDir Path folder) throws IOException {
    IntraComm world = mpi.world();
    int size = 23;
    Path file = folder.resolve("random" + world.rank() + ".mtx");
    Random random = new Random(5);
    StringBuilder text = new StringBuilder("%%MatrixMarket matrix coordinate real general\n% none\n");
    text.append(size).append(' ').append(size).append(" 100\n");
    double[] expected = new double[size];
    for (int k = 0; k < 100; k++) {
      int row = random.nextInt(size);
      int column = random.nextInt(size);
      double value = random.nextInt(100) - 50;
      text.append(row + 1).append(' ').append(column + 1).append(' ').append(value).append('\n');
      expected[row] += value * column;
    }
    Files.writeString(file, text);
    SparseRows rows = MatrixMarket.read(file, world);
    try (ConjugateGradient method = new ConjugateGradient(world, rows)) {
      assertEquals(100, method.entries());
      double[] b = new double[rows.rows()];
      double[] x = new double[rows.rows()];
      for (int i = 0; i < x.length; i++) {
        x[i] = rows.first() + i;
        b[i] = expected[rows.first() + i];
      }
      assertEquals(0, method.residual(b, x));
    }
  }

  @MpiTest(ranks = 2)
  void matrixThatIsNotPositiveDefiniteIsNoticed(IntraComm world, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("indefinite" + world.rank() + ".mtx");
    Files.writeString(file, "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 1\n2 2 -2\n");
    SparseRows rows = MatrixMarket.read(file, world);
    try (ConjugateGradient method = new ConjugateGradient(world, rows)) {
      assertFalse(method.solve(new double[] {1}, new double[1], 1e-8, 10, SILENT).isPositiveDefinite());
    }
  }

  @MpiTest(ranks = 1)
  void patternsAndHalvesAreCompleted(IntraComm world, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("pattern.mtx");
    Files.writeString(file, "%%matrixmarket MATRIX coordinate Pattern Symmetric\n\n3 3 3\n1 1\n3 1\n% not yet\n2 2\n");
    SparseRows rows = MatrixMarket.read(file, world);
    assertEquals(4, rows.entries());
    double[] y = new double[3];
    rows.multiply(new int[] {0, 1, 2}, new double[] {1, 10, 100}, y);
    assertEquals("[101.0, 10.0, 1.0]", Arrays.toString(y));
  }

  private static void assertRefused(String part, IntraComm world, Path file, String text) throws IOException {
    Files.writeString(file, text);
    String message =
        assertThrows(IllegalArgumentException.class, () -> MatrixMarket.read(file, world)).getMessage();
    assertTrue(message.contains(part), message);
  }

  @MpiTest(ranks = 1)
  void filesThatAreNoMatrixAreRefusedWithTheirLine(IntraComm world, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("wrong.mtx");
    String good = "%%MatrixMarket matrix coordinate real general\n";
    assertRefused("line 1: a matrix of this kind begins with", world, file, "");
    assertRefused("line 1: a matrix of this kind begins with", world, file, good.replace("coordinate", "array"));
    assertRefused("entries are complex: real, integer", world, file, good.replace("real", "complex"));
    assertRefused("the matrix is hermitian: general", world, file, good.replace("general", "hermitian"));
    assertRefused("line 3: 2 rows and 3 columns", world, file, good + "% x\n2 3 1\n");
    assertRefused("line 3: \"3\": a whole number from 1 to 2", world, file, good + "2 2 1\n3 1 1\n");
    assertRefused("line 3: \"x\": a number is needed", world, file, good + "2 2 1\n1 1 x\n");
    assertRefused("line 4: the file ends too early", world, file, good + "2 2 2\n1 1 1\n");
    String message =
        assertThrows(IllegalArgumentException.class, () -> MatrixMarket.read(folder.resolve("none"), world))
            .getMessage();
    assertTrue(message.startsWith("the matrix " + folder.resolve("none") + " cannot be read"), message);
  }
}
