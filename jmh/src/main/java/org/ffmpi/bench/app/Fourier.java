// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.app;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/**
 * A Fourier transform of 512 x 512 complex numbers and back, rows by radix 2, with a transpose by an alltoall between
 * rows and columns. Blocks are packed by hand. A step is one transform forth and one back, divided by the number of
 * points.
 */
public final class Fourier {
  private static final int N = 512;

  private final double[] cosines = new double[N / 2];
  private final double[] sines = new double[N / 2];
  private final int[] reversed = new int[N];
  private final IntraComm world;
  private final Clock clock;
  private final int rows;
  private final double[] field;
  private final double[] packed;
  private final double[] received;
  private final Buf<Double> packedBuf;
  private final Buf<Double> receivedBuf;

  private Fourier(IntraComm world, Clock clock) {
    if (N % world.size() != 0) {
      throw new IllegalArgumentException("ranks: a divisor of " + N + " is needed");
    }
    this.world = world;
    this.clock = clock;
    rows = N / world.size();
    field = new double[2 * rows * N];
    packed = new double[2 * rows * N];
    received = new double[2 * rows * N];
    packedBuf = Buf.of(packed);
    receivedBuf = Buf.of(received);
    for (int k = 0; k < N / 2; k++) {
      cosines[k] = Math.cos(2 * Math.PI * k / N);
      sines[k] = Math.sin(2 * Math.PI * k / N);
    }
    int shift = Integer.numberOfLeadingZeros(N) + 1;
    for (int i = 0; i < N; i++) {
      reversed[i] = Integer.reverse(i) >>> shift;
    }
    for (int i = 0; i < field.length; i++) {
      field[i] = (double) ((i + world.rank() * 2L * rows * N) * 31 % 1009) / 1009;
    }
  }

  /**
   * Runs one rank.
   *
   * @param args the number of steps
   */
  public static void main(String[] args) {
    Clock.time(args, Fourier::run);
  }

  private static double run(Mpi mpi, int steps, Clock clock) {
    Fourier fourier = new Fourier(mpi.world(), clock);
    for (int s = 0; s < steps; s++) {
      clock.stepBegins();
      fourier.transformRows(-1);
      fourier.transpose();
      fourier.transformRows(-1);
      fourier.transformRows(1);
      fourier.transpose();
      fourier.transformRows(1);
      fourier.divide();
      clock.stepEnds();
    }
    double[] sum = new double[1];
    for (int i = 0; i < fourier.field.length; i++) {
      sum[0] += fourier.field[i] * (i % 3 + 1);
    }
    clock.enter();
    mpi.world().allreduce(Buf.of(sum), Op.SUM);
    clock.leave();
    return sum[0];
  }

  private void transformRows(int sign) {
    for (int i = 0; i < rows; i++) {
      transform(field, 2 * i * N, sign);
    }
  }

  /** Transforms a row in place; real and imaginary parts in turn; sign -1 forth, 1 back. */
  private void transform(double[] row, int at, int sign) {
    for (int i = 0; i < N; i++) {
      int j = reversed[i];
      if (i < j) {
        double re = row[at + 2 * i];
        double im = row[at + 2 * i + 1];
        row[at + 2 * i] = row[at + 2 * j];
        row[at + 2 * i + 1] = row[at + 2 * j + 1];
        row[at + 2 * j] = re;
        row[at + 2 * j + 1] = im;
      }
    }
    for (int half = 1; half < N; half *= 2) {
      int stride = N / 2 / half;
      for (int i = 0; i < N / 2; i++) { // one long loop: the blocks of the first passes are short
        int k = i & (half - 1);
        double c = cosines[k * stride];
        double s = sign * sines[k * stride];
        int a = at + 2 * (2 * i - k);
        int b = a + 2 * half;
        double re = row[b] * c - row[b + 1] * s;
        double im = row[b] * s + row[b + 1] * c;
        row[b] = row[a] - re;
        row[b + 1] = row[a + 1] - im;
        row[a] += re;
        row[a + 1] += im;
      }
    }
  }

  /** Rows of this rank become rows of the transposed matrix. */
  private void transpose() {
    int block = 2 * rows * rows;
    int to = 0;
    for (int r = 0; r < world.size(); r++) {
      for (int j = 0; j < rows; j++) {
        for (int i = 0; i < rows; i++) {
          int from = 2 * (i * N + r * rows + j);
          packed[to++] = field[from];
          packed[to++] = field[from + 1];
        }
      }
    }
    clock.enter();
    world.alltoall(packedBuf, receivedBuf);
    clock.leave();
    for (int r = 0; r < world.size(); r++) {
      for (int j = 0; j < rows; j++) {
        System.arraycopy(received, r * block + 2 * j * rows, field, 2 * (j * N + r * rows), 2 * rows);
      }
    }
  }

  private void divide() {
    for (int i = 0; i < field.length; i++) {
      field[i] *= 1.0 / ((double) N * N);
    }
  }
}
