// SPDX-License-Identifier: Apache-2.0
//
// What the machine can do without any MPI, by two processes on two cores. Benches:
//   exchange  half a round trip of the least that a message can be, us: up to 48 bytes a cache line that holds flag and
//             data; above, a flag, and one memcpy by the receiver out of memory that both processes map
//   copy      memcpy by one core from one buffer to another, MB/s
// HOP is half a round trip of the flag alone.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solo.h"

#define LARGEST (4L << 20)
#define IN_LINE 48
#define STOP UINT64_MAX
#define HOPS 1000
#define HOP_TRIALS 5

// One cache line: what a short message needs to be.
struct line {
  _Atomic uint64_t flag;
  char data[IN_LINE];
} __attribute__((aligned(128)));

struct shared {
  struct line line[2]; // each written by one process
};

static struct shared *shared;
static char *blocks[2]; // each process's own, which the other reads
static int cores[2];

static void use_core(int which) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cores[which], &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) bench_fail("sched_setaffinity", "failed");
}

static void find_cores(void) {
  cpu_set_t set;
  int found = 0;
  if (sched_getaffinity(0, sizeof set, &set) != 0) bench_fail("sched_getaffinity", "failed");
  for (int c = 0; c < CPU_SETSIZE && found < 2; c++) {
    if (CPU_ISSET(c, &set)) cores[found++] = c;
  }
  if (found < 2) bench_fail("limits", "needs two cores");
}

static void *map(size_t bytes) {
  void *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED) bench_fail("mmap", "failed");
  return m;
}

static void send_to(int me, uint64_t n, const char *from, long bytes) {
  if (bytes <= IN_LINE) memcpy(shared->line[me].data, from, bytes);
  atomic_store_explicit(&shared->line[me].flag, n, memory_order_release);
}

// Returns 0 when the other process has said that this is the end.
static int receive(int me, uint64_t n, char *to, long bytes) {
  struct line *line = &shared->line[1 - me];
  uint64_t seen;
  while ((seen = atomic_load_explicit(&line->flag, memory_order_acquire)) != n) {
    if (seen == STOP) return 0;
  }
  memcpy(to, bytes <= IN_LINE ? line->data : blocks[1 - me], bytes);
  return 1;
}

static uint64_t done;

static double lead(char *to, long bytes, long iterations) {
  double start = now();
  for (long i = 0; i < iterations; i++) {
    done++;
    send_to(0, done, blocks[0], bytes);
    receive(0, done, to, bytes);
  }
  return now() - start;
}

static void follow(char *to, long bytes) {
  for (uint64_t n = done + 1; receive(1, n, to, bytes); n++) send_to(1, n, blocks[1], bytes);
}

static pid_t fork_follower(char *to, long bytes) {
  atomic_store(&shared->line[0].flag, done);
  pid_t child = fork();
  if (child < 0) bench_fail("fork", "failed");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    use_core(1);
    follow(to, bytes);
    _exit(0);
  }
  return child;
}

static void end_follower(pid_t child) {
  atomic_store(&shared->line[0].flag, STOP);
  waitpid(child, NULL, 0);
}

static double hop(char *to) {
  pid_t child = fork_follower(to, 0);
  double least = 1e9;
  for (int t = 0; t < HOP_TRIALS; t++) {
    double ns = lead(to, 0, HOPS) / HOPS / 2 * 1e9;
    if (ns < least) least = ns;
  }
  end_follower(child);
  return least;
}

static double copy(char *to, long bytes, long iterations) {
  double start = now();
  for (long i = 0; i < iterations; i++) {
    memcpy(to, blocks[0], bytes);
    __asm__ volatile("" : : "r"(to) : "memory"); // each copy counts
  }
  return now() - start;
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  if (p->bytes < 0 || p->bytes > LARGEST) bench_fail("bytes", "0..4194304 allowed");
  int exchange = !strcmp(p->bench, "exchange");
  if (!exchange && strcmp(p->bench, "copy")) bench_fail("unknown bench", p->bench);
  char *to = bench_memory(LARGEST);
  double before = hop(to);
  pid_t child = exchange ? fork_follower(to, p->bytes) : 0;
  double (*loop)(char *, long, long) = exchange ? lead : copy;
  double begin = now(), last;
  long iterations = 1;
  for (;;) {
    last = loop(to, p->bytes, iterations);
    if (now() - begin >= bench_warmup && (last >= bench_seconds / 4 || iterations > 1L << 24)) break;
    if (last < bench_seconds / 2) iterations *= 2;
  }
  iterations = (long)(iterations * (bench_seconds / last));
  if (iterations < 1) iterations = 1;
  for (int r = 0; r < bench_reps; r++) {
    double seconds = loop(to, p->bytes, iterations) / iterations;
    values[r] = exchange ? seconds / 2 * 1e6 : p->bytes / seconds / 1e6;
  }
  if (exchange) end_follower(child);
  double after = hop(to);
  if (p->bytes > 0 && memcmp(to, blocks[exchange ? 1 : 0], p->bytes) != 0) bench_fail("wrong bytes in", p->bench);
  free(to);
  print_point(p, exchange ? "us" : "MB/s", before > after ? before : after, values);
}

int main(int argc, char **argv) {
  find_cores();
  use_core(0);
  shared = map(sizeof *shared);
  for (int i = 0; i < 2; i++) {
    blocks[i] = map(LARGEST);
    memset(blocks[i], 0x5A + i, LARGEST);
  }
  bench_main(argc, argv, run_point);
  return 0;
}
