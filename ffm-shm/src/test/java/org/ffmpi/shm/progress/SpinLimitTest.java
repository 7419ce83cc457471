// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.ffmpi.base.Settings;
import org.junit.jupiter.api.Test;

/** The spins of waiting threads before they yield. */
class SpinLimitTest {
  @Test
  void leavesTheCoreToCompilersAtFirst() {
    SpinLimit limit = new SpinLimit(1000);
    for (int i = 0; i < 20_000; i++) {
      assertEquals(50, limit.next());
    }
    assertEquals(1000, limit.next());
  }

  @Test
  void looksNoMoreOftenThanItIsTold() {
    SpinLimit limit = new SpinLimit(20);
    for (int i = 0; i < 20_001; i++) {
      assertEquals(20, limit.next());
    }
  }

  @Test
  void aRankThatServesLooksAgainOnlyWhereItHasACore() {
    Settings settings = Settings.of(Map.of("ffmpi.cores", "0,1"));
    assertEquals(WaitOptions.of(settings, 2).spins(), WaitOptions.of(settings, 2).spinsAgain());
    assertEquals(0, WaitOptions.of(settings, 3).spinsAgain());
  }
}
