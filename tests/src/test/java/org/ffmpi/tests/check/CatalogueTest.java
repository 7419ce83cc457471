// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The kinds of mistakes of MPI-CorrBench (Lehr, Jammer and Bischof, 2021), one micro program for each that Java's types
 * leave possible, and its twin without the mistake: every wrong one is reported, and no right one is. The programs run
 * beside one another, because those that hang take a standstill each.
 */
@DisplayName("--check full reports the mistakes of the catalogue, and nothing else")
@Tag("long")
class CatalogueTest {
  private static final int AT_A_TIME = 6;

  static List<Judged> programs() {
    return Stream.of(
            ArgumentPrograms.programs(), MismatchPrograms.programs(), OrderPrograms.programs(),
            LifetimePrograms.programs(), BufferPrograms.programs(), RequestPrograms.programs(),
            WindowPrograms.programs(), TypePrograms.programs(), TopologyPrograms.programs(),
            WrittenPrograms.programs(), AccessPrograms.programs(), BufferingPrograms.programs())
        .flatMap(List::stream)
        .toList();
  }

  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyMistakeIsReportedAndNothingElse() throws Exception {
    String only = System.getProperty("ffmpi.test.catalogue", "");
    List<String> wrong = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
      List<Future<Optional<String>>> verdicts = new ArrayList<>();
      for (Judged program : programs()) {
        if ((program.family() + ", " + program.name()).contains(only)) {
          verdicts.add(threads.submit(program::judge));
        }
      }
      for (Future<Optional<String>> verdict : verdicts) {
        verdict.get().ifPresent(wrong::add);
      }
    }
    assertEquals("", String.join("\n", wrong));
  }
}
