// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.tests.support.ChildJvm;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Fuzzers in JVMs of their own: some thousand cases each, the same in every build;
 * a million of calls, and new seeds, with {@code -Pstress}.
 */
@Tag("process")
class FuzzTest {
  private static final boolean STRESS = Boolean.getBoolean("ffmpi.test.stress");

  private static long cases(long usual, long stress) {
    return Long.getLong("ffmpi.fuzz.cases", STRESS ? stress : usual);
  }

  private static void run(Class<?> fuzzer, String test, long cases) throws Exception {
    long seed = STRESS ? Seeds.next() : Long.getLong("ffmpi.test.seed", 1);
    List<Object> arguments = new ArrayList<>(List.of(seed, cases));
    String one = System.getProperty("ffmpi.fuzz.episode");
    if (one != null) {
      arguments.add(one);
    }
    System.out.print(ChildJvm.run(
        fuzzer, "-Dtest=FuzzTest#" + test + " -Dffmpi.test.seed=" + seed + " -Dffmpi.fuzz.cases=" + cases,
        STRESS ? 60 : 3, List.of("-Xmx512m", "-Xss1m", "-XX:-OmitStackTraceInFastThrow"), arguments.toArray()));
  }

  @Test
  @DisplayName("random calls of the whole API throw nothing but MpiException, and end when their world does")
  void api() throws Exception {
    run(ApiFuzz.class, "api", cases(8_000, 1_000_000));
  }

  @Test
  @DisplayName("damage in shared memory crashes no JVM, and every rank ends when its world does")
  void segments() throws Exception {
    run(SegmentFuzz.class, "segments", cases(60, 20_000));
  }
}
