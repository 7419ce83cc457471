// SPDX-License-Identifier: Apache-2.0
//
// The loops that a C programmer writes by hand instead of using a derived type: what plans are measured against.
// Benches pack and unpack, us; the case is the type's name, the size its payload (types.h). One process, no MPI.
#include "solo.h"
#include "types.h"

typedef void (*packer)(const struct layout *, const char *restrict memory, char *restrict stream);
typedef void (*unpacker)(const struct layout *, char *restrict memory, const char *restrict stream);

// A loop of its own for each direction, compiled apart from the call: the compiler knows neither sizes nor addresses.
#define PACK static __attribute__((noinline)) void
#define FROM(type, name) const type *restrict name = (const type *)memory
#define TO(type, name) type *restrict name = (type *)memory
#define OUT(name) double *restrict name = (double *)stream
#define IN(name) const double *restrict name = (const double *)stream

PACK pack_contig(const struct layout *l, const char *restrict memory, char *restrict stream) {
  memcpy(stream, memory, l->payload);
}

PACK unpack_contig(const struct layout *l, char *restrict memory, const char *restrict stream) {
  memcpy(memory, stream, l->payload);
}

PACK pack_vec1s2(const struct layout *l, const char *restrict memory, char *restrict stream) {
  FROM(double, m);
  OUT(s);
  for (long i = 0, n = l->n; i < n; i++) s[i] = m[2 * i];
}

PACK unpack_vec1s2(const struct layout *l, char *restrict memory, const char *restrict stream) {
  TO(double, m);
  IN(s);
  for (long i = 0, n = l->n; i < n; i++) m[2 * i] = s[i];
}

PACK pack_vec8s16(const struct layout *l, const char *restrict memory, char *restrict stream) {
  FROM(double, m);
  OUT(s);
  for (long i = 0, n = l->n; i < n; i++)
    for (int j = 0; j < 8; j++) s[8 * i + j] = m[16 * i + j];
}

PACK unpack_vec8s16(const struct layout *l, char *restrict memory, const char *restrict stream) {
  TO(double, m);
  IN(s);
  for (long i = 0, n = l->n; i < n; i++)
    for (int j = 0; j < 8; j++) m[16 * i + j] = s[8 * i + j];
}

PACK pack_indexed(const struct layout *l, const char *restrict memory, char *restrict stream) {
  FROM(double, m);
  OUT(s);
  const int *lengths = l->lengths, *starts = l->starts;
  for (long i = 0, n = l->n; i < n; i++) {
    const double *block = m + starts[i];
    int length = lengths[i];
    for (int j = 0; j < length; j++) s[j] = block[j];
    s += length;
  }
}

PACK unpack_indexed(const struct layout *l, char *restrict memory, const char *restrict stream) {
  TO(double, m);
  IN(s);
  const int *lengths = l->lengths, *starts = l->starts;
  for (long i = 0, n = l->n; i < n; i++) {
    double *block = m + starts[i];
    int length = lengths[i];
    for (int j = 0; j < length; j++) block[j] = s[j];
    s += length;
  }
}

PACK pack_partstruct(const struct layout *l, const char *restrict memory, char *restrict stream) {
  FROM(struct part, m);
  for (long i = 0, n = l->n; i < n; i++, stream += PART_DATA) {
    memcpy(stream, &m[i].c, 4);
    memcpy(stream + 4, m[i].d, 48);
    memcpy(stream + 52, m[i].b, 7);
  }
}

PACK unpack_partstruct(const struct layout *l, char *restrict memory, const char *restrict stream) {
  TO(struct part, m);
  for (long i = 0, n = l->n; i < n; i++, stream += PART_DATA) {
    memcpy(&m[i].c, stream, 4);
    memcpy(m[i].d, stream + 4, 48);
    memcpy(m[i].b, stream + 52, 7);
  }
}

PACK pack_face_xz(const struct layout *l, const char *restrict memory, char *restrict stream) {
  for (long i = 0, n = l->n; i < n; i++) memcpy(stream + i * n * 8, memory + i * n * n * 8, n * 8);
}

