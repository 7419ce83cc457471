// SPDX-License-Identifier: Apache-2.0
//
// A Fourier transform of 512 x 512 complex numbers and back, rows by radix 2, with a transpose by an alltoall between
// rows and columns. Blocks are packed by hand. A step is one transform forth and one back, divided by the number of
// points.
#include "app.h"

#define N 512

static double cosines[N / 2], sines[N / 2];
static int reversed[N];

// In place; real and imaginary parts in turn; sign -1 forth, 1 back.
static void transform(double *row, int sign) {
  for (int i = 0; i < N; i++) {
    int j = reversed[i];
    if (i < j) {
      double re = row[2 * i], im = row[2 * i + 1];
      row[2 * i] = row[2 * j];
      row[2 * i + 1] = row[2 * j + 1];
      row[2 * j] = re;
      row[2 * j + 1] = im;
    }
  }
  for (int half = 1; half < N; half *= 2) {
    int stride = N / 2 / half;
    for (int start = 0; start < N; start += 2 * half) {
      for (int k = 0; k < half; k++) {
        double c = cosines[k * stride], s = sign * sines[k * stride];
        int a = 2 * (start + k), b = a + 2 * half;
        double re = row[b] * c - row[b + 1] * s, im = row[b] * s + row[b + 1] * c;
        row[b] = row[a] - re;
        row[b + 1] = row[a + 1] - im;
        row[a] += re;
        row[a + 1] += im;
      }
    }
  }
}

static double *packed, *received;

// Rows of this rank become rows of the transposed matrix.
static void transpose(double *field, int rows) {
  int block = 2 * rows * rows;
  for (int r = 0; r < app_size; r++) {
    double *to = packed + (long)r * block;
    for (int j = 0; j < rows; j++) {
      for (int i = 0; i < rows; i++) {
        const double *from = field + 2 * ((long)i * N + r * rows + j);
        *to++ = from[0];
        *to++ = from[1];
      }
    }
  }
  enter();
  MPI_Alltoall(packed, block, MPI_DOUBLE, received, block, MPI_DOUBLE, MPI_COMM_WORLD);
  leave();
  for (int r = 0; r < app_size; r++) {
    for (int j = 0; j < rows; j++) {
      memcpy(field + 2 * ((long)j * N + r * rows), received + (long)r * block + 2 * j * rows, sizeof(double) * 2 * rows);
    }
  }
}

int main(int argc, char **argv) {
  long steps = app_begin(&argc, &argv);
  if (N % app_size != 0) {
    fprintf(stderr, "ranks: a divisor of %d is needed\n", N);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int rows = N / app_size;
  for (int k = 0; k < N / 2; k++) {
    cosines[k] = cos(2 * M_PI * k / N);
    sines[k] = sin(2 * M_PI * k / N);
  }
  for (int i = 0; i < N; i++) {
    int r = 0;
    for (int bit = 1; bit < N; bit *= 2) r = 2 * r + ((i & bit) != 0);
    reversed[i] = r;
  }
  double *field = app_memory(sizeof(double) * 2 * rows * N);
  packed = app_memory(sizeof(double) * 2 * rows * N);
  received = app_memory(sizeof(double) * 2 * rows * N);
  for (long i = 0; i < 2L * rows * N; i++) field[i] = (double)((i + app_rank * 2L * rows * N) * 31 % 1009) / 1009;
  for (long s = 0; s < steps; s++) {
    step_begin();
    for (int i = 0; i < rows; i++) transform(field + 2L * i * N, -1);
    transpose(field, rows);
    for (int i = 0; i < rows; i++) transform(field + 2L * i * N, -1);
    for (int i = 0; i < rows; i++) transform(field + 2L * i * N, 1);
    transpose(field, rows);
    for (int i = 0; i < rows; i++) transform(field + 2L * i * N, 1);
    for (long i = 0; i < 2L * rows * N; i++) field[i] *= 1.0 / ((double)N * N);
    step_end();
  }
  double mine = 0, sum;
  for (long i = 0; i < 2L * rows * N; i++) mine += field[i] * (i % 3 + 1);
  enter();
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  leave();
  return app_end(sum);
}
