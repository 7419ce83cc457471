// SPDX-License-Identifier: Apache-2.0
//
// Any number of ranks, also more than there are cores. Benches:
//   ring      a message passes round all ranks; us per hop
//   barrier   back to back; us each
#include "bench.h"

#define LARGEST (4L << 20)

static char *send_buffer, *receive_buffer;

static void ring(const struct point *p, long iterations) {
  int n = (int)p->bytes, next = (bench_rank + 1) % bench_size, previous = (bench_rank + bench_size - 1) % bench_size;
  for (long i = 0; i < iterations; i++) {
    if (bench_rank == 0) {
      if (p->dirty) refresh(send_buffer, n);
      MPI_Send(send_buffer, n, MPI_BYTE, next, 1, MPI_COMM_WORLD);
      MPI_Recv(receive_buffer, n, MPI_BYTE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(receive_buffer, n, MPI_BYTE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (p->dirty) refresh(send_buffer, n);
      MPI_Send(send_buffer, n, MPI_BYTE, next, 1, MPI_COMM_WORLD);
    }
  }
}

static void barrier(const struct point *p, long iterations) {
  (void)p;
  for (long i = 0; i < iterations; i++) MPI_Barrier(MPI_COMM_WORLD);
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  if (p->bytes < 0 || p->bytes > LARGEST) bench_fail("bytes", "0..4194304 allowed");
  int is_ring = !strcmp(p->bench, "ring");
  if (!is_ring && strcmp(p->bench, "barrier")) bench_fail("unknown bench", p->bench);
  refresh(send_buffer, p->bytes);
  double hop_ns = measure(is_ring ? ring : barrier, p, values);
  if (is_ring) {
    memset(receive_buffer, 0xEE, p->bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    ring(p, 1);
    check_received(p, receive_buffer);
  }
  print_micros(p, hop_ns, values, is_ring ? bench_size : 1);
}

static void set_up(void) {
  need_ranks("ring");
  send_buffer = bench_memory(LARGEST);
  receive_buffer = bench_memory(LARGEST);
}

int main(int argc, char **argv) { return bench_run(argc, argv, set_up, run_point); }
