// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fuzzers in JVMs of their own: some thousand cases each; a million of calls with {@code -Pstress}. */
class FuzzTest {
  private static final boolean STRESS = Boolean.getBoolean("ffmpi.test.stress");

  private static long cases(long usual, long stress) {
    return Long.getLong("ffmpi.fuzz.cases", STRESS ? stress : usual);
  }

  private static String[] episode() {
    String one = System.getProperty("ffmpi.fuzz.episode");
    return one == null ? new String[0] : new String[] {one};
  }

  @Test
  @DisplayName("random calls of the whole API throw nothing but MpiException, and end when their world does")
  void api() throws Exception {
    System.out.print(FuzzJvm.run(ApiFuzz.class, "api", cases(8_000, 1_000_000), STRESS ? 60 : 3, episode()));
  }

  @Test
  @DisplayName("damage in shared memory crashes no JVM, and every rank ends when its world does")
  void segments() throws Exception {
    System.out.print(FuzzJvm.run(SegmentFuzz.class, "segments", cases(60, 20_000), STRESS ? 60 : 3, episode()));
  }
}
