// SPDX-License-Identifier: Apache-2.0
//
// Calls that nothing has warmed up. Called as
//
//     cold CASE K [K...]
//
// it makes as many calls as the greatest K, times each on rank 0, and answers for each K with
//
//     call,K,US          the median of the last tenth of the first K calls; below 10 the K-th itself
//     sum,K,MS           all of them
//
// Ranks 2i and 2i + 1 are partners, one rank is its own. A call of pingpong and derived is a round trip, one of halo
// four messages to the partner and four from it.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG_BYTES 65536
#define BLOCK 1024
#define COLUMN 1024
#define STRIDE 8

static int rank, size, partner;
static char *out, *in;
static double number[2];
static int *counts, *places;
static MPI_Datatype column;
static MPI_Win win;

static void round_trip(int bytes) {
  if (partner == rank) {
    MPI_Sendrecv(out, bytes, MPI_BYTE, rank, 1, in, bytes, MPI_BYTE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank % 2 == 0) {
    MPI_Send(out, bytes, MPI_BYTE, partner, 1, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_BYTE, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(in, bytes, MPI_BYTE, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, bytes, MPI_BYTE, partner, 1, MPI_COMM_WORLD);
  }
}

static void pingpong_8(void) { round_trip(8); }
static void pingpong_64k(void) { round_trip(LONG_BYTES); }

static void nonblocking_8(void) {
  MPI_Request receiving, sending;
  MPI_Irecv(in, 8, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &receiving);
  MPI_Isend(out, 8, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &sending);
  MPI_Wait(&receiving, MPI_STATUS_IGNORE);
  MPI_Wait(&sending, MPI_STATUS_IGNORE);
}

static void halo(void) {
  MPI_Request requests[8];
  for (int i = 0; i < 4; i++) MPI_Irecv(in + i * BLOCK, BLOCK, MPI_BYTE, partner, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 4; i++) MPI_Isend(out + i * BLOCK, BLOCK, MPI_BYTE, partner, i, MPI_COMM_WORLD, &requests[4 + i]);
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

static void allreduce_8(void) { MPI_Allreduce(&number[0], &number[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }

static void alltoallv_1k(void) {
  MPI_Alltoallv(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE, MPI_COMM_WORLD);
}

static void fence_8(void) {
  MPI_Put(out, 8, MPI_BYTE, partner, 0, 8, MPI_BYTE, win);
  MPI_Win_fence(0, win);
}

static void derived_8k(void) {
  if (partner == rank) {
    MPI_Sendrecv(out, 1, column, rank, 1, in, 1, column, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank % 2 == 0) {
    MPI_Send(out, 1, column, partner, 1, MPI_COMM_WORLD);
    MPI_Recv(in, 1, column, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(in, 1, column, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, 1, column, partner, 1, MPI_COMM_WORLD);
  }
}

static const struct {
  const char *name;
  void (*call)(void);
} CASES[] = {
  {"pingpong-8", pingpong_8}, {"pingpong-64k", pingpong_64k}, {"nonblocking-8", nonblocking_8}, {"halo", halo},
  {"allreduce-8", allreduce_8}, {"alltoallv-1k", alltoallv_1k}, {"fence-8", fence_8},
  {"derived-8k", derived_8k},
};

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  partner = size == 1 ? 0 : rank ^ 1;
  void (*call)(void) = NULL;
  for (size_t i = 0; argc > 2 && i < sizeof CASES / sizeof CASES[0]; i++) {
    if (!strcmp(CASES[i].name, argv[1])) call = CASES[i].call;
  }
  if (call == NULL) {
    fprintf(stderr, "a known case and numbers of calls are needed\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  long most = atol(argv[argc - 1]), done = 0;
  size_t room = 8 * COLUMN * STRIDE > BLOCK * size ? 8 * COLUMN * STRIDE : BLOCK * size;
  out = calloc(room, 1);
  in = calloc(room, 1);
  counts = calloc(size, sizeof(int));
  places = calloc(size, sizeof(int));
  for (int r = 0; r < size; r++) counts[r] = BLOCK, places[r] = r * BLOCK;
  if (call == derived_8k) {
    MPI_Type_vector(COLUMN, 1, STRIDE, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
  }
  if (call == fence_8) {
    void *memory;
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
  }
  double *times = calloc(most, sizeof(double));
  MPI_Barrier(MPI_COMM_WORLD);
  for (; done < most; done++) {
    double start = MPI_Wtime();
    call();
    times[done] = MPI_Wtime() - start;
  }
  for (int a = 2; a < argc && rank == 0; a++) {
    long k = atol(argv[a]), window = k < 10 ? 1 : k / 10;
    double sum = 0, last[window];
    for (long i = 0; i < k; i++) sum += times[i];
    memcpy(last, times + k - window, window * sizeof(double));
    qsort(last, window, sizeof(double), compare);
    printf("call,%ld,%.3f\nsum,%ld,%.6f\n", k, last[window / 2] * 1e6, k, sum * 1e3);
  }
  if (call == fence_8) MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
