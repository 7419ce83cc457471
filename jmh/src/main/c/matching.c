// SPDX-License-Identifier: Apache-2.0
//
// How long queues cost: one rank sends many messages with distinct tags, and the other receives them in another order.
// Bench: matching, us per message. Cases, with the queue's length behind a hyphen where it is not 10000:
//   posted                all receives are posted before the first message is sent
//   unexpected            all messages have arrived before the first receive
//   posted-anysource, unexpected-anysource      the same with MPI_ANY_SOURCE
#include "bench.h"

#define DEPTH 10000
#define LARGEST 1024
#define READY_TAG 20000
#define ANSWER_TAG 20001

static char *block;
static long stride;
static int depth, source;
static int send_order[DEPTH], receive_order[DEPTH];
static MPI_Request requests[DEPTH];

// The Java rank program makes the same orders.
static void shuffle(int *order, uint32_t seed) {
  for (int i = 0; i < depth; i++) order[i] = i;
  for (int i = depth - 1; i > 0; i--) {
    seed = seed * 1664525u + 1013904223u;
    int j = (int)((seed >> 8) % (uint32_t)(i + 1)), other = order[j];
    order[j] = order[i];
    order[i] = other;
  }
}

static char payload(int tag, long at) { return (char)(tag * 31 + at * 7 + (tag >> 8) + 1); }

static void send_all(const struct point *p) {
  for (int i = 0; i < depth; i++) {
    int tag = send_order[i];
    MPI_Send(block + tag * stride, (int)p->bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
  }
}

static void posted(const struct point *p, long iterations) {
  for (long n = 0; n < iterations; n++) {
    if (bench_rank == 0) {
      MPI_Recv(NULL, 0, MPI_BYTE, 1, READY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      send_all(p);
      MPI_Recv(NULL, 0, MPI_BYTE, 1, ANSWER_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      for (int i = 0; i < depth; i++) {
        int tag = receive_order[i];
        MPI_Irecv(block + tag * stride, (int)p->bytes, MPI_BYTE, source, tag, MPI_COMM_WORLD, &requests[i]);
      }
      MPI_Send(NULL, 0, MPI_BYTE, 0, READY_TAG, MPI_COMM_WORLD);
      MPI_Waitall(depth, requests, MPI_STATUSES_IGNORE);
      MPI_Send(NULL, 0, MPI_BYTE, 0, ANSWER_TAG, MPI_COMM_WORLD);
    }
  }
}

static void unexpected(const struct point *p, long iterations) {
  for (long n = 0; n < iterations; n++) {
    if (bench_rank == 0) {
      send_all(p);
      MPI_Send(NULL, 0, MPI_BYTE, 1, READY_TAG, MPI_COMM_WORLD);
      MPI_Recv(NULL, 0, MPI_BYTE, 1, ANSWER_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(NULL, 0, MPI_BYTE, 0, READY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < depth; i++) {
        int tag = receive_order[i];
        MPI_Recv(block + tag * stride, (int)p->bytes, MPI_BYTE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      MPI_Send(NULL, 0, MPI_BYTE, 0, ANSWER_TAG, MPI_COMM_WORLD);
    }
  }
}

static void check_all(const struct point *p) {
  for (int tag = 0; tag < depth; tag++)
    for (long i = 0; i < p->bytes; i++)
      if (block[tag * stride + i] != payload(tag, i)) {
        fprintf(stderr, "%s: message %d is wrong at %ld\n", p->name, tag, i);
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  if (strcmp(p->bench, "matching")) bench_fail("unknown bench", p->bench);
  if (p->bytes < 0 || p->bytes > LARGEST) bench_fail("bytes", "0..1024 allowed");
  const char *variant = strchr(p->name, '-');
  source = variant != NULL && !strcmp(variant, "-anysource") ? MPI_ANY_SOURCE : 0;
  depth = variant == NULL || source != 0 ? DEPTH : atoi(variant + 1);
  if (depth < 1 || depth > DEPTH) bench_fail("unknown case", p->name);
  bench_loop loop = !strncmp(p->name, "posted", 6) ? posted : !strncmp(p->name, "unexpected", 10) ? unexpected : NULL;
  if (loop == NULL) bench_fail("unknown case", p->name);
  stride = p->bytes < 8 ? 8 : (p->bytes + 7) & ~7L;
  shuffle(send_order, 1);
  shuffle(receive_order, 2);
  for (int tag = 0; tag < depth; tag++)
    for (long i = 0; i < p->bytes; i++) block[tag * stride + i] = payload(tag, i);
  double hop_ns = measure(loop, p, values);
  if (bench_rank == 1) memset(block, 0xEE, depth * stride);
  MPI_Barrier(MPI_COMM_WORLD);
  loop(p, 1);
  check_all(p);
  print_micros(p, hop_ns, values, depth);
}

static void set_up(void) {
  need_two_ranks("matching");
  block = bench_memory(DEPTH * (long)LARGEST);
}

int main(int argc, char **argv) { return bench_run(argc, argv, set_up, run_point); }
