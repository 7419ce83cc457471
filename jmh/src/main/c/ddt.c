// SPDX-License-Identifier: Apache-2.0
//
// A ping-pong of two ranks with a derived type at both ends; half a round trip, us. The case is the type's name, the
// size its payload (types.h). As in p2p's clean cases the send buffer is written once.
#include "bench.h"
#include "types.h"

#define LARGEST (16L << 20)
#define TAG 1

static char *send_memory, *receive_memory;
static MPI_Datatype type;
static int count;

static void face(const struct layout *l, int x, int y, int z) {
  int n = (int)l->n, sizes[3] = {n, n, n}, subsizes[3] = {x, y, z}, starts[3] = {0, 0, 0};
  MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
}

static void part(void) {
  int lengths[3] = {1, 6, 7};
  MPI_Aint displacements[3] = {offsetof(struct part, c), offsetof(struct part, d), offsetof(struct part, b)};
  MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, tight;
  MPI_Type_create_struct(3, lengths, displacements, types, &tight);
  MPI_Type_create_resized(tight, 0, sizeof(struct part), &type);
  MPI_Type_free(&tight);
}

static void transpose(int n) {
  MPI_Datatype column, narrow;
  MPI_Type_vector(n, 1, n, MPI_DOUBLE, &column);
  MPI_Type_create_resized(column, 0, sizeof(double), &narrow);
  MPI_Type_contiguous(n, narrow, &type);
  MPI_Type_free(&column);
  MPI_Type_free(&narrow);
}

static void make_type(const struct layout *l) {
  int n = (int)l->n;
  count = 1;
  switch (l->kind) {
    case CONTIG: MPI_Type_contiguous(n, MPI_DOUBLE, &type); break;
    case VEC1S2: MPI_Type_vector(n, 1, 2, MPI_DOUBLE, &type); break;
    case VEC8S16: MPI_Type_vector(n, 8, 16, MPI_DOUBLE, &type); break;
    case INDEXED: MPI_Type_indexed(n, l->lengths, l->starts, MPI_DOUBLE, &type); break;
    case PARTSTRUCT: part(), count = n; break;
    case FACE_XY: face(l, 1, n, n); break;
    case FACE_XZ: face(l, n, 1, n); break;
    case FACE_YZ: face(l, n, n, 1); break;
    case TRANSPOSE: transpose(n); break;
    case KINDS: break;
  }
  MPI_Type_commit(&type);
}

static void ping_pong(const struct point *p, long iterations) {
  (void)p;
  for (long i = 0; i < iterations; i++) {
    if (bench_rank == 0) {
      MPI_Send(send_memory, count, type, 1, TAG, MPI_COMM_WORLD);
      MPI_Recv(receive_memory, count, type, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(receive_memory, count, type, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(send_memory, count, type, 0, TAG, MPI_COMM_WORLD);
    }
  }
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  if (strcmp(p->bench, "ddt")) bench_fail("unknown bench", p->bench);
  struct layout l = layout_of(p->name, p->bytes);
  if (p->bytes <= 0 || l.span > LARGEST) bench_fail("a type of this size is too large", p->name);
  make_type(&l);
  fill_pattern(send_memory, l.span);
  memset(receive_memory, WIPED, l.span);
  double hop_ns = measure(ping_pong, p, values);
  memset(receive_memory, WIPED, l.span);
  MPI_Barrier(MPI_COMM_WORLD);
  ping_pong(p, 1);
  if (!layout_arrived(&l, send_memory, receive_memory)) bench_fail("received wrong bytes", p->name);
  MPI_Type_free(&type);
  layout_free(&l);
  print_micros(p, hop_ns, values, 2);
}

static void set_up(void) {
  need_two_ranks("ddt");
  send_memory = bench_memory(LARGEST);
  receive_memory = bench_memory(LARGEST);
}

int main(int argc, char **argv) { return bench_run(argc, argv, set_up, run_point); }
