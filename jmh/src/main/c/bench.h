// SPDX-License-Identifier: Apache-2.0
//
// The common part of the rank programs, whose work and answers work.h describes. Rank 0 answers, and timed
// repetitions begin with a barrier. The Java rank programs in org.ffmpi.bench.rank do the same.
#ifndef FFMPI_BENCH_H
#define FFMPI_BENCH_H

#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "work.h"

static int bench_size;

static void bench_fail(const char *what, const char *value) {
  fprintf(stderr, "%s: %s\n", what, value);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

// The value stored by the last refresh; differs from call to call so that a store can never be skipped.
static uint64_t bench_generation = 1;

// Writes every byte of a buffer with plain stores, a word at a time, the rest byte by byte. The Java rank programs
// hold the same loop.
static void refresh(char *buffer, long bytes) {
  uint64_t value = ++bench_generation;
  uint64_t *words = (uint64_t *)buffer;
  long n = bytes >> 3;
  for (long i = 0; i < n; i++) words[i] = value;
  for (long i = n << 3; i < bytes; i++) buffer[i] = (char)value;
}

// After one untimed exchange into a wiped buffer, out of a buffer that holds one word throughout: all words are the
// same and none is what wiping left.
static void check_received(const struct point *p, const char *buffer) {
  const unsigned char *b = (const unsigned char *)buffer;
  for (long i = 0; i < p->bytes; i++) {
    if (b[i] != b[i & 7] || (p->bytes >= 8 && (i & 7) == 7 && b[7] == 0xEE)) {
      fprintf(stderr, "%s/%s/%ld: rank %d received a wrong byte at %ld\n", p->bench, p->name, p->bytes, bench_rank, i);
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
  }
}

#define HOPS 1000
#define HOP_TRIALS 5

static _Atomic uint64_t *hop_line;
static uint64_t hops_done;

static void open_hop(const char *file) {
  int fd = open(file, O_RDWR);
  void *page = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page == MAP_FAILED) bench_fail("--hop: cannot map", file);
  close(fd);
  hop_line = page;
}

static void bench_option(const char *name, const char *value) {
  if (!strcmp(name, "--hop")) open_hop(value);
  else bench_fail("unknown option", name);
}

// Half a round trip of a cache line between ranks 0 and 1, ns: the least of a few short trials.
static double hop(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (hop_line == NULL || bench_rank > 1) return 0;
  double least = 1e9;
  for (int t = 0; t < HOP_TRIALS; t++) {
    double start = MPI_Wtime();
    for (int i = 0; i < HOPS; i++, hops_done += 2) {
      if (bench_rank == 0) {
        atomic_store_explicit(hop_line, hops_done + 1, memory_order_release);
        while (atomic_load_explicit(hop_line, memory_order_acquire) != hops_done + 2) {}
      } else {
        while (atomic_load_explicit(hop_line, memory_order_acquire) != hops_done + 1) {}
        atomic_store_explicit(hop_line, hops_done + 2, memory_order_release);
      }
    }
    double ns = (MPI_Wtime() - start) / HOPS / 2 * 1e9;
    if (ns < least) least = ns;
  }
  return least;
}

typedef void (*bench_loop)(const struct point *, long iterations);

static double timed(bench_loop loop, const struct point *p, long iterations) {
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  loop(p, iterations);
  return MPI_Wtime() - start;
}

static double agree(double value) {
  MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return value;
}

// Runs a loop once and returns its seconds, as timed does, or another opinion of what counts.
typedef double (*bench_timer)(bench_loop loop, const struct point *, long iterations);

// Fills values[0..bench_reps) with the seconds per iteration by that timer; returns the hop.
static double measure_by(bench_timer timer, bench_loop loop, const struct point *p, double *values) {
  double begin = MPI_Wtime(), last;
  long iterations = 1;
  for (;;) {
    last = agree(timed(loop, p, iterations));
    if (agree(MPI_Wtime() - begin) >= bench_warmup && (last >= bench_seconds / 4 || iterations > 1L << 24)) break;
    if (last < bench_seconds / 2) iterations *= 2;
  }
  iterations = (long)(iterations * (bench_seconds / last));
  if (iterations < 1) iterations = 1;
  double before = hop();
  for (int r = 0; r < bench_reps; r++) values[r] = timer(loop, p, iterations) / iterations;
  double after = hop();
  return before > after ? before : after;
}

// Fills values[0..bench_reps) with the seconds per iteration that rank 0 sees; returns the hop.
static double measure(bench_loop loop, const struct point *p, double *values) {
  return measure_by(timed, loop, p, values);
}

// What counts where ranks end at different times: seconds within calls, of which a loop leaves the sum here.
static double spent;

// A bench_timer for such loops.
static double mean_of_ranks(bench_loop loop, const struct point *p, long iterations) {
  double total;
  timed(loop, p, iterations);
  MPI_Allreduce(&spent, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total / bench_size;
}

static void bench_init(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &bench_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &bench_size);
}

static void need_two_ranks(const char *program) {
  if (bench_size != 2) bench_fail(program, "needs exactly 2 ranks");
}

static void need_ranks(const char *program) {
  if (bench_size < 2) bench_fail(program, "needs at least 2 ranks");
}

// The main function of rank programs. set_up makes what all points need.
static int bench_run(int argc, char **argv, void (*set_up)(void), void (*run_point)(const struct point *)) {
  bench_init(&argc, &argv);
  set_up();
  bench_main(argc, argv, run_point);
  MPI_Finalize();
  return 0;
}

#endif
