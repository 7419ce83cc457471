// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operation of a request that consists of several messages. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllOfTest {
  /** A message that a test ends. */
  private static final class Part extends Operation {
    void end(MpiException error) {
      if (error == null) {
        complete();
      } else {
        fail(error);
      }
    }
  }

  /** Without a wake the thread sleeps until the test's time is over. */
  @Test
  void eachPartWakesTheThreadThatWaitsForAll() throws InterruptedException {
    Part first = new Part();
    Part second = new Part();
    MessageAccess.AllOf all = new MessageAccess.AllOf(new Operation[] {first, second});
    Thread waits = Thread.ofPlatform().daemon().start(() -> {
      while (!all.isDone()) {
        all.waiter(Thread.currentThread());
        all.advance();
        if (!all.isDone()) {
          LockSupport.park();
        }
      }
    });
    while (waits.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    first.end(null);
    second.end(null);
    waits.join();
    assertTrue(all.isDone());
  }

  @Test
  void theFirstErrorIsItsOwn() {
    Part first = new Part();
    Part second = new Part();
    MessageAccess.AllOf all = new MessageAccess.AllOf(new Operation[] {first, second});
    MpiException error = new MpiException(ErrorClass.ERR_OTHER, "on purpose");
    first.end(error);
    all.advance();
    assertFalse(all.isDone());
    second.end(null);
    all.advance();
    assertSame(error, all.error());
  }
}
