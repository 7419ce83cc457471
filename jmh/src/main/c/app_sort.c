// SPDX-License-Identifier: Apache-2.0
//
// A sample sort of 2^18 longs: radix sort of the own part, splitters out of samples of all ranks, an exchange of blocks of
// different lengths, radix sort of the received blocks. A step sorts new numbers.
#include "app.h"

#define TOTAL (1 << 18)
#define SAMPLES 64
#define BITS 11
#define BUCKETS (1 << BITS)
#define PASSES 6

static void radix_sort(int64_t *keys, int64_t *other, int n) {
  for (int pass = 0; pass < PASSES; pass++) {
    int counts[BUCKETS] = {0}, shift = pass * BITS, sum = 0;
    for (int i = 0; i < n; i++) counts[(keys[i] >> shift) & (BUCKETS - 1)]++;
    for (int b = 0; b < BUCKETS; b++) {
      int count = counts[b];
      counts[b] = sum;
      sum += count;
    }
    for (int i = 0; i < n; i++) other[counts[(keys[i] >> shift) & (BUCKETS - 1)]++] = keys[i];
    int64_t *swap = keys;
    keys = other;
    other = swap;
  }
}

int main(int argc, char **argv) {
  long steps = app_begin(&argc, &argv);
  int n = TOTAL / app_size;
  int64_t *keys = app_memory(8L * TOTAL), *other = app_memory(8L * TOTAL), *got = app_memory(8L * TOTAL);
  int64_t samples[SAMPLES], *all = app_memory(8L * SAMPLES * app_size), *scratch = app_memory(8L * SAMPLES * app_size);
  int *counts = app_memory(4L * app_size), *starts = app_memory(4L * (app_size + 1));
  int *come = app_memory(4L * app_size), *places = app_memory(4L * app_size);
  uint64_t state = 88172645463325252ULL + app_rank;
  double check = 0;
  for (long s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      keys[i] = state >> 1;
    }
    step_begin();
    radix_sort(keys, other, n);
    for (int i = 0; i < SAMPLES; i++) samples[i] = keys[(long)i * n / SAMPLES];
    enter();
    MPI_Allgather(samples, SAMPLES, MPI_INT64_T, all, SAMPLES, MPI_INT64_T, MPI_COMM_WORLD);
    leave();
    radix_sort(all, scratch, SAMPLES * app_size);
    starts[0] = 0;
    for (int r = 0, i = 0; r < app_size; r++) {
      if (r + 1 < app_size) {
        int64_t splitter = all[(r + 1) * SAMPLES];
        while (i < n && keys[i] < splitter) i++;
      } else {
        i = n;
      }
      starts[r + 1] = i;
      counts[r] = i - starts[r];
    }
    enter();
    MPI_Alltoall(counts, 1, MPI_INT, come, 1, MPI_INT, MPI_COMM_WORLD);
    leave();
    int total = 0;
    for (int r = 0; r < app_size; r++) {
      places[r] = total;
      total += come[r];
    }
    enter();
    MPI_Alltoallv(keys, counts, starts, MPI_INT64_T, got, come, places, MPI_INT64_T, MPI_COMM_WORLD);
    leave();
    radix_sort(got, other, total);
    for (int i = 0; i < total; i += 1000) check += (double)(got[i] >> 20) * 1e-12;
    step_end();
  }
  double sum;
  enter();
  MPI_Allreduce(&check, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  leave();
  return app_end(sum);
}
