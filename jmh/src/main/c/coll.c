// SPDX-License-Identifier: Apache-2.0
//
// The blocking collectives, on any number of ranks. Bench: coll, us per call, the mean over the ranks; case: the name
// of the collective. As OSU's benchmarks do it, a barrier stands before each call and only the call is timed.
//
// Bytes are those of a rank's buffer for bcast, reduce, allreduce, scan and exscan; of the whole vector for
// reduce_scatter and reduce_scatter_block, of which each rank gets its share, at least one number; of the block for
// one rank for all others. Reductions add doubles, the others move bytes. The v and w forms have equal blocks without
// gaps. Root is rank 0.
//
// Clean: the send buffer is written once. Dirty: every byte that is sent is written freshly before the barrier, so that
// the call finds it in the sender's cache, if anywhere; the time for writing does not count.
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

static double *send_buffer, *receive_buffer, spent;
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

static void call(void) {
  MPI_Comm world = MPI_COMM_WORLD;
  double *s = send_buffer, *r = receive_buffer;
  int n = (int)(is_reduction() ? block : 8 * block);
  switch (kind) {
    case BARRIER: MPI_Barrier(world); break;
    case BCAST: MPI_Bcast(bench_rank == 0 ? s : r, n, MPI_BYTE, 0, world); break;
    case GATHER: MPI_Gather(s, n, MPI_BYTE, r, n, MPI_BYTE, 0, world); break;
    case GATHERV: MPI_Gatherv(s, n, MPI_BYTE, r, counts, displacements, MPI_BYTE, 0, world); break;
    case SCATTER: MPI_Scatter(s, n, MPI_BYTE, r, n, MPI_BYTE, 0, world); break;
    case SCATTERV: MPI_Scatterv(s, counts, displacements, MPI_BYTE, r, n, MPI_BYTE, 0, world); break;
    case ALLGATHER: MPI_Allgather(s, n, MPI_BYTE, r, n, MPI_BYTE, world); break;
    case ALLGATHERV: MPI_Allgatherv(s, n, MPI_BYTE, r, counts, displacements, MPI_BYTE, world); break;
    case ALLTOALL: MPI_Alltoall(s, n, MPI_BYTE, r, n, MPI_BYTE, world); break;
    case ALLTOALLV:
      MPI_Alltoallv(s, counts, displacements, MPI_BYTE, r, counts, displacements, MPI_BYTE, world);
      break;
    case ALLTOALLW: MPI_Alltoallw(s, counts, displacements, types, r, counts, displacements, types, world); break;
    case REDUCE: MPI_Reduce(s, r, n, MPI_DOUBLE, MPI_SUM, 0, world); break;
    case ALLREDUCE: MPI_Allreduce(s, r, n, MPI_DOUBLE, MPI_SUM, world); break;
    case REDUCE_SCATTER_BLOCK: MPI_Reduce_scatter_block(s, r, (int)share, MPI_DOUBLE, MPI_SUM, world); break;
    case REDUCE_SCATTER: MPI_Reduce_scatter(s, r, shares, MPI_DOUBLE, MPI_SUM, world); break;
    case SCAN: MPI_Scan(s, r, n, MPI_DOUBLE, MPI_SUM, world); break;
    case EXSCAN: MPI_Exscan(s, r, n, MPI_DOUBLE, MPI_SUM, world); break;
  }
}

// As refresh, but with numbers that can be added at full speed: the integers of refresh are denormal as doubles.
static void refresh_doubles(double *to, long words) {
  double value = (double)++bench_generation;
  for (long i = 0; i < words; i++) to[i] = value;
}

static void collectives(const struct point *p, long iterations) {
  long written = p->dirty ? sent_words() : 0;
  double total = 0;
  for (long i = 0; i < iterations; i++) {
    if (p->dirty) refresh_doubles(send_buffer, written);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    call();
    total += MPI_Wtime() - start;
  }
  spent = total;
}

// What counts is the time within the calls, not that of the barriers.
static double mean_of_ranks(bench_loop loop, const struct point *p, long iterations) {
  double total;
  timed(loop, p, iterations);
  MPI_Allreduce(&spent, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total / bench_size;
}

static void fill(void) {
  for (long w = 0, n = sent_words(); w < n; w++) send_buffer[w] = sent(w);
}

static void check_result(const struct point *p) {
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

static double *touched(long words) {
  double *memory = aligned_alloc(4096, (8 * words + 4095) & ~4095L);
  if (memory == NULL) bench_fail("bytes", "not enough memory");
  memset(memory, 0, 8 * words);
  return memory;
}

static void prepare(const struct point *p) {
  size_t length = strlen(p->name) - (p->dirty ? strlen("-dirty") : 0);
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
    send_buffer = touched(words);
    receive_buffer = touched(words);
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

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  if (strcmp(p->bench, "coll")) bench_fail("unknown bench", p->bench);
  prepare(p);
  double hop_ns = measure_by(mean_of_ranks, collectives, p, values);
  check_result(p);
  for (int r = 0; r < bench_reps; r++) values[r] *= 1e6;
  print_point(p, "us", hop_ns, values);
}

int main(int argc, char **argv) {
  bench_init(&argc, &argv);
  counts = malloc(bench_size * sizeof *counts);
  shares = malloc(bench_size * sizeof *shares);
  displacements = malloc(bench_size * sizeof *displacements);
  types = malloc(bench_size * sizeof *types);
  bench_main(argc, argv, run_point);
  MPI_Finalize();
  return 0;
}
