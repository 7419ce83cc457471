// SPDX-License-Identifier: Apache-2.0
/*
 * Prints what C computes with its long double (the x87 format) and with __float128 (quadruple precision): the table
 * wide-reals.tsv in src/test/resources/org/ffmpi/datatype/reduce, which WideRealTest reads. On x86-64:
 *
 *   gcc -O1 -ffp-contract=off -o wide_reals wide_reals.c && ./wide_reals > wide-reals.tsv
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct { uint64_t high, low; } bits; /* x87: sign and exponent, significand; quadruple: the two words */

static uint64_t state = 88172645463325252u;

static uint64_t next(void) { /* xorshift64 */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static void print(const char *format, int digits, bits a, bits b, bits sum, bits product, char order) {
  printf("%s", format);
  for (int i = 0; i < 4; i++) {
    bits number = i == 0 ? a : i == 1 ? b : i == 2 ? sum : product;
    printf("\t%0*lx:%016lx", digits, number.high, number.low);
  }
  printf("\t%c\n", order);
}

static char order(int less, int equal, int greater) {
  return less ? '<' : equal ? '=' : greater ? '>' : '?';
}

static void x87(bits a, bits b) {
  volatile long double x = 0, y = 0, sum, product;
  memcpy((void *) &x, &a.low, 8), memcpy((char *) &x + 8, &a.high, 2);
  memcpy((void *) &y, &b.low, 8), memcpy((char *) &y + 8, &b.high, 2);
  sum = x + y;
  product = x * y;
  bits s = {0, 0}, p = {0, 0};
  memcpy(&s.low, (void *) &sum, 8), memcpy(&s.high, (char *) &sum + 8, 2);
  memcpy(&p.low, (void *) &product, 8), memcpy(&p.high, (char *) &product + 8, 2);
  print("x87", 4, a, b, s, p, order(x < y, x == y, x > y));
}

static void quadruple(bits a, bits b) {
  __float128 x, y, sum, product;
  memcpy(&x, &a.low, 8), memcpy((char *) &x + 8, &a.high, 8);
  memcpy(&y, &b.low, 8), memcpy((char *) &y + 8, &b.high, 8);
  sum = x + y;
  product = x * y;
  bits s, p;
  memcpy(&s.low, &sum, 8), memcpy(&s.high, (char *) &sum + 8, 8);
  memcpy(&p.low, &product, 8), memcpy(&p.high, (char *) &product + 8, 8);
  print("quadruple", 16, a, b, s, p, order(x < y, x == y, x > y));
}

#define ONE 0x8000000000000000u

/* Zeros, subnormals, the borders of the normal numbers, neighbours of 1, infinities, NaNs; then what the processor calls
   pseudo-denormal, unnormal, pseudo-infinity and pseudo-NaN. */
static const bits X87[] = {
    {0, 0}, {0x8000, 0}, {0, 1}, {0x8000, 3}, {0, 0x7fffffffffffffff}, {1, ONE}, {0x8001, ONE + 1},
    {0x1fff, ONE}, {0x2000, ONE | 5}, {0x3fbf, ONE}, {0x3fbe, ONE + 1}, {0x3ffe, 0xffffffffffffffff}, {0x3fff, ONE},
    {0xbfff, ONE}, {0x3fff, ONE + 1}, {0x4000, 0xc000000000000000}, {0xc03e, 0xffffffffffffffff}, {0x7ffe, ONE},
    {0x7ffe, 0xffffffffffffffff}, {0xfffe, 0xffffffffffffffff}, {0x7fff, ONE}, {0xffff, ONE},
    {0x7fff, 0xc000000000000000}, {0xffff, 0xc000000000000000}, {0xffff, 0xc000000000000007}, {0x7fff, ONE + 5},
    {0xffff, ONE + 5}, {0xffff, 0xbfffffffffffffff},
    {0, ONE}, {0x8000, ONE + 9}, {0x3fff, 1}, {0xffff, 0}, {0x7fff, 0x4000000000000001}};

static const bits QUADRUPLE[] = {
    {0, 0}, {ONE, 0}, {0, 1}, {ONE, 3}, {0x0000ffffffffffff, -1}, {0x0001000000000000, 0}, {0x8001000000000000, 1},
    {0x1fff000000000000, 0}, {0x2000000000000000, 5}, {0x3f8e000000000000, 0}, {0x3f8d000000000000, 1},
    {0x3ffeffffffffffff, -1}, {0x3fff000000000000, 0}, {0xbfff000000000000, 0}, {0x3fff000000000000, 1},
    {0x4000800000000000, 0}, {0xc06fffffffffffff, -1}, {0x7ffe000000000000, 0}, {0x7ffeffffffffffff, -1},
    {0xfffeffffffffffff, -1}, {0x7fff000000000000, 0}, {0xffff000000000000, 0}, {0x7fff800000000000, 0},
    {0xffff800000000000, 7}, {0x7fff000000000000, 5}, {0xffff7fffffffffff, -1}};

/* Near 1, so that exponents meet; near the ends of the range; anywhere. */
static unsigned exponent(void) {
  switch (next() % 4) {
    case 0: return 0x3fff + next() % 8;
    case 1: return 0x3fff - next() % 140;
    case 2: return next() % 2 ? next() % 70 : 0x7ffe - next() % 70;
    default: return next() % 0x7fff;
  }
}

/* Few bits set, many, or any: carries and ties. */
static uint64_t word(void) {
  uint64_t w = next();
  switch (next() % 4) {
    case 0: return 1ul << w % 64;
    case 1: return ~0ul << w % 64;
    case 2: return ~0ul >> w % 64;
    default: return w;
  }
}

/* An exponent such that the product is subnormal or overflows now and then. */
static unsigned partner(unsigned e) {
  int sum = next() % 2 ? 0x3fff - (int) (next() % 120) : 0x7ffe + 0x3fff - (int) (next() % 4);
  int other = sum - (int) e;
  return other >= 0 && other < 0x7fff ? other : exponent();
}

int main(void) {
  printf("format\tleft\tright\tsum\tproduct\torder\n");
  for (size_t i = 0; i < sizeof X87 / sizeof *X87; i++) {
    for (size_t j = i; j < sizeof X87 / sizeof *X87; j++) {
      x87(X87[i], X87[j]);
    }
  }
  for (size_t i = 0; i < sizeof QUADRUPLE / sizeof *QUADRUPLE; i++) {
    for (size_t j = i; j < sizeof QUADRUPLE / sizeof *QUADRUPLE; j++) {
      quadruple(QUADRUPLE[i], QUADRUPLE[j]);
    }
  }
  for (int i = 0; i < 300; i++) {
    unsigned e = exponent(), f = i % 2 ? exponent() : partner(e);
    uint64_t s = next() % 2 << 15, t = next() % 2 << 15;
    bits a = {s | e, e == 0 ? word() >> 1 : word() | ONE}, b = {t | f, f == 0 ? word() >> 1 : word() | ONE};
    x87(a, b);
    bits c = {(s | e) << 48 | word() >> 16, word()}, d = {(t | f) << 48 | word() >> 16, word()};
    quadruple(c, d);
  }
  return 0;
}
