// SPDX-License-Identifier: Apache-2.0
//
// The derived types of the benchmarks, each known by a name and a payload in bytes. org.ffmpi.bench.type.TypeKind
// describes the same ones in Java.
//
//   contig       doubles side by side
//   vec1s2       every second double
//   vec8s16      8 doubles, 8 left out
//   indexed      blocks of 1 to 8 doubles, gaps of 1 to 8
//   partstruct   an array of { int; double[6]; char[7] }, of whose 64 bytes 59 are data
//   face_xy      of a cube of doubles in C order: one plane, contiguous
//   face_xz      one row of each plane
//   face_yz      one double of each row
//   transpose    a square matrix of doubles, read by columns
#ifndef FFMPI_TYPES_H
#define FFMPI_TYPES_H

#include <stddef.h>

#include "work.h"

struct part {
  int c;
  double d[6];
  char b[7];
};

#define PART_DATA 59

enum kind { CONTIG, VEC1S2, VEC8S16, INDEXED, PARTSTRUCT, FACE_XY, FACE_XZ, FACE_YZ, TRANSPOSE, KINDS };

static const char *const kind_names[KINDS] = {
    "contig", "vec1s2", "vec8s16", "indexed", "partstruct", "face_xy", "face_xz", "face_yz", "transpose"};

struct layout {
  enum kind kind;
  long payload;
  long n;    // doubles, blocks of them, structs, or the edge of the cube or square
  long span; // bytes of memory
  int *lengths, *starts; // of indexed blocks, in doubles
};

static uint32_t layout_state;

// 1 to 8, the same sequence in both languages.
static int layout_next(void) {
  layout_state = layout_state * 1664525u + 1013904223u;
  return 1 + (int)((layout_state >> 16) % 8);
}

static void layout_index(struct layout *l) {
  long doubles = l->payload / 8, done = 0, at = 0;
  l->lengths = malloc(doubles * sizeof(int));
  l->starts = malloc(doubles * sizeof(int));
  l->n = 0;
  layout_state = 1;
  while (done < doubles) {
    int length = layout_next();
    if (length > doubles - done) length = (int)(doubles - done);
    l->lengths[l->n] = length;
    l->starts[l->n++] = (int)at;
    done += length;
    at += length + layout_next();
  }
  l->span = at * 8;
}

static struct layout layout_of(const char *name, long payload) {
  struct layout l = {CONTIG, payload, payload / 8, payload, NULL, NULL};
  while (l.kind < KINDS && strcmp(name, kind_names[l.kind])) l.kind++;
  long edge = 1;
  while (edge * edge < payload / 8) edge++;
  switch (l.kind) {
    case CONTIG: break;
    case VEC1S2: l.span = 2 * payload; break;
    case VEC8S16: l.n = payload / 64, l.span = 2 * payload; break;
    case INDEXED: layout_index(&l); break;
    case PARTSTRUCT: l.n = payload / PART_DATA, l.span = l.n * sizeof(struct part); break;
    case FACE_XY:
    case FACE_XZ:
    case FACE_YZ: l.n = edge, l.span = edge * edge * edge * 8; break;
    case TRANSPOSE: l.n = edge, l.span = payload; break;
    case KINDS: bench_fail("unknown type", name);
  }
  return l;
}

static void layout_free(struct layout *l) {
  free(l->lengths);
  free(l->starts);
}

typedef void (*run_visitor)(void *context, long displacement, long bytes);

// Names all bytes of data in the order in which they are sent.
static void layout_runs(const struct layout *l, run_visitor visit, void *context) {
  long n = l->n, plane = n * n * 8;
  switch (l->kind) {
    case CONTIG: visit(context, 0, l->payload); break;
    case VEC1S2: for (long i = 0; i < n; i++) visit(context, 16 * i, 8); break;
    case VEC8S16: for (long i = 0; i < n; i++) visit(context, 128 * i, 64); break;
    case INDEXED: for (long i = 0; i < n; i++) visit(context, 8L * l->starts[i], 8L * l->lengths[i]); break;
    case PARTSTRUCT:
      for (long i = 0; i < n; i++) {
        long at = i * (long)sizeof(struct part);
        visit(context, at + (long)offsetof(struct part, c), 4);
        visit(context, at + (long)offsetof(struct part, d), 48);
        visit(context, at + (long)offsetof(struct part, b), 7);
      }
      break;
    case FACE_XY: visit(context, 0, plane); break;
    case FACE_XZ: for (long i = 0; i < n; i++) visit(context, i * plane, n * 8); break;
    case FACE_YZ: for (long i = 0; i < n * n; i++) visit(context, i * n * 8, 8); break;
    case TRANSPOSE:
      for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) visit(context, (j * n + i) * 8, 8);
      break;
    case KINDS: break;
  }
}

#define WIPED 0xEE

// Fills memory so that a byte in the wrong place is noticed; no byte is WIPED.
static void fill_pattern(char *memory, long bytes) {
  for (long i = 0; i < bytes; i++) {
    unsigned char value = (unsigned char)(((uint32_t)i * 2654435761u) >> 24);
    memory[i] = (char)(value == WIPED ? 0 : value);
  }
}

struct copying {
  const char *from;
  char *to;
};

static void copy_run(void *context, long displacement, long bytes) {
  struct copying *c = context;
  memcpy(c->to + displacement, c->from + displacement, bytes);
}

// Returns whether memory that was wiped holds exactly the data of `sent`, and nothing in its gaps.
static int layout_arrived(const struct layout *l, const char *sent, const char *received) {
  char *expected = malloc(l->span);
  memset(expected, WIPED, l->span);
  struct copying c = {sent, expected};
  layout_runs(l, copy_run, &c);
  int same = !memcmp(expected, received, l->span);
  free(expected);
  return same;
}

#endif
