// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.survive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.NumberLog;
import org.ffmpi.shm.segment.SurvivalLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Agreements are found by all ranks, and what the dead held of the table is given back. */
class AgreementTableTest {
  private static final int RANKS = 3;
  private static final int[] ALL = {0, 1, 2};

  private final JobSegment segment =
      JobSegment.create(new JobOptions(RANKS, false, Settings.of(Map.of("ffmpi.survive", "on"))));
  private final AgreementTable first = new AgreementTable(segment, 0);
  private final AgreementTable second = new AgreementTable(segment, 1);

  @AfterEach
  void close() {
    segment.close();
  }

  private static void leave(long agreement, int... ranks) {
    for (int rank : ranks) {
      AgreementLayout.setReleasePeer(agreement, rank, AgreementLayout.word(AgreementLayout.LEFT, 0, 0));
    }
  }

  @Test
  void allRanksFindTheSame() {
    long agreement = first.find(40, 7, false, ALL);
    assertEquals(agreement, second.find(40, 7, false, ALL));
    assertNotEquals(agreement, second.find(40, 8, false, ALL));
    assertNotEquals(agreement, second.find(41, 7, false, ALL));
  }

  @Test
  void aLockOfADeadRankIsTakenOver() {
    assertTrue(SurvivalLayout.casLock(segment.survivalBlock(), 0, 3));
    segment.ends().markDead(2, 137);
    first.find(40, 0, false, ALL);
    assertEquals(0, SurvivalLayout.getAcquireLock(segment.survivalBlock()));
  }

  @Test
  void whatAllHaveLeftOrDiedInIsUsedAgain() {
    long agreement = first.find(40, 0, false, ALL);
    leave(agreement, 0, 1);
    assertNotEquals(agreement, first.find(40, 1, false, ALL));
    segment.ends().markDead(2, 137);
    assertEquals(agreement, first.find(40, 2, true, ALL));
    assertTrue(AgreementLayout.getPlainShrinks(agreement));
    assertEquals(0, AgreementLayout.getAcquireDecision(agreement));
  }

  @Test
  void manyAreUnderWayAtATime() {
    Set<Long> found = new HashSet<>();
    for (int number = 0; number < 100; number++) {
      assertTrue(found.add(first.find(40, number, false, ALL)));
    }
    for (int number = 0; number < 100; number++) {
      assertFalse(found.add(second.find(40, number, false, ALL)));
    }
  }

  @Test
  void failuresAreListedOnceAndInOrder() {
    assertEquals(-1, segment.failed(0));
    segment.ends().markDead(2, 1);
    segment.ends().markDead(0, 1);
    segment.ends().markDead(2, 1);
    assertEquals(2, segment.failed(0));
    assertEquals(0, segment.failed(1));
    assertEquals(-1, segment.failed(2));
    assertEquals(-1, segment.failed(RANKS));
  }

  @Test
  void revokedNumbersAreReadOnceAndInOrder() {
    NumberLog log = segment.revoked();
    NumberLog.Reader early = log.reader();
    assertTrue(log.isEmpty());
    assertEquals(-1, early.next());
    for (long number = 0; number < 2_000; number++) { // several chunks
      segment.revoked().append(number);
      log.append(number / 2);
    }
    NumberLog.Reader late = log.reader();
    for (long number = 0; number < 2_000; number++) {
      assertEquals(number, early.next());
      assertEquals(number, late.next());
    }
    assertEquals(-1, early.next());
    assertFalse(log.isEmpty());
  }
}
