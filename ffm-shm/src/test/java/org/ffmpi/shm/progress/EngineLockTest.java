// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine's lock, for threads that wait while its owner never releases it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineLockTest {
  private final EngineLock lock = new EngineLock();

  private void assertGivenUp() {
    MpiException e = assertThrows(MpiException.class, lock::lock);
    assertEquals(ErrorClass.ERR_INTERN, e.errorClass());
    assertTrue(e.getMessage().contains("StackOverflowError"), e.getMessage());
  }

  @Test
  void ownersThatWaitForThemselvesAreTold() {
    assertTrue(lock.lock());
    assertGivenUp();
  }

  @Test
  void ownersThatHaveEndedAreNoticed() throws Exception {
    Thread owner = Thread.ofPlatform().start(lock::lock);
    owner.join();
    assertGivenUp();
  }

  @Test
  void ownersInTheEngineAreWaitedFor() throws Exception {
    assertTrue(lock.lock());
    boolean[] acquired = new boolean[1];
    Thread waiting = Thread.ofPlatform().start(() -> {
      acquired[0] = lock.lock();
      lock.unlock();
    });
    Thread.sleep(300); // this thread is inside a class of the engine's packages
    assertFalse(acquired[0]);
    lock.unlock();
    waiting.join();
    assertTrue(acquired[0]);
  }

  private static StackTraceElement[] in(Class<?> type, String method) {
    return new StackTraceElement[] {
        new StackTraceElement("java.lang.Thread", "yield", null, -2),
        new StackTraceElement(type.getName(), method, null, -1),
        new StackTraceElement(RankLock.class.getName(), "acquire", null, -1)
    };
  }

  /** A thread that has lost its core between the two stores holds the lock although no store shows it. */
  @Test
  void ownersThatHaveNotSaidSoYetAreSeen() {
    for (String method : new String[] {"acquire", "tryLock", "lock", "unlock"}) {
      assertTrue(LockOwner.isAtALock(in(EngineLock.class, method)), method);
    }
    assertTrue(LockOwner.isAtALock(in(LockOwner.class, "number")));
    assertFalse(LockOwner.isAtALock(in(EngineLock.class, "queueUp")));
    assertFalse(LockOwner.isAtALock(in(LockOwner.class, "isOutsideEngine")));
    assertFalse(LockOwner.isAtALock(in(RankProgress.class, "pollOnce")));
    assertTrue(LockOwner.isOutsideEngine(0), "nobody is at a lock");
  }
}
