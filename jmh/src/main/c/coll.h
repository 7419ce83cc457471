// SPDX-License-Identifier: Apache-2.0
//
// The buffers of the collectives, what is sent and what has to arrive; for programs that call them in one way or
// another. One point at a time.
#ifndef FFMPI_COLL_H
#define FFMPI_COLL_H

#include "bench.h"

#define LARGEST (16L << 20)

enum {
  BARRIER, BCAST, GATHER, GATHERV, SCATTER, SCATTERV, ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, REDUCE,
  ALLREDUCE, REDUCE_SCATTER_BLOCK, REDUCE_SCATTER, SCAN, EXSCAN, NAMES
};

static const char *const NAME[NAMES] = {
  "barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv",
  "alltoallw", "reduce", "allreduce", "reduce_scatter_block", "reduce_scatter", "scan", "exscan"
};

static double *send_buffer, *receive_buffer;
static long capacity;
static int *counts, *shares, *displacements;
static MPI_Datatype *types;

// The point that is being measured: the collective, words of a block or buffer, words of a share.
static int kind;
static long block, share;

static int is_reduction(void) { return kind >= REDUCE; }

static int is_share(void) { return kind == REDUCE_SCATTER_BLOCK || kind == REDUCE_SCATTER; }

static int has_blocks_to_send(void) {
  return kind == SCATTER || kind == SCATTERV || kind == ALLTOALL || kind == ALLTOALLV || kind == ALLTOALLW;
}

// How many words this rank sends.
static long sent_words(void) {
  if (kind == BARRIER || ((kind == BCAST || kind == SCATTER || kind == SCATTERV) && bench_rank != 0)) return 0;
  return has_blocks_to_send() ? block * bench_size : is_share() ? share * bench_size : block;
}

// How many words this rank receives from others and itself.
static long received_words(void) {
  switch (kind) {
    case BARRIER: return 0;
    case BCAST: return bench_rank == 0 ? 0 : block;
    case GATHER: case GATHERV: return bench_rank == 0 ? block * bench_size : 0;
    case ALLGATHER: case ALLGATHERV: case ALLTOALL: case ALLTOALLV: case ALLTOALLW: return block * bench_size;
    case REDUCE: return bench_rank == 0 ? block : 0;
    case REDUCE_SCATTER_BLOCK: case REDUCE_SCATTER: return share;
    case EXSCAN: return bench_rank == 0 ? 0 : block;
    default: return block;
  }
}

// Word j of what a rank sends to a peer; sums of these are exact.
static double number(int rank, long peer, long j) { return 1 + rank + 100.0 * peer + 10000.0 * (j % 61); }

static double sent(long w) {
  return has_blocks_to_send() ? number(bench_rank, w / block, w % block) : number(bench_rank, 0, w);
}

static double sum(int first, int end, long w) {
  double s = 0;
  for (int r = first; r < end; r++) s += number(r, 0, w);
  return s;
}

static double expected(long w) {
  switch (kind) {
    case BCAST: return number(0, 0, w);
    case SCATTER: case SCATTERV: return number(0, bench_rank, w);
    case GATHER: case GATHERV: case ALLGATHER: case ALLGATHERV: return number((int)(w / block), 0, w % block);
    case ALLTOALL: case ALLTOALLV: case ALLTOALLW: return number((int)(w / block), bench_rank, w % block);
    case REDUCE: case ALLREDUCE: return sum(0, bench_size, w);
    case REDUCE_SCATTER_BLOCK: case REDUCE_SCATTER: return sum(0, bench_size, bench_rank * share + w);
    case SCAN: return sum(0, bench_rank + 1, w);
    default: return sum(0, bench_rank, w);
  }
}

static void fill(void) {
  for (long w = 0, n = sent_words(); w < n; w++) send_buffer[w] = sent(w);
}

// Makes the call once, outside of all timing, and checks every number it brings.
static void check_result(const struct point *p, void (*call)(void)) {
  long n = received_words();
  fill();
  for (long w = 0; w < n; w++) receive_buffer[w] = -1;
  MPI_Barrier(MPI_COMM_WORLD);
  call();
  for (long w = 0; w < n; w++) {
    if (receive_buffer[w] != expected(w)) {
      fprintf(stderr, "%s/%ld: rank %d received %g for %g at %ld\n", p->name, p->bytes, bench_rank, receive_buffer[w],
              expected(w), w);
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
  }
}

// Makes the point's collective ready, of whose case the first characters are the name.
static void prepare(const struct point *p, size_t length) {
  for (kind = 0; kind < NAMES; kind++)
    if (strlen(NAME[kind]) == length && !strncmp(NAME[kind], p->name, length)) break;
  if (kind == NAMES) bench_fail("unknown case", p->name);
  if (p->bytes < 0 || p->bytes > LARGEST || p->bytes % 8 || (p->bytes == 0 && kind != BARRIER))
    bench_fail("bytes", "8..16777216 allowed, multiples of 8");
  block = p->bytes / 8;
  share = block < bench_size ? 1 : block / bench_size;
  long words = (block < 1 ? 1 : block) * bench_size;
  if (words > capacity) {
    free(send_buffer);
    free(receive_buffer);
    send_buffer = bench_memory(8 * words);
    receive_buffer = bench_memory(8 * words);
    capacity = words;
  }
  for (int r = 0; r < bench_size; r++) {
    counts[r] = (int)(8 * block);
    shares[r] = (int)share;
    displacements[r] = (int)(8 * block * r);
    types[r] = MPI_BYTE;
  }
  fill();
}

static void coll_set_up(void) {
  counts = malloc(bench_size * sizeof *counts);
  shares = malloc(bench_size * sizeof *shares);
  displacements = malloc(bench_size * sizeof *displacements);
  types = malloc(bench_size * sizeof *types);
}

#endif
