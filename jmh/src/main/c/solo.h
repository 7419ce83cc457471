// SPDX-License-Identifier: Apache-2.0
//
// What the programs without MPI share: a clock, the end in an error, and no options of their own.
#ifndef FFMPI_SOLO_H
#define FFMPI_SOLO_H

#include <time.h>

#include "work.h"

static void bench_fail(const char *what, const char *value) {
  fprintf(stderr, "%s: %s\n", what, value);
  exit(2);
}

static void bench_option(const char *name, const char *value) {
  (void)value;
  bench_fail("unknown option", name);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

#endif
