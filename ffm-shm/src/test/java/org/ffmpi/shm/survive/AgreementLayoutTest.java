// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.survive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.ffmpi.shm.LayoutChecks;
import org.junit.jupiter.api.Test;

/** The offsets of an agreement are those of its layout, and its words hold what they are made of. */
class AgreementLayoutTest {
  @Test
  void agreement() {
    LayoutChecks.assertAgree(
        AgreementLayout.class, Set.of("NEXT_OFFSET", "FIRST_OFFSET"), AgreementLayout.Shape.LAYOUT);
    assertEquals(0, AgreementLayout.bytes(7) % 64);
    assertTrue(AgreementLayout.bytes(7) >= AgreementLayout.PEERS_OFFSET + 7 * Long.BYTES);
  }

  @Test
  void words() {
    for (int state = AgreementLayout.NO_MEMBER; state <= AgreementLayout.LEFT; state++) {
      for (int count : new int[] {0, 1, (1 << 30) - 1}) {
        for (int flag : new int[] {0, 1, -1, Integer.MIN_VALUE}) {
          long word = AgreementLayout.word(state, count, flag);
          assertEquals(state, AgreementLayout.state(word));
          assertEquals(count, AgreementLayout.count(word));
          assertEquals(flag, AgreementLayout.flag(word));
        }
      }
    }
  }

  @Test
  void decisions() {
    for (boolean unacknowledged : new boolean[] {false, true}) {
      long decision = AgreementLayout.decision(-5, 12, unacknowledged);
      assertNotEquals(0, decision);
      assertEquals(-5, AgreementLayout.flag(decision));
      assertEquals(12, AgreementLayout.count(decision));
      assertEquals(unacknowledged, AgreementLayout.isUnacknowledged(decision));
    }
    assertNotEquals(0, AgreementLayout.decision(0, 0, false));
  }
}
