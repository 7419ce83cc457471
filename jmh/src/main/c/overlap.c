// SPDX-License-Identifier: Apache-2.0
//
// How much of a nonblocking collective is done while its ranks compute, in the manner of OSU's benchmarks. Cases are
// NAME|plain, where the computation makes no call, and NAME|tests, where it makes TESTS of them. Benches:
//
//     alone      us from the start of the collective to the end of the wait that follows at once
//     left       us by which that takes longer than the computation alone, when a computation of the length of alone
//                stands between start and wait
//     overlap    100 (1 - left / alone) per cent, at least 0
//
// All are means over the ranks, with a barrier before each call that is not timed. The computation is a number of
// dependent multiplications, without memory. How long it takes is measured without the collective, so that all
// work of the library, in any thread, counts as time left; OSU's benchmarks time it beside the collective.
#include "coll.h"

#define TESTS 10
#define TRIALS 5
#define TRIAL_STEPS 100000

static MPI_Request request;
static long steps;
static int with_tests;
static volatile uint64_t computed;

static void begin(void) {
  MPI_Comm world = MPI_COMM_WORLD;
  double *s = send_buffer, *r = receive_buffer;
  int n = (int)(is_reduction() ? block : 8 * block);
  switch (kind) {
    case BCAST: MPI_Ibcast(bench_rank == 0 ? s : r, n, MPI_BYTE, 0, world, &request); break;
    case GATHER: MPI_Igather(s, n, MPI_BYTE, r, n, MPI_BYTE, 0, world, &request); break;
    case SCATTER: MPI_Iscatter(s, n, MPI_BYTE, r, n, MPI_BYTE, 0, world, &request); break;
    case ALLGATHER: MPI_Iallgather(s, n, MPI_BYTE, r, n, MPI_BYTE, world, &request); break;
    case ALLTOALL: MPI_Ialltoall(s, n, MPI_BYTE, r, n, MPI_BYTE, world, &request); break;
    case REDUCE: MPI_Ireduce(s, r, n, MPI_DOUBLE, MPI_SUM, 0, world, &request); break;
    case ALLREDUCE: MPI_Iallreduce(s, r, n, MPI_DOUBLE, MPI_SUM, world, &request); break;
    case REDUCE_SCATTER_BLOCK:
      MPI_Ireduce_scatter_block(s, r, (int)share, MPI_DOUBLE, MPI_SUM, world, &request);
      break;
    default: bench_fail("not measured", NAME[kind]);
  }
}

static void multiply(long n) {
  uint64_t x = computed;
  for (long i = 0; i < n; i++) x = x * 6364136223846793005 + 1442695040888963407;
  computed = x;
}

static void communicate(void) {
  begin();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void compute(void) { multiply(steps); }

static void do_both(void) {
  int done = 0;
  begin();
  if (with_tests) {
    for (int i = 0; i < TESTS; i++) {
      multiply(steps / TESTS);
      if (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
  } else {
    compute();
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

enum { COMMUNICATING, COMPUTING, BOTH, BODIES };

static void (*const BODY[BODIES])(void) = {communicate, compute, do_both};

// Runs bodies in turn, so that a disturbance meets all of them; adds the time of each.
static void take_turns(long iterations, int bodies, double *sums) {
  for (int b = 0; b < bodies; b++) sums[b] = 0;
  for (long i = 0; i < iterations; i++) {
    for (int b = 0; b < bodies; b++) {
      MPI_Barrier(MPI_COMM_WORLD);
      double start = MPI_Wtime();
      BODY[b]();
      sums[b] += MPI_Wtime() - start;
    }
  }
}

static void alone(const struct point *p, long iterations) {
  (void)p;
  take_turns(iterations, 1, &spent);
}

// How many steps take so long on rank 0; the same on all ranks.
static long steps_in(double seconds) {
  double least = 1e9;
  for (int t = 0; t < TRIALS; t++) {
    double start = MPI_Wtime();
    multiply(TRIAL_STEPS);
    double took = MPI_Wtime() - start;
    if (took < least) least = took;
  }
  return (long)agree(1 + seconds / least * TRIAL_STEPS);
}

// The value of a bench, times iterations.
static double compare(bench_loop loop, const struct point *p, long iterations) {
  double mine[BODIES], sums[BODIES];
  double communication = mean_of_ranks(loop, p, iterations);
  if (!strcmp(p->bench, "alone")) return communication * 1e6;
  steps = steps_in(communication / iterations);
  take_turns(iterations, BODIES, mine);
  MPI_Allreduce(mine, sums, BODIES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double left = sums[BOTH] - sums[COMPUTING];
  if (!strcmp(p->bench, "left")) return left / bench_size * 1e6;
  double part = 1 - left / sums[COMMUNICATING];
  return part > 0 ? 100 * part * iterations : 0;
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  const char *use = strchr(p->name, '|');
  int is_part = !strcmp(p->bench, "overlap");
  if (!is_part && strcmp(p->bench, "alone") && strcmp(p->bench, "left")) bench_fail("unknown bench", p->bench);
  if (use == NULL || (strcmp(use, "|plain") && strcmp(use, "|tests"))) bench_fail("unknown case", p->name);
  with_tests = !strcmp(use, "|tests");
  prepare(p, use - p->name);
  double hop_ns = measure_by(compare, alone, p, values);
  check_result(p, do_both);
  print_point(p, is_part ? "%" : "us", hop_ns, values);
}

int main(int argc, char **argv) { return bench_run(argc, argv, coll_set_up, run_point); }
