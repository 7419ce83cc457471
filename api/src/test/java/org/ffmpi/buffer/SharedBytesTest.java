// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.Buf;
import org.ffmpi.datatype.Datatype;
import org.junit.jupiter.api.Test;

/** SharedBytes is found where it is certain, and never where there is none. */
class SharedBytesTest {
  private final double[] matrix = new double[100];

  private final Datatype<Double> column = Datatype.vector(10, 1, 10, Datatype.DOUBLE).commit();
  private final Datatype<Double> next = column.resized(0, 8).commit();
  private final Datatype<Double> backwards = Datatype.vector(5, 1, 2, Datatype.DOUBLE).resized(0, -80).commit();

  private Buf<Double> columns(int from, int count) {
    return Buf.of(matrix, count, next).at(8L * from);
  }

  private static void check(boolean expected, Buf<?> a, Buf<?> b) {
    assertEquals(expected, BufImpl.of(a).overlaps(b), a + " and " + b);
    assertEquals(expected, BufImpl.of(b).overlaps(a), b + " and " + a);
  }

  @Test
  void columnsOfOneMatrix() {
    check(true, columns(3, 1), columns(3, 1));
    check(false, columns(3, 1), columns(4, 1));
    check(false, columns(0, 4), columns(4, 6));
    check(true, columns(0, 5), columns(4, 6));
    check(true, columns(4, 6), columns(4, 1));
    check(true, columns(2, 4), columns(0, 10));
  }

  @Test
  void columnsAndRows() {
    check(true, columns(3, 1), Buf.of(matrix, 0, 10)); // the first of the column is in row 0
    check(true, columns(3, 1), Buf.of(matrix, 90, 10)); // the last is in row 9
    check(false, columns(3, 1), Buf.of(matrix, 4, 6));
    check(false, columns(3, 1), Buf.of(matrix, 0, 3));
    check(false, columns(3, 1), Buf.of(matrix, 94, 6));
    check(true, columns(0, 10), Buf.of(matrix, 95, 1));
    check(false, columns(3, 1), Buf.of(new double[100]));
    check(false, columns(3, 0), Buf.of(matrix));
  }

  @Test
  void elementsThatGoBackwards() {
    Buf<Double> rows = Buf.of(matrix, 80L * 5, 3, backwards); // rows 5, 4 and 3
    check(false, rows, Buf.of(matrix, 0, 30));
    check(true, rows, Buf.of(matrix, 30, 1));
    check(true, rows, Buf.of(matrix, 40, 5));
    check(false, rows, Buf.of(matrix, 60, 40));
    check(false, rows, Buf.of(matrix, 31, 1));
    check(true, rows, Buf.of(matrix, 80L * 4, 1, backwards));
    check(false, rows, Buf.of(matrix, 80L * 6, 1, backwards));
    check(false, rows, Buf.of(matrix, 80L * 5 + 8, 3, backwards));
  }
}
