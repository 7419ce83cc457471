// SPDX-License-Identifier: Apache-2.0
//
// The common part of the programs of `scripts/bench apps`. A program does a number of steps of real work, as
// org.ffmpi.bench.app does them in Java, by the same algorithm, in the same order, with the same messages. It is called
//
//     PROGRAM STEPS
//
// and rank 0 prints
//
//     check,VALUE                     a number that comes out of all of the work
//     inside,SECONDS                  time in MPI calls after MPI_Init, the mean of the ranks
//     cpu,SECONDS                     processor time of all ranks
//     steps,FROM,TO,US                the median time of the steps FROM (from 0) up to TO (excluded) on rank 0
#ifndef FFMPI_APP_H
#define FFMPI_APP_H

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static int app_rank, app_size;
static double inside, entered;
static double *step_times;
static long steps_done;
static double step_began;

static void enter(void) { entered = MPI_Wtime(); }
static void leave(void) { inside += MPI_Wtime() - entered; }

static void *app_memory(size_t bytes) {
  void *p = calloc(bytes ? bytes : 1, 1);
  if (p == NULL) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return p;
}

static long app_begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &app_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &app_size);
  long steps = *argc > 1 ? atol((*argv)[1]) : 0;
  if (steps < 1) {
    fprintf(stderr, "steps: a number from 1 is needed\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  step_times = app_memory(steps * sizeof(double));
  return steps;
}

static void step_begin(void) { step_began = MPI_Wtime(); }
static void step_end(void) { step_times[steps_done++] = MPI_Wtime() - step_began; }

static int app_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The curve: medians of ranges that grow, 0 to 10, to 30, 100, 300, ...
static void print_steps(void) {
  long from = 0, to = 10;
  while (from < steps_done) {
    long end = to < steps_done ? to : steps_done;
    double *range = app_memory((end - from) * sizeof(double));
    memcpy(range, step_times + from, (end - from) * sizeof(double));
    qsort(range, end - from, sizeof(double), app_compare);
    printf("steps,%ld,%ld,%.3f\n", from, end, range[(end - from) / 2] * 1e6);
    free(range);
    from = end;
    to = to % 9 == 1 ? 3 * to : to / 3 * 10;
  }
}

static int app_end(double check) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  double mine[2] = {inside, used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1e-6 * (used.ru_utime.tv_usec + used.ru_stime.tv_usec)};
  double sums[2];
  MPI_Reduce(mine, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (app_rank == 0) {
    printf("check,%.15g\ninside,%.6f\ncpu,%.6f\n", check, sums[0] / app_size, sums[1]);
    print_steps();
  }
  MPI_Finalize();
  return 0;
}

#endif
