// SPDX-License-Identifier: Apache-2.0
//
// Point-to-point between two ranks. Benches:
//   latency        half a round trip of blocking send and receive, us
//   bandwidth      rank 0 starts a window of 64 sends, rank 1 of 64 receives, then a short answer, MB/s (10^6 bytes)
//   rate           the same windows, counted in messages, msg/s
//   bidirectional  windows of 64 in both directions at once, MB/s of both together
//   fill           the store loop of the dirty cases alone, us
//
// Clean: one send buffer, written once. Dirty: a window sends from 64 buffers in turn (fewer above 1 MiB, so that
// they stay within BLOCK bytes), each written freshly just before its send and after its former send has completed.
#include "bench.h"

#define WINDOW 64
#define BLOCK (64L << 20)
#define LARGEST (4L << 20)
#define DATA_TAG 1
#define ANSWER_TAG 2

static char *send_block, *receive_buffer;

static int buffers(const struct point *p, long *stride) {
  *stride = p->bytes < 64 ? 64 : (p->bytes + 63) & ~63L;
  long fit = BLOCK / *stride;
  return p->dirty ? (fit < WINDOW ? (int)fit : WINDOW) : 1;
}

static void latency(const struct point *p, long iterations) {
  int n = (int)p->bytes, dirty = p->dirty;
  for (long i = 0; i < iterations; i++) {
    if (bench_rank == 0) {
      if (dirty) refresh(send_block, n);
      MPI_Send(send_block, n, MPI_BYTE, 1, DATA_TAG, MPI_COMM_WORLD);
      MPI_Recv(receive_buffer, n, MPI_BYTE, 1, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(receive_buffer, n, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (dirty) refresh(send_block, n);
      MPI_Send(send_block, n, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD);
    }
  }
}

static void nonblocking(const struct point *p, long iterations) {
  int n = (int)p->bytes, peer = 1 - bench_rank;
  MPI_Request request;
  for (long i = 0; i < iterations; i++) {
    if (bench_rank == 1) MPI_Recv(receive_buffer, n, MPI_BYTE, peer, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Isend(send_block, n, MPI_BYTE, peer, DATA_TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (bench_rank == 0) MPI_Recv(receive_buffer, n, MPI_BYTE, peer, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void persistent(const struct point *p, long iterations) {
  int n = (int)p->bytes, peer = 1 - bench_rank;
  MPI_Request request;
  MPI_Send_init(send_block, n, MPI_BYTE, peer, DATA_TAG, MPI_COMM_WORLD, &request);
  for (long i = 0; i < iterations; i++) {
    if (bench_rank == 1) MPI_Recv(receive_buffer, n, MPI_BYTE, peer, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (bench_rank == 0) MPI_Recv(receive_buffer, n, MPI_BYTE, peer, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
}

static void start_sends(const struct point *p, int peer, MPI_Request *requests) {
  long stride;
  int n = (int)p->bytes, count = buffers(p, &stride);
  for (int j = 0; j < WINDOW; j++) {
    char *buffer = send_block + (j % count) * stride;
    if (p->dirty) {
      if (j >= count) MPI_Wait(&requests[j - count], MPI_STATUS_IGNORE);
      refresh(buffer, n);
    }
    MPI_Isend(buffer, n, MPI_BYTE, peer, DATA_TAG, MPI_COMM_WORLD, &requests[j]);
  }
}

static void start_receives(const struct point *p, int peer, MPI_Request *requests) {
  for (int j = 0; j < WINDOW; j++)
    MPI_Irecv(receive_buffer, (int)p->bytes, MPI_BYTE, peer, DATA_TAG, MPI_COMM_WORLD, &requests[j]);
}

static void one_way(const struct point *p, long iterations) {
  MPI_Request requests[WINDOW];
  char answer[4] = {0};
  for (long i = 0; i < iterations; i++) {
    if (bench_rank == 0) {
      start_sends(p, 1, requests);
      MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
      MPI_Recv(answer, 4, MPI_BYTE, 1, ANSWER_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      start_receives(p, 0, requests);
      MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
      MPI_Send(answer, 4, MPI_BYTE, 0, ANSWER_TAG, MPI_COMM_WORLD);
    }
  }
}

static void both_ways(const struct point *p, long iterations) {
  MPI_Request requests[2 * WINDOW];
  int peer = 1 - bench_rank;
  for (long i = 0; i < iterations; i++) {
    start_receives(p, peer, requests);
    start_sends(p, peer, requests + WINDOW);
    MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
  }
}

static void fill(const struct point *p, long iterations) {
  for (long i = 0; i < iterations; i++) {
    refresh(send_block, p->bytes);
    __asm__ volatile("" ::: "memory");
  }
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  if (p->bytes < 0 || p->bytes > LARGEST) bench_fail("bytes", "0..4194304 allowed");
  bench_loop loop = !strcmp(p->bench, "latency")                                       ? latency
                    : !strcmp(p->bench, "bandwidth") || !strcmp(p->bench, "rate")      ? one_way
                    : !strcmp(p->bench, "bidirectional")                               ? both_ways
                    : !strcmp(p->bench, "nonblocking")                                 ? nonblocking
                    : !strcmp(p->bench, "persistent")                                  ? persistent
                    : !strcmp(p->bench, "fill")                                        ? fill
                                                                                       : NULL;
  if (loop == NULL) bench_fail("unknown bench", p->bench);
  refresh(send_block, p->bytes);
  double hop_ns = measure(loop, p, values);
  if (loop != fill) {
    memset(receive_buffer, 0xEE, p->bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    latency(p, 1); // a window's messages overwrite each other, in an order that is not defined
    check_received(p, receive_buffer);
  }
  const char *unit = "us";
  for (int r = 0; r < bench_reps; r++) {
    if (loop == latency || loop == nonblocking || loop == persistent) values[r] = values[r] / 2 * 1e6;
    else if (loop == fill) values[r] = values[r] * 1e6;
    else if (!strcmp(p->bench, "rate")) values[r] = WINDOW / values[r];
    else values[r] = (loop == both_ways ? 2.0 : 1.0) * WINDOW * p->bytes / values[r] / 1e6;
  }
  if (loop == one_way || loop == both_ways) unit = !strcmp(p->bench, "rate") ? "msg/s" : "MB/s";
  print_point(p, unit, hop_ns, values);
}

static void set_up(void) {
  need_two_ranks("p2p");
  send_block = bench_memory(BLOCK);
  receive_buffer = bench_memory(LARGEST);
}

int main(int argc, char **argv) { return bench_run(argc, argv, set_up, run_point); }
