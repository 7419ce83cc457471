// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.Test;

class DimsTest {
  private static void assertDims(int nodes, int[] dims, int... expected) {
    assertArrayEquals(expected, Dims.create(nodes, dims), nodes + " as " + Arrays.toString(dims));
  }

  @Test
  void theExampleOfTheStandard() {
    assertDims(6, new int[] {0, 0}, 3, 2);
    assertDims(7, new int[] {0, 0}, 7, 1);
    assertDims(6, new int[] {0, 3, 0}, 2, 3, 1);
    assertRefused(7, 0, 3, 0);
  }

  @Test
  void asCloseToEachOtherAsPossible() {
    assertDims(12, new int[3], 3, 2, 2);
    assertDims(72, new int[3], 6, 4, 3);
    assertDims(96, new int[2], 12, 8); // taking prime factors from the largest on would end at 16 times 6
    assertDims(1 << 10, new int[3], 16, 8, 8);
    assertDims(1, new int[4], 1, 1, 1, 1);
    assertDims(Integer.MAX_VALUE, new int[2], Integer.MAX_VALUE, 1);
    assertDims(1_000_000, new int[2], 1_000, 1_000);
    assertDims(24, new int[] {0, 1, 0, 2}, 4, 1, 3, 2);
  }

  @Test
  void nothingOrOneToChoose() {
    assertDims(6, new int[] {2, 3}, 2, 3);
    assertDims(6, new int[] {0}, 6);
    assertDims(1, new int[0]);
    int[] given = {2, 3};
    assertNotSame(given, Dims.create(6, given));
  }

  @Test
  void againstTryingAll() {
    for (int nodes = 1; nodes <= 300; nodes++) {
      for (int ndims = 1; ndims <= 4; ndims++) {
        int[] dims = Dims.create(nodes, new int[ndims]);
        int product = 1;
        for (int i = 0; i < ndims; i++) {
          product *= dims[i];
          assertTrue(i == 0 || dims[i] <= dims[i - 1], Arrays.toString(dims));
        }
        assertEquals(nodes, product);
        assertEquals(leastSpread(nodes, ndims, nodes, 0), dims[0] - dims[ndims - 1], nodes + " in " + ndims);
      }
    }
  }

  private static int leastSpread(int rest, int left, int most, int first) {
    if (left == 1) {
      return rest <= most ? (first == 0 ? rest : first) - rest : Integer.MAX_VALUE;
    }
    int least = Integer.MAX_VALUE;
    for (int d = 1; d <= Math.min(rest, most); d++) {
      if (rest % d == 0) {
        least = Math.min(least, leastSpread(rest / d, left - 1, d, first == 0 ? d : first));
      }
    }
    return least;
  }

  @Test
  void manyDivisorsAndManyDimensions() {
    for (int ndims = 2; ndims <= 40; ndims++) {
      for (int nodes : new int[] {735_134_400, 1 << 30, 2_147_483_646, 1_162_261_467}) {
        int[] dims = Dims.create(nodes, new int[ndims]);
        assertEquals(nodes, Arrays.stream(dims).asLongStream().reduce(1, (a, b) -> a * b));
      }
    }
  }

  @Test
  void cornerCases() {
    assertDims(1, new int[0]);
    assertRefused(2);
    assertDims(12, new int[] {3, 0, 2}, 3, 2, 2);
    assertDims(12, new int[] {3, 4}, 3, 4);
    assertDims(12, new int[] {12, 0, 0}, 12, 1, 1);
    assertDims(Integer.MAX_VALUE, new int[6], Integer.MAX_VALUE, 1, 1, 1, 1, 1); // a prime
    assertDims(Integer.MAX_VALUE, new int[] {0, Integer.MAX_VALUE, 0}, 1, Integer.MAX_VALUE, 1);
    assertRefused(Integer.MAX_VALUE, 2, 0);
    assertDims(720_720, new int[6], 13, 11, 10, 9, 8, 7);
    assertDims(720_720, new int[] {0, 0, 7, 0, 0, 0}, 13, 11, 7, 10, 9, 8);
  }

  @Test
  void refusals() {
    assertRefused(0, 0, 0);
    assertRefused(-1, 0, 0);
    assertRefused(6, -1, 0);
    assertRefused(6, 2, 2);
    assertRefused(12, 2, 3);
    assertRefused(6, 4, 0);
    assertRefused(2, 1 << 16, 1 << 16, 0); // whose product has more than 32 bits
    assertRefused(6, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 0);
    assertRefused(2);
    assertEquals(
        ErrorClass.ERR_DIMS, assertThrows(MpiException.class, () -> Dims.create(2, null)).errorClass());
  }

  private static void assertRefused(int nodes, int... dims) {
    MpiException e = assertThrows(MpiException.class, () -> Dims.create(nodes, dims));
    assertEquals(ErrorClass.ERR_DIMS, e.errorClass(), e.getMessage());
  }
}
