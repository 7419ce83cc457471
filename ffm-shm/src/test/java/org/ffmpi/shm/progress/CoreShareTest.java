// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class CoreShareTest {
  private static CoreShare withTimes(boolean isWatched, Long... nanos) {
    Queue<Long> times = new ArrayDeque<>(List.of(nanos));
    return new CoreShare(isWatched, times::remove);
  }

  @Test
  void aLongYieldSaysThatOthersWantTheCore() {
    CoreShare core = withTimes(true, 1_000L, 3_001_000L, 4_000_000L, 23_001_001L);
    core.yield(true);
    assertTrue(core.isShared(), "after 1 ms");
    assertFalse(core.isShared(), "after more than 20 ms");
    assertFalse(core.isShared(), "no time is asked for any more");
  }

  @Test
  void aShortYieldSaysNothing() {
    CoreShare core = withTimes(true, 1_000L, 2_000L);
    core.yield(true);
    assertFalse(core.isShared());
  }

  @Test
  void isNotWatchedWhereRanksShareCoresOrNobodyWouldWakeTheThread() {
    CoreShare crowded = withTimes(false);
    crowded.yield(true);
    assertFalse(crowded.isShared());
    CoreShare napping = withTimes(true);
    napping.yield(false);
    assertFalse(napping.isShared());
  }
}
