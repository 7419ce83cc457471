// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.fft;

/** The fast Fourier transform of one row, in place, by radix 2. Real and imaginary parts take turns in the array. */
final class RowTransform {
  private final int n;
  private final double[] cosines;
  private final double[] sines;
  private final int[] reversed;

  /**
   * Prepares transforms.
   *
   * @param n numbers in a row, a power of two, at least 2
   */
  RowTransform(int n) {
    this.n = n;
    cosines = new double[n / 2];
    sines = new double[n / 2];
    for (int k = 0; k < n / 2; k++) {
      cosines[k] = Math.cos(2 * Math.PI * k / n);
      sines[k] = Math.sin(2 * Math.PI * k / n);
    }
    reversed = new int[n];
    for (int i = 0; i < n; i++) {
      reversed[i] = Integer.reverse(i) >>> Integer.numberOfLeadingZeros(n) + 1;
    }
  }

  /**
   * Transforms a row.
   *
   * @param field where the row is
   * @param at its first number's index
   * @param sign of the exponent: -1 forth, 1 back
   */
  void transform(double[] field, int at, int sign) {
    for (int i = 0; i < n; i++) {
      if (i < reversed[i]) {
        swap(field, at + 2 * i, at + 2 * reversed[i]);
      }
    }
    for (int half = 1; half < n; half *= 2) {
      int stride = n / 2 / half;
      for (int i = 0; i < n / 2; i++) { // one long loop: the blocks of the first passes are short
        int k = i & half - 1;
        double c = cosines[k * stride];
        double s = sign * sines[k * stride];
        int a = at + 2 * (2 * i - k);
        int b = a + 2 * half;
        double re = field[b] * c - field[b + 1] * s;
        double im = field[b] * s + field[b + 1] * c;
        field[b] = field[a] - re;
        field[b + 1] = field[a + 1] - im;
        field[a] += re;
        field[a + 1] += im;
      }
    }
  }

  private static void swap(double[] field, int a, int b) {
    double re = field[a];
    double im = field[a + 1];
    field[a] = field[b];
    field[a + 1] = field[b + 1];
    field[b] = re;
    field[b + 1] = im;
  }
}
