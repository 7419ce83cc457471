// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchOptionsTest {
  private static String refused(String... arguments) {
    return assertThrows(BenchOptions.UsageException.class, () -> BenchOptions.parse(List.of(arguments))).getMessage();
  }

  @Test
  void sizesHaveSuffixes() {
    assertEquals(List.of(0L, 8L, 65536L, 4L << 20), BenchOptions.parse(List.of("--sizes", "0,8,64k,4M")).sizes);
  }

  @Test
  void whatIsGivenWinsOverQuickWhereverItStands() {
    BenchOptions o = BenchOptions.parse(List.of("--reps=7", "--quick"));
    assertTrue(o.quick);
    assertEquals(7, o.reps);
    assertEquals(1, o.rounds);
  }

  @Test
  void peersCanBeNone() {
    assertEquals(List.of(), BenchOptions.parse(List.of("--vs", "none")).peers);
  }

  @Test
  void wrongArgumentsAreNamedWithWhatWasAllowed() {
    assertEquals("--rounds = 0: allowed are 1..1000", refused("--rounds", "0"));
    assertEquals("--ranks = x: allowed are 1..1024", refused("--ranks", "2,x"));
    assertEquals("--fast: a value is missing, or there is no such option", refused("--fast"));
    assertEquals("--fast: there is no such option", refused("--fast", "1"));
    assertEquals("--cores middle: known are near, far and most", refused("--cores", "middle"));
    assertEquals("--quick takes no value", refused("--quick=yes"));
  }

  @Test
  void workSharesArgumentsByBenchAndCase() {
    assertEquals(List.of("latency/native-clean/0,8", "rate/heap-dirty/8"), Answers.work(List.of(
        new Point("latency", "native-clean", 2, 0),
        new Point("latency", "native-clean", 2, 8),
        new Point("rate", "heap-dirty", 2, 8))));
  }
}
