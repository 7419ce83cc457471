// SPDX-License-Identifier: Apache-2.0
//
// One-sided operations. Rank 0 is the origin and the last rank the target, unless the bench says otherwise. Cases are
// how the window is made: allocate, shared. Values are us per operation, as rank 0 sees it. Benches:
//
//     put, get, accumulate        of so many bytes (doubles, sum), each with a flush, between lock_all and unlock_all
//     put-rate                    puts without a flush but for the last
//     strided                     put of so many bytes as doubles, to every 16th double of the target; flush
//     fetch-and-op, swap          one long, with a flush
//     counter                     all ranks fetch and add to one long at rank 0, each with a flush
//     fence                       all ranks, without accesses
//     pscw                        post and wait at the target, start, put of 8 bytes, complete at the origin
//     lock                        exclusive lock, put of 8 bytes, unlock
//     locks                       the same by all ranks to rank 0
#include "bench.h"

#define LARGEST (4L << 20)
#define STRIDE 16

enum { PUT, GET, ACCUMULATE, RATE, STRIDED, FETCH, SWAP, COUNTER, FENCE, PSCW, LOCK, LOCKS, KINDS };

static const char *const NAME[KINDS] = {
    "put", "get", "accumulate", "put-rate", "strided", "fetch-and-op", "swap", "counter", "fence", "pscw", "lock", "locks"};

static MPI_Win window;
static char *base, *buffer;
static int kind, target;
static MPI_Group partner;
static MPI_Datatype strided;
static long one = 1, was;

static void repeat(const struct point *p, long iterations) {
  int n = (int)p->bytes;
  int everybody = kind == COUNTER || kind == LOCKS || kind == FENCE;
  if (!everybody && bench_rank != 0 && !(kind == PSCW && bench_rank == target)) return;
  for (long i = 0; i < iterations; i++) {
    switch (kind) {
      case PUT: MPI_Put(buffer, n, MPI_BYTE, target, 0, n, MPI_BYTE, window); MPI_Win_flush(target, window); break;
      case GET: MPI_Get(buffer, n, MPI_BYTE, target, 0, n, MPI_BYTE, window); MPI_Win_flush(target, window); break;
      case ACCUMULATE:
        MPI_Accumulate(buffer, n / 8, MPI_DOUBLE, target, 0, n / 8, MPI_DOUBLE, MPI_SUM, window);
        MPI_Win_flush(target, window);
        break;
      case RATE:
        MPI_Put(buffer, n, MPI_BYTE, target, 0, n, MPI_BYTE, window);
        if (i == iterations - 1) MPI_Win_flush(target, window);
        break;
      case STRIDED:
        MPI_Put(buffer, n / 8, MPI_DOUBLE, target, 0, 1, strided, window);
        MPI_Win_flush(target, window);
        break;
      case FETCH:
        MPI_Fetch_and_op(&one, &was, MPI_LONG, target, 0, MPI_SUM, window);
        MPI_Win_flush(target, window);
        break;
      case SWAP:
        MPI_Compare_and_swap(&one, &one, &was, MPI_LONG, target, 0, window);
        MPI_Win_flush(target, window);
        break;
      case COUNTER:
        MPI_Fetch_and_op(&one, &was, MPI_LONG, 0, 0, MPI_SUM, window);
        MPI_Win_flush(0, window);
        break;
      case FENCE: MPI_Win_fence(0, window); break;
      case PSCW:
        if (bench_rank == 0) {
          MPI_Win_start(partner, 0, window);
          MPI_Put(buffer, 8, MPI_BYTE, target, 0, 8, MPI_BYTE, window);
          MPI_Win_complete(window);
        } else {
          MPI_Win_post(partner, 0, window);
          MPI_Win_wait(window);
        }
        break;
      case LOCK:
      case LOCKS: {
        int whose = kind == LOCK ? target : 0;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, whose, 0, window);
        MPI_Put(buffer, 8, MPI_BYTE, whose, 0, 8, MPI_BYTE, window);
        MPI_Win_unlock(whose, window);
        break;
      }
    }
  }
}

static void check(const struct point *p) {
  if (kind != PUT && kind != STRIDED) return;
  for (long i = 0; i < p->bytes; i++) buffer[i] = (char)(i % 251 + 1);
  repeat(p, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (bench_rank == target) {
    MPI_Win_sync(window);
    for (long i = 0; i < p->bytes; i++) {
      long at = kind == PUT ? i : i / 8 * 8 * STRIDE + i % 8;
      if (base[at] != (char)(i % 251 + 1)) bench_fail("wrong byte at the target", p->bench);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  for (kind = 0; kind < KINDS && strcmp(p->bench, NAME[kind]); kind++) {}
  if (kind == KINDS) bench_fail("unknown bench", p->bench);
  if (p->bytes < 0 || p->bytes > LARGEST || p->bytes % 8) bench_fail("bytes", "multiples of 8 up to 4M allowed");
  long room = kind == STRIDED ? p->bytes * STRIDE : LARGEST;
  if (!strcmp(p->name, "shared"))
    MPI_Win_allocate_shared(room, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  else if (!strcmp(p->name, "allocate"))
    MPI_Win_allocate(room, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  else bench_fail("unknown case", p->name);
  memset(base, 0, room);
  memset(buffer, 0, LARGEST);
  MPI_Type_vector((int)(p->bytes / 8), 1, STRIDE, MPI_DOUBLE, &strided);
  MPI_Type_commit(&strided);
  int epoch = kind <= COUNTER;
  if (kind == FENCE) MPI_Win_fence(0, window);
  if (epoch) MPI_Win_lock_all(0, window);
  MPI_Barrier(MPI_COMM_WORLD);
  double hop_ns = measure(repeat, p, values);
  check(p);
  MPI_Barrier(MPI_COMM_WORLD);
  if (epoch) MPI_Win_unlock_all(window);
  if (kind == FENCE) MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  MPI_Type_free(&strided);
  MPI_Win_free(&window);
  print_micros(p, hop_ns, values, 1);
}

static void set_up(void) {
  MPI_Group all;
  need_ranks("rma");
  target = bench_size - 1;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  int other = bench_rank == 0 ? target : 0;
  MPI_Group_incl(all, 1, &other, &partner);
  MPI_Group_free(&all);
  buffer = bench_memory(LARGEST);
}

int main(int argc, char **argv) { return bench_run(argc, argv, set_up, run_point); }
