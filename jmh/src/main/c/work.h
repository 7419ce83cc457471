// SPDX-License-Identifier: Apache-2.0
//
// Work and answers of the C programs; no MPI in it. A program gets its work as arguments
//
//     BENCH/CASE/BYTES[,BYTES...] ...      for example  latency/native-clean/0,8,64 rate/native-dirty/8
//
// preceded by options (--reps, --seconds, --warmup, --hop FILE), and answers on the standard output with one line
// per point:
//
//     ready
//     point,BENCH,CASE,BYTES,UNIT,HOP,VALUE[,VALUE...]      one value per repetition
//
// HOP is how far apart the cores of ranks 0 and 1 are meanwhile: the half round trip of one cache line of FILE, in ns,
// no MPI involved. On virtual machines it changes by factors, and with it every small figure; 0 when no FILE is given
// or the program has one process only.
//
// The Java programs speak the same language and measure in the same way: warm up for a fixed time, calibrate the
// number of iterations, then time repetitions.
#ifndef FFMPI_WORK_H
#define FFMPI_WORK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_REPETITIONS 256

struct point {
  const char *bench;
  const char *name; // of the case
  long bytes;
  int dirty; // the case's name ends in "-dirty": every byte is written freshly before each send
};

static int bench_rank;
static int bench_reps = 5;
static double bench_seconds = 0.03, bench_warmup = 0.05;

// Both are the program's own: how it ends in an error, and an option of its own.
static void bench_fail(const char *what, const char *value);
static void bench_option(const char *name, const char *value);

static void print_point(const struct point *p, const char *unit, double hop_ns, const double *values) {
  if (bench_rank != 0) return;
  char line[128 + 24 * MAX_REPETITIONS];
  int n = snprintf(line, sizeof line, "point,%s,%s,%ld,%s,%.1f", p->bench, p->name, p->bytes, unit, hop_ns);
  for (int r = 0; r < bench_reps; r++) n += snprintf(line + n, sizeof line - n, ",%.9g", values[r]);
  puts(line);
  fflush(stdout);
}

// Prints values that are seconds of one iteration as microseconds of one of its calls.
static void print_micros(const struct point *p, double hop_ns, double *values, double calls) {
  for (int r = 0; r < bench_reps; r++) values[r] = values[r] / calls * 1e6;
  print_point(p, "us", hop_ns, values);
}

// Memory that begins with a page, and whose pages are all there.
static void *bench_memory(long bytes) {
  long whole = (bytes + 4095) & ~4095L;
  void *memory = aligned_alloc(4096, whole);
  if (memory == NULL) bench_fail("bytes", "not enough memory");
  memset(memory, 1, whole);
  return memory;
}

// Options first, then work; calls run_point for each point in the order given.
static void bench_main(int argc, char **argv, void (*run_point)(const struct point *)) {
  int a = 1;
  for (; a + 1 < argc && !strncmp(argv[a], "--", 2); a += 2) {
    if (!strcmp(argv[a], "--reps")) bench_reps = atoi(argv[a + 1]);
    else if (!strcmp(argv[a], "--seconds")) bench_seconds = atof(argv[a + 1]);
    else if (!strcmp(argv[a], "--warmup")) bench_warmup = atof(argv[a + 1]);
    else bench_option(argv[a], argv[a + 1]);
  }
  if (bench_reps < 1 || bench_reps > MAX_REPETITIONS) bench_fail("--reps", "1..256 allowed");
  if (bench_rank == 0) {
    puts("ready");
    fflush(stdout);
  }
  for (; a < argc; a++) {
    char *work = strdup(argv[a]), *rest = work;
    char *bench = strsep(&rest, "/"), *name = strsep(&rest, "/");
    if (name == NULL || rest == NULL) bench_fail("not BENCH/CASE/BYTES,...", argv[a]);
    size_t length = strlen(name);
    struct point p = {bench, name, 0, length > 6 && !strcmp(name + length - 6, "-dirty")};
    for (char *size; (size = strsep(&rest, ",")) != NULL;) {
      p.bytes = atol(size);
      run_point(&p);
    }
    free(work);
  }
}

#endif
