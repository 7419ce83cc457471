// SPDX-License-Identifier: Apache-2.0
//
// Files. All ranks write or read one file of 16 MiB for each rank, which lies on tmpfs or on the disk of the working
// directory; a pass over it is timed. Values are MB/s of all ranks together. Benches:
//
//     write, read             independent
//     write-all, read-all     collective
//     append                  by the shared pointer, in records of so many bytes
//
// Cases are a bar between what each rank has of the file, and where that lies (tmpfs, disk):
//
//     own         one block, in calls of so many bytes at explicit offsets
//     records     every size-th record of so many bytes, in one call through a view
//     subarray    a block of a square matrix of doubles, in one call; the bytes are those of a rank
//     darray      the same matrix, of which blocks of 64 by 64 go round the ranks
#include "bench.h"

#define SHARE (16L << 20)
#define BLOCK 64

enum { WRITE, READ, WRITE_ALL, READ_ALL, APPEND, KINDS };

static const char *const NAME[KINDS] = {"write", "read", "write-all", "read-all", "append"};

static MPI_File file;
static char *buffer;
static int kind, explicit_offsets;
static long share; // bytes of this rank

static void move(long offset, long bytes) {
  MPI_Status s;
  int n = (int)bytes;
  switch (kind) {
    case WRITE: MPI_File_write_at(file, offset, buffer, n, MPI_BYTE, &s); break;
    case READ: MPI_File_read_at(file, offset, buffer, n, MPI_BYTE, &s); break;
    case WRITE_ALL: MPI_File_write_at_all(file, offset, buffer, n, MPI_BYTE, &s); break;
    case READ_ALL: MPI_File_read_at_all(file, offset, buffer, n, MPI_BYTE, &s); break;
    case APPEND: MPI_File_write_shared(file, buffer, n, MPI_BYTE, &s); break;
  }
  int got;
  MPI_Get_count(&s, MPI_BYTE, &got);
  if (got != n) bench_fail("a call moved too little", NAME[kind]);
}

static void passes(const struct point *p, long iterations) {
  for (long i = 0; i < iterations; i++) {
    if (kind == APPEND) MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    if (!explicit_offsets && kind != APPEND) move(0, share);
    else
      for (long at = 0; at < share; at += p->bytes) move(kind == APPEND ? 0 : bench_rank * share + at, p->bytes);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void view(const struct point *p, const char *what) {
  MPI_Datatype type, etype = MPI_BYTE;
  int dims[2] = {0, 0};
  long disp = 0;
  if (!strcmp(what, "records")) {
    MPI_Datatype record;
    MPI_Type_contiguous((int)p->bytes, MPI_BYTE, &record);
    MPI_Type_create_resized(record, 0, p->bytes * bench_size, &type);
    MPI_Type_free(&record);
    disp = p->bytes * bench_rank;
  } else {
    etype = MPI_DOUBLE;
    MPI_Dims_create(bench_size, 2, dims);
    int n[2] = {2048, (int)(SHARE * bench_size / 8 / 2048)};
    if (!strcmp(what, "subarray")) {
      int sub[2] = {n[0] / dims[0], n[1] / dims[1]};
      int start[2] = {bench_rank / dims[1] * sub[0], bench_rank % dims[1] * sub[1]};
      MPI_Type_create_subarray(2, n, sub, start, MPI_ORDER_C, MPI_DOUBLE, &type);
    } else if (!strcmp(what, "darray")) {
      int how[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC}, args[2] = {BLOCK, BLOCK};
      MPI_Type_create_darray(bench_size, bench_rank, 2, n, how, args, dims, MPI_ORDER_C, MPI_DOUBLE, &type);
    } else bench_fail("unknown case", p->name);
  }
  MPI_Type_commit(&type);
  MPI_File_set_view(file, disp, etype, type, "native", MPI_INFO_NULL);
  MPI_Type_free(&type);
}

static void check(const struct point *p) {
  int reads = kind == READ || kind == READ_ALL;
  if (kind == APPEND) return;
  for (long i = 0; i < share; i++) buffer[i] = (char)((i + bench_rank) % 251);
  int was = kind;
  long pieces = explicit_offsets ? p->bytes : share;
  for (long at = 0; at < share; at += pieces) { // each piece holds the same bytes
    kind = WRITE;
    move(explicit_offsets ? bench_rank * share + at : 0, pieces);
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  memset(buffer, 0, share);
  kind = reads ? was : READ;
  for (long at = 0; at < share; at += pieces) move(explicit_offsets ? bench_rank * share + at : 0, pieces);
  for (long i = 0; i < pieces; i++)
    if (buffer[i] != (char)((i + bench_rank) % 251)) bench_fail("wrong byte", p->name);
  kind = was;
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  char what[32], path[64];
  const char *bar = strchr(p->name, '|');
  if (bar == NULL || bar - p->name >= (long)sizeof what) bench_fail("unknown case", p->name);
  snprintf(what, sizeof what, "%.*s", (int)(bar - p->name), p->name);
  int number = 0;
  if (bench_rank == 0) number = (int)getpid();
  MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(path, sizeof path, "%sffmpi-io-%d.bin", !strcmp(bar, "|tmpfs") ? "/dev/shm/" : "", number);
  for (kind = 0; kind < KINDS && strcmp(p->bench, NAME[kind]); kind++) {}
  if (kind == KINDS) bench_fail("unknown bench", p->bench);
  share = SHARE;
  if (p->bytes <= 0 || share % p->bytes) bench_fail("bytes", "divisors of 16M allowed");
  explicit_offsets = !strcmp(what, "own");
  if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file))
    bench_fail("cannot open", path);
  if (!explicit_offsets && kind != APPEND) view(p, what);
  memset(buffer, 1, share);
  int was = kind;
  kind = kind == APPEND ? APPEND : WRITE;
  passes(p, 1); // the file is there
  kind = was;
  double hop_ns = measure(passes, p, values);
  check(p);
  MPI_File_close(&file);
  for (int r = 0; r < bench_reps; r++) values[r] = share * bench_size / values[r] * 1e-6;
  print_point(p, "MB/s", hop_ns, values);
}

static void set_up(void) {
  buffer = bench_memory(SHARE);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv) { return bench_run(argc, argv, set_up, run_point); }
