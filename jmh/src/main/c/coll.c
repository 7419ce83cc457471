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
#include "coll.h"

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

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  if (strcmp(p->bench, "coll")) bench_fail("unknown bench", p->bench);
  prepare(p, strlen(p->name) - (p->dirty ? strlen("-dirty") : 0));
  double hop_ns = measure_by(mean_of_ranks, collectives, p, values);
  check_result(p, call);
  print_micros(p, hop_ns, values, 1);
}

int main(int argc, char **argv) { return bench_run(argc, argv, coll_set_up, run_point); }
