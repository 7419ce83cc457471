// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * The pairs of a variant and a number of ranks that a method runs with, as the system property {@code
 * ffmpi.test.breadth} chooses them. Made and asked by {@link MpiTestExtension}, in JUnit's thread.
 */
enum Breadth {
  /** The first variant, on two ranks where the method allows them, else on the smallest number; no processes. */
  QUICK,
  /** Each variant and each number of ranks at least once. Other methods of a class meet other pairs. */
  EACH,
  /** Every variant on every number of ranks. */
  ALL;

  /** One invocation, by the index of a variant and a number of ranks. */
  record Pair(int variant, int ranks) {}

  /** Returns the value of the system property; all, if it is not set. */
  static Breadth chosen() {
    String name = System.getProperty("ffmpi.test.breadth", "all");
    for (Breadth breadth : values()) {
      if (breadth.name().toLowerCase(Locale.ROOT).equals(name)) {
        return breadth;
      }
    }
    throw new ExtensionConfigurationException(
        "ffmpi.test.breadth = \"" + name + "\": allowed are \"quick\", \"each\" and \"all\"");
  }

  /** Returns the pairs of a method, in the order in which they run. Its name decides which pairs stand for all. */
  List<Pair> pairs(int variants, int[] ranks, String method) {
    List<Pair> pairs = new ArrayList<>();
    switch (this) {
      case QUICK -> pairs.add(new Pair(0, quickest(ranks)));
      case EACH -> {
        int shift = Math.floorMod(method.hashCode(), ranks.length);
        for (int i = 0; i < Math.max(variants, ranks.length); i++) {
          pairs.add(new Pair(i % variants, ranks[(i + shift) % ranks.length]));
        }
      }
      case ALL -> {
        for (int variant = 0; variant < variants; variant++) {
          for (int number : ranks) {
            pairs.add(new Pair(variant, number));
          }
        }
      }
    }
    return pairs;
  }

  private static int quickest(int[] ranks) {
    return IntStream.of(ranks).anyMatch(n -> n == 2) ? 2 : IntStream.of(ranks).min().orElseThrow();
  }
}
