// SPDX-License-Identifier: Apache-2.0
//
// Making communicators and freeing them again, on any number of ranks. Bench: comm, us per communicator. Cases:
//   dup-free      duplicate the world, free it
//   split         split the world by even and odd ranks, free what comes out
//   dup-use, split-use      the same with a barrier on each new communicator, so that it is ready at all of its ranks
// Each repetition ends in a barrier of the world: the slowest rank counts, also where making one needs no message.
#include "bench.h"

static int splits, uses;

static MPI_Comm make(void) {
  MPI_Comm made;
  if (splits) MPI_Comm_split(MPI_COMM_WORLD, bench_rank % 2, bench_rank, &made);
  else MPI_Comm_dup(MPI_COMM_WORLD, &made);
  return made;
}

static void communicators(const struct point *p, long iterations) {
  (void)p;
  for (long i = 0; i < iterations; i++) {
    MPI_Comm made = make();
    if (uses) MPI_Barrier(made);
    MPI_Comm_free(&made);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// Outside of all timing: the new communicator has the right ranks in the right order, and they reach each other.
static void check_made(const struct point *p) {
  MPI_Comm made = make();
  int rank, size, sum = bench_rank + 1, expected = 0, members = 0;
  for (int r = splits ? bench_rank % 2 : 0; r < bench_size; r += splits ? 2 : 1, members++) expected += r + 1;
  MPI_Comm_rank(made, &rank);
  MPI_Comm_size(made, &size);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, made);
  if (sum != expected || size != members || rank != (splits ? bench_rank / 2 : bench_rank)) {
    fprintf(stderr, "%s: rank %d has a wrong communicator\n", p->name, bench_rank);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Comm_free(&made);
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  if (strcmp(p->bench, "comm")) bench_fail("unknown bench", p->bench);
  splits = !strncmp(p->name, "split", 5);
  uses = !strcmp(p->name, "dup-use") || !strcmp(p->name, "split-use");
  if (!uses && strcmp(p->name, "dup-free") && strcmp(p->name, "split")) bench_fail("unknown case", p->name);
  double hop_ns = measure(communicators, p, values);
  check_made(p);
  print_micros(p, hop_ns, values, 1);
}

static void set_up(void) {}

int main(int argc, char **argv) { return bench_run(argc, argv, set_up, run_point); }
