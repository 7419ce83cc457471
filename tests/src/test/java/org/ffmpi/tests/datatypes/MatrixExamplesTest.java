// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.MemorySegment;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** The standard's examples of parts of Fortran arrays, which are stored column by column, with their numbers. */
@EveryTransport
class MatrixExamplesTest {
  private static final int N = 100;
  private static final long REAL = Datatype.REAL.extent();

  /** Numbers to fill arrays of all kinds of memory with in one copy: a loop over such segments takes seconds. */
  private static final float[] NUMBERS = numbers();

  private static float[] numbers() {
    float[] numbers = new float[N * N * N];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i;
    }
    return numbers;
  }

  /** Makes element {@code i} of a Fortran array the number {@code i}. */
  static void count(MemorySegment array) {
    MemorySegment.copy(NUMBERS, 0, array, JAVA_FLOAT_UNALIGNED, 0, (int) (array.byteSize() / REAL));
  }

  private static float at(MemorySegment array, long index) {
    return array.getAtIndex(JAVA_FLOAT_UNALIGNED, index);
  }

  private static void assertNumbers(Datatype<?> type, long size, long extent) {
    assertEquals(size, type.size(), "size");
    assertEquals(extent, type.extent(), "extent");
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.13: the section a(1:17:2, 3:11, 2:10) of a(100, 100, 100) goes into e(9, 9, 9)")
  void section(Mpi mpi) {
    Datatype<Float> oneSlice = Datatype.vector(9, 1, 2, Datatype.REAL);
    Datatype<Float> twoSlice = Datatype.hvector(9, 1, N * REAL, oneSlice);
    Datatype<Float> threeSlice = Datatype.hvector(9, 1, N * N * REAL, twoSlice).commit();
    assertNumbers(oneSlice, 36, 68);
    assertNumbers(twoSlice, 324, 3_268);
    assertNumbers(threeSlice, 2_916, 323_268);
    long start = 2 * N + N * N; // a(1, 3, 2)
    assertEquals(10_200, start);
    Exchange.everywhere(mpi, N * N * N * REAL, MatrixExamplesTest::count, 9 * 9 * 9 * REAL, (a, e, passing) -> {
      Status status = passing.pass(Buf.of(a, 1, threeSlice).at(start * REAL), Buf.of(e, 9 * 9 * 9, Datatype.REAL));
      assertEquals(9 * 9 * 9, status.getCount(Datatype.REAL));
      assertEquals(10_200, at(e, 0));
      assertEquals(10_202, at(e, 1));
      assertEquals(10_300, at(e, 9));
      assertEquals(20_200, at(e, 9 * 9));
      assertEquals(91_016, at(e, 9 * 9 * 9 - 1));
      double sum = 0;
      for (int i = 0; i < 9 * 9 * 9; i++) {
        sum += at(e, i);
      }
      assertEquals(36_893_232, sum);
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.13: the section received into the array it came from, by its type")
  void sectionIntoASection(Mpi mpi) {
    Datatype<Float> plane = Datatype.hvector(9, 1, 20 * REAL, Datatype.vector(9, 1, 2, Datatype.REAL));
    Datatype<Float> section = Datatype.hvector(9, 1, 20 * 20 * REAL, plane).commit();
    Exchange.everywhere(mpi, 20 * 20 * 20 * REAL, MatrixExamplesTest::count, 20 * 20 * 20 * REAL, (a, b, passing) -> {
      passing.pass(Buf.of(a, 1, section).at(440 * REAL), Buf.of(b, 1, section).at(440 * REAL));
      for (int k = 0; k < 20; k++) {
        for (int j = 0; j < 20; j++) {
          for (int i = 0; i < 20; i++) {
            boolean inside = i <= 16 && i % 2 == 0 && j >= 2 && j <= 10 && k >= 1 && k <= 9;
            int index = i + 20 * j + 400 * k;
            assertEquals(inside ? index : 0, at(b, index), i + ", " + j + ", " + k);
          }
        }
      }
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.14: the strictly lower triangle of a matrix, nothing else is touched")
  void lowerTriangle(Mpi mpi) {
    long[] lengths = new long[N];
    long[] displacements = new long[N];
    for (int i = 1; i <= N; i++) {
      displacements[i - 1] = N * (i - 1) + i;
      lengths[i - 1] = N - i;
    }
    Datatype<Float> triangle = Datatype.indexed(lengths, displacements, Datatype.REAL).commit();
    assertNumbers(triangle, 19_800, 39_596);
    assertEquals(4, triangle.lowerBound());
    assertEquals(39_600, triangle.upperBound());
    assertEquals(39_596, triangle.trueExtent());
    assertEquals(201, triangle.envelope().integers());
    Exchange.everywhere(mpi, N * N * REAL, MatrixExamplesTest::count, N * N * REAL, (a, b, passing) -> {
      for (int i = 0; i < N * N; i++) {
        b.setAtIndex(JAVA_FLOAT_UNALIGNED, i, -1);
      }
      Status status = passing.pass(Buf.of(a, 1, triangle), Buf.of(b, 1, triangle));
      assertEquals(1, status.getCount(triangle));
      assertEquals(4_950, status.getElements(triangle));
      for (int column = 0; column < N; column++) {
        for (int row = 0; row < N; row++) {
          int index = row + N * column;
          assertEquals(row > column ? index : -1, at(b, index), row + ", " + column);
        }
      }
    });
  }

  private static void assertTransposed(MemorySegment b) {
    for (int column = 0; column < N; column++) {
      for (int row = 0; row < N; row++) {
        assertEquals(column + N * row, at(b, row + N * column), row + ", " + column);
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.15: a matrix is transposed by a vector of rows; equal size and extent do not make it contiguous")
  void transposeWithOneType(Mpi mpi) {
    Datatype<Float> row = Datatype.vector(N, 1, N, Datatype.REAL);
    Datatype<Float> transposed = Datatype.hvector(N, 1, REAL, row).commit();
    assertNumbers(row, 400, 39_604);
    assertNumbers(transposed, 40_000, 40_000);
    assertFalse(TypeHandle.planOf(transposed).isContiguous());
    Exchange.everywhere(mpi, N * N * REAL, MatrixExamplesTest::count, N * N * REAL, (a, b, passing) -> {
      passing.pass(Buf.of(a, 1, transposed), Buf.of(b, N * N, Datatype.REAL));
      assertTransposed(b);
    });
    Exchange.everywhere(mpi, N * N * REAL, MatrixExamplesTest::count, N * N * REAL, (a, b, passing) -> {
      Status status = passing.pass(Buf.of(a, N * N, Datatype.REAL), Buf.of(b, 1, transposed));
      assertEquals(1, status.getCount(transposed));
      assertTransposed(b);
    });
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.16: a matrix is transposed by many rows that begin one element after the other")
  void transposeWithManyRows(Mpi mpi) {
    Datatype<Float> row = Datatype.vector(N, 1, N, Datatype.REAL).resized(0, REAL).commit();
    assertNumbers(row, 400, 4);
    assertEquals(39_604, row.trueExtent());
    Datatype<Float> rows = Datatype.contiguous(N, row);
    assertNumbers(rows, 40_000, 400);
    assertEquals(40_000, rows.trueExtent());
    Exchange.everywhere(mpi, N * N * REAL, MatrixExamplesTest::count, N * N * REAL, (a, b, passing) -> {
      Status status = passing.pass(Buf.of(a, N, row), Buf.of(b, N * N, Datatype.REAL));
      assertEquals(N * N, status.getCount(Datatype.REAL));
      assertTransposed(b);
    });
  }
}
