// SPDX-License-Identifier: Apache-2.0
//
// Memory of ranks and of the connections between them. Bench: memory, KiB per rank. Message size 0: after init;
// otherwise every rank has sent a message of that size to every other before. Cases:
//   private    memory that the processes share with no other: Pss_Anon and Pss_File of /proc/self/smaps_rollup, mean
//   shared     growth of Shmem in /proc/meminfo since before the job's start, which is the option --shmem
#include "bench.h"

#define LARGEST (4L << 20)
#define MAX_SIZES 16

static double shmem_before = -1;
static char *send_buffer, *receive_buffer;

static void memory_option(const char *name, const char *value) {
  if (!strcmp(name, "--shmem")) shmem_before = atof(value);
  else if (strcmp(name, "--reps") && strcmp(name, "--seconds") && strcmp(name, "--warmup")) bench_option(name, value);
}

// Sums the KiB of the lines of a file that begin with one of two words.
static double kib(const char *file, const char *word, const char *other) {
  char line[256];
  double sum = 0;
  FILE *f = fopen(file, "r");
  if (f == NULL) bench_fail("cannot read", file);
  while (fgets(line, sizeof line, f) != NULL) {
    char *colon = strchr(line, ':');
    if (colon == NULL) continue;
    *colon = 0;
    if (!strcmp(line, word) || !strcmp(line, other)) sum += atof(colon + 1);
  }
  fclose(f);
  return sum;
}

static void exchange(int bytes) {
  for (int d = 1; d < bench_size; d++) {
    int to = (bench_rank + d) % bench_size, from = (bench_rank + bench_size - d) % bench_size;
    MPI_Request request;
    MPI_Irecv(receive_buffer, bytes, MPI_BYTE, from, 1, MPI_COMM_WORLD, &request);
    MPI_Send(send_buffer, bytes, MPI_BYTE, to, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void measure_memory(const char *sizes, int want_private, int want_shared) {
  char *copy = strdup(sizes), *rest = copy;
  for (char *size; (size = strsep(&rest, ",")) != NULL;) {
    long bytes = atol(size);
    if (bytes < 0 || bytes > LARGEST) bench_fail("bytes", "0..4194304 allowed");
    if (bytes > 0) exchange((int)bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    double own = kib("/proc/self/smaps_rollup", "Pss_Anon", "Pss_File"), sum = 0;
    double shared = kib("/proc/meminfo", "Shmem", "Shmem") - shmem_before;
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (bench_rank != 0) continue;
    if (want_private) printf("point,memory,private,%ld,KiB,0,%.9g\n", bytes, sum / bench_size);
    if (want_shared) printf("point,memory,shared,%ld,KiB,0,%.9g\n", bytes, shared / bench_size);
    fflush(stdout);
  }
  free(copy);
}

int main(int argc, char **argv) {
  bench_init(&argc, &argv);
  send_buffer = calloc(1, LARGEST);
  receive_buffer = calloc(1, LARGEST);
  const char *sizes = NULL;
  int want_private = 0, want_shared = 0;
  int a = 1;
  for (; a + 1 < argc && !strncmp(argv[a], "--", 2); a += 2) memory_option(argv[a], argv[a + 1]);
  for (; a < argc; a++) {
    if (!strncmp(argv[a], "memory/private/", 15)) want_private = 1, sizes = argv[a] + 15;
    else if (!strncmp(argv[a], "memory/shared/", 14)) want_shared = 1, sizes = argv[a] + 14;
    else bench_fail("not memory/private/BYTES,... or memory/shared/BYTES,...", argv[a]);
  }
  if (sizes == NULL || shmem_before < 0) bench_fail("memory", "needs work, and --shmem");
  if (bench_rank == 0) puts("ready");
  measure_memory(sizes, want_private, want_shared);
  MPI_Finalize();
  return 0;
}
