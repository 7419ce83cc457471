// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.base.ErrorClass;
import org.junit.jupiter.api.Test;

/** Waits for stores that other threads look at, and that end by an error. */
class StoreWaitTest {
  @Test
  void nobodyLooksAtAWaitThatWasLeft() {
    int[] looks = new int[1];
    StoreWait wait = new StoreWait(() -> ++looks[0] == 0);
    assertFalse(wait.advance());
    wait.abandon();
    assertTrue(wait.isDone());
    assertFalse(wait.advance());
    assertEquals(1, looks[0]);
  }

  @Test
  void otherThreadsAreNotToldOfFailedConditions() {
    StoreWait wait = new StoreWait(() -> {
      throw new IllegalStateException("broken");
    });
    assertTrue(wait.advance());
    assertTrue(wait.isDone());
    assertEquals(ErrorClass.ERR_INTERN, wait.error().errorClass());
    wait.abandon();
  }
}
