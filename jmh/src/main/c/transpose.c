// SPDX-License-Identifier: Apache-2.0
//
// Transposes a square matrix of doubles of which each rank has as many rows, into another of which each has as many
// rows as well. Bench: transpose, us, the mean over the ranks, a barrier before each; bytes are those of the whole
// matrix. Cases:
//
//     alltoallw   one call: each block is sent out of the rows it lies in and received column by column
//     packed      blocks are transposed into a buffer, tile by tile, exchanged with MPI_Alltoall, and copied row by row
#include "bench.h"

#define TILE 16

static double *matrix, *transposed, *packed, *arrived;
static int n, rows;
static int *counts, *displacements;
static MPI_Datatype *send_types, *receive_types;

static void in_one_call(void) {
  MPI_Alltoallw(matrix, counts, displacements, send_types, transposed, counts, displacements, receive_types,
                MPI_COMM_WORLD);
}

static int end_of_tile(int from) { return from + TILE < rows ? from + TILE : rows; }

static void pack(int to) {
  const double *from = matrix + (long)to * rows;
  double *block = packed + (long)to * rows * rows;
  for (int i0 = 0; i0 < rows; i0 += TILE)
    for (int j0 = 0; j0 < rows; j0 += TILE)
      for (int j = j0, j1 = end_of_tile(j0); j < j1; j++)
        for (int i = i0, i1 = end_of_tile(i0); i < i1; i++) block[(long)j * rows + i] = from[(long)i * n + j];
}

static void unpack(int from) {
  for (int j = 0; j < rows; j++)
    memcpy(transposed + (long)j * n + from * rows, arrived + ((long)from * rows + j) * rows, sizeof(double) * rows);
}

static void by_packing(void) {
  for (int r = 0; r < bench_size; r++) pack(r);
  MPI_Alltoall(packed, rows * rows, MPI_DOUBLE, arrived, rows * rows, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int r = 0; r < bench_size; r++) unpack(r);
}

static void (*transpose)(void);

static void transposes(const struct point *p, long iterations) {
  (void)p;
  double total = 0;
  for (long i = 0; i < iterations; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    transpose();
    total += MPI_Wtime() - start;
  }
  spent = total;
}

static double *allocate(void) { return bench_memory((long)sizeof(double) * rows * n); }

static void prepare(const struct point *p) {
  for (n = 1; 8L * n * n < p->bytes; n++) {}
  if (8L * n * n != p->bytes || n % bench_size) bench_fail("bytes", "no square matrix of as many rows for each rank");
  rows = n / bench_size;
  matrix = allocate();
  transposed = allocate();
  packed = allocate();
  arrived = allocate();
  MPI_Datatype column, narrow;
  MPI_Type_vector(rows, 1, n, MPI_DOUBLE, &column);
  MPI_Type_create_resized(column, 0, sizeof(double), &narrow);
  for (int r = 0; r < bench_size; r++) {
    counts[r] = 1;
    displacements[r] = (int)sizeof(double) * r * rows;
    MPI_Type_vector(rows, rows, n, MPI_DOUBLE, &send_types[r]);
    MPI_Type_contiguous(rows, narrow, &receive_types[r]);
    MPI_Type_commit(&send_types[r]);
    MPI_Type_commit(&receive_types[r]);
  }
  MPI_Type_free(&column);
  MPI_Type_free(&narrow);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) matrix[(long)i * n + j] = (double)(bench_rank * rows + i) * n + j;
}

static void check_result(const struct point *p) {
  for (long w = 0; w < (long)rows * n; w++) transposed[w] = -1;
  MPI_Barrier(MPI_COMM_WORLD);
  transpose();
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++)
      if (transposed[(long)i * n + j] != (double)j * n + bench_rank * rows + i) bench_fail("wrong number", p->name);
}

static void release(void) {
  for (int r = 0; r < bench_size; r++) {
    MPI_Type_free(&send_types[r]);
    MPI_Type_free(&receive_types[r]);
  }
  free(matrix);
  free(transposed);
  free(packed);
  free(arrived);
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  if (strcmp(p->bench, "transpose")) bench_fail("unknown bench", p->bench);
  if (!strcmp(p->name, "alltoallw")) transpose = in_one_call;
  else if (!strcmp(p->name, "packed")) transpose = by_packing;
  else bench_fail("unknown case", p->name);
  prepare(p);
  double hop_ns = measure_by(mean_of_ranks, transposes, p, values);
  check_result(p);
  release();
  print_micros(p, hop_ns, values, 1);
}

static void set_up(void) {
  counts = malloc(bench_size * sizeof *counts);
  displacements = malloc(bench_size * sizeof *displacements);
  send_types = malloc(bench_size * sizeof *send_types);
  receive_types = malloc(bench_size * sizeof *receive_types);
}

int main(int argc, char **argv) { return bench_run(argc, argv, set_up, run_point); }