PACK unpack_face_xz(const struct layout *l, char *restrict memory, const char *restrict stream) {
  for (long i = 0, n = l->n; i < n; i++) memcpy(memory + i * n * n * 8, stream + i * n * 8, n * 8);
}

PACK pack_face_yz(const struct layout *l, const char *restrict memory, char *restrict stream) {
  FROM(double, m);
  OUT(s);
  for (long i = 0, n = l->n; i < n * n; i++) s[i] = m[i * n];
}

PACK unpack_face_yz(const struct layout *l, char *restrict memory, const char *restrict stream) {
  TO(double, m);
  IN(s);
  for (long i = 0, n = l->n; i < n * n; i++) m[i * n] = s[i];
}

PACK pack_transpose(const struct layout *l, const char *restrict memory, char *restrict stream) {
  FROM(double, m);
  OUT(s);
  for (long i = 0, n = l->n; i < n; i++)
    for (long j = 0; j < n; j++) s[i * n + j] = m[j * n + i];
}

PACK unpack_transpose(const struct layout *l, char *restrict memory, const char *restrict stream) {
  TO(double, m);
  IN(s);
  for (long i = 0, n = l->n; i < n; i++)
    for (long j = 0; j < n; j++) m[j * n + i] = s[i * n + j];
}

static const packer packers[KINDS] = {pack_contig, pack_vec1s2, pack_vec8s16, pack_indexed, pack_partstruct,
    pack_contig, pack_face_xz, pack_face_yz, pack_transpose};
static const unpacker unpackers[KINDS] = {unpack_contig, unpack_vec1s2, unpack_vec8s16, unpack_indexed,
    unpack_partstruct, unpack_contig, unpack_face_xz, unpack_face_yz, unpack_transpose};

static double timed(const struct layout *l, int pack, char *memory, char *stream, long iterations) {
  double start = now();
  for (long i = 0; i < iterations; i++) {
    if (pack) packers[l->kind](l, memory, stream);
    else unpackers[l->kind](l, memory, stream);
    __asm__ volatile("" ::: "memory");
  }
  return now() - start;
}

static void check_run(void *context, long displacement, long bytes) {
  struct copying *c = context;
  if (memcmp(c->to, c->from + displacement, bytes)) bench_fail("packed", "wrong bytes");
  c->to += bytes;
}

static void run_point(const struct point *p) {
  double values[MAX_REPETITIONS];
  int pack = !strcmp(p->bench, "pack");
  if (!pack && strcmp(p->bench, "unpack")) bench_fail("unknown bench", p->bench);
  struct layout l = layout_of(p->name, p->bytes);
  char *memory = bench_memory(l.span), *stream = bench_memory(l.payload);
  fill_pattern(memory, l.span);
  packers[l.kind](&l, memory, stream);
  struct copying packed = {memory, stream};
  layout_runs(&l, check_run, &packed);

  double begin = now(), last;
  long iterations = 1;
  for (;;) {
    last = timed(&l, pack, memory, stream, iterations);
    if (now() - begin >= bench_warmup && last >= bench_seconds / 4) break;
    if (last < bench_seconds / 2) iterations *= 2;
  }
  iterations = (long)(iterations * (bench_seconds / last));
  if (iterations < 1) iterations = 1;
  for (int r = 0; r < bench_reps; r++) values[r] = timed(&l, pack, memory, stream, iterations) / iterations;

  char *sent = bench_memory(l.span);
  memcpy(sent, memory, l.span);
  memset(memory, WIPED, l.span);
  unpackers[l.kind](&l, memory, stream);
  if (!layout_arrived(&l, sent, memory)) bench_fail("unpacked wrong bytes", p->name);
  free(sent);
  free(memory);
  free(stream);
  layout_free(&l);
  print_micros(p, 0, values, 1);
}

int main(int argc, char **argv) {
  bench_main(argc, argv, run_point);
  return 0;
}
