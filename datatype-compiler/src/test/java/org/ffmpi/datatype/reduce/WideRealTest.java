// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arithmetic of 80 and 128 bits, against exact numbers and against results of C, both on every machine. */
@Tag("long")
class WideRealTest {
  private final MemorySegment left = Arena.ofAuto().allocate(16, 16);
  private final MemorySegment right = Arena.ofAuto().allocate(16, 16);
  private final MemorySegment out = Arena.ofAuto().allocate(16, 16);
  private final WideReal x = new WideReal();
  private final WideReal y = new WideReal();
  private final WideReal r = new WideReal();

  /** Sums, differences, products and comparisons of numbers that matter, of all kinds with all kinds. */
  @ParameterizedTest
  @EnumSource
  void agreesWithExactArithmetic(WideFormat format) {
    Seed.repeat(20, random -> {
      for (int i = 0; i < 1000; i++) {
        checkOne(random, format);
      }
    });
  }

  private void checkOne(RandomGenerator random, WideFormat format) {
    WideOracle oracle = WideOracle.valueOf(format.name());
    ByteBuffer a = left.asByteBuffer().order(ByteOrder.nativeOrder());
    ByteBuffer b = right.asByteBuffer().order(ByteOrder.nativeOrder());
    oracle.pick(random, a, 0);
    oracle.pick(random, b, 0);
    if (random.nextInt(4) == 0) { // neighbours, often of opposite sign: cancellation and ties
      right.copyFrom(left);
      right.set(ValueLayout.JAVA_BYTE, 0, (byte) (left.get(ValueLayout.JAVA_BYTE, 0) + random.nextInt(-2, 3)));
      int signAt = format == WideFormat.X87 ? 9 : 15;
      right.set(ValueLayout.JAVA_BYTE, signAt, (byte) (left.get(ValueLayout.JAVA_BYTE, signAt) ^ 0x80));
    }
    WideOracle.Value m = oracle.read(a, 0);
    WideOracle.Value n = oracle.read(b, 0);
    format.load(Raw.address(left), x);
    format.load(Raw.address(right), y);
    r.sum(x, y, format);
    assertResult(format, oracle, oracle.sum(m, n), "sum");
    r.difference(x, y, format);
    assertResult(format, oracle, oracle.sum(m, n.negate()), "difference");
    r.product(x, y, format);
    assertResult(format, oracle, oracle.product(m, n), "product");
    assertEquals(m.isNaN(), format.isNaN(Raw.address(left)), () -> hex(left));
    assertEquals(m.isZero(), format.isZero(Raw.address(left)), () -> hex(left));
    if (!m.isNaN() && !n.isNaN()) {
      assertEquals(Integer.signum(WideOracle.compare(m, n)),
          Integer.signum(format.compare(Raw.address(left), Raw.address(right))), () -> hex(left) + " ? " + hex(right));
    }
  }

  private void assertResult(WideFormat format, WideOracle oracle, WideOracle.Value expected, String what) {
    ByteBuffer result = out.asByteBuffer().order(ByteOrder.nativeOrder());
    out.fill((byte) 0x55);
    format.store(r, Raw.address(out));
    if (expected.isNaN()) {
      assertTrue(oracle.read(result, 0).isNaN(), () -> what + " of " + hex(left) + " and " + hex(right));
      return;
    }
    String actual = hex(out);
    oracle.writeResult(result, 0, expected);
    assertEquals(hex(out), actual, () -> what + " of " + hex(left) + " and " + hex(right));
  }

  private static String hex(MemorySegment number) {
    return "%016x:%016x".formatted(number.get(ValueLayout.JAVA_LONG, 8), number.get(ValueLayout.JAVA_LONG, 0));
  }

  /**
   * Results of C's {@code long double} and {@code __float128} for the same numbers, computed by gcc 12.2 on an x86-64
   * processor with src/test/c/wide_reals.c. The x87 results agree in all bits, NaNs included; for quadruples a library
   * is free to choose its NaN.
   */
  @Test
  void agreesWithC() {
    List<Map<String, String>> cases = Table.read("reduce/wide-reals.tsv");
    assertTrue(cases.size() > 1000, cases.size() + " cases");
    for (Map<String, String> numbers : cases) {
      WideFormat format = WideFormat.valueOf(numbers.get("format").toUpperCase(Locale.ROOT));
      put(numbers.get("left"), left);
      put(numbers.get("right"), right);
      for (int turn = 0; turn < 2; turn++) {
        MemorySegment first = turn == 0 ? left : right;
        MemorySegment second = turn == 0 ? right : left;
        format.load(Raw.address(first), x);
        format.load(Raw.address(second), y);
        r.sum(x, y, format);
        assertAsInC(format, numbers.get("sum"), numbers);
        r.product(x, y, format);
        assertAsInC(format, numbers.get("product"), numbers);
        assertEquals(numbers.get("order"), order(format), numbers::toString);
      }
    }
  }

  private void assertAsInC(WideFormat format, String expected, Map<String, String> numbers) {
    format.store(r, Raw.address(out));
    String actual = hex(out);
    put(expected, out);
    boolean someNaN = format == WideFormat.QUADRUPLE && format.isNaN(Raw.address(out));
    if (someNaN) {
      put(actual, out);
      assertTrue(format.isNaN(Raw.address(out)), () -> actual + " for " + numbers);
    } else {
      assertEquals(hex(out), actual, numbers::toString);
    }
  }

  private String order(WideFormat format) {
    if (format.isNaN(Raw.address(left)) || format.isNaN(Raw.address(right))) {
      return "?";
    }
    int order = format.compare(Raw.address(left), Raw.address(right));
    return order < 0 ? "<" : order > 0 ? ">" : "=";
  }

  private static void put(String number, MemorySegment memory) {
    String[] words = number.split(":");
    memory.set(ValueLayout.JAVA_LONG, 8, Long.parseUnsignedLong(words[0], 16));
    memory.set(ValueLayout.JAVA_LONG, 0, Long.parseUnsignedLong(words[1], 16));
  }
}
