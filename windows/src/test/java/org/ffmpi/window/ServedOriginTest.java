// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.Test;

/** Errors of serving an access are kept for its origin, and its long elements wait for memory. */
class ServedOriginTest {
  private static final long LONG = 5 << 20;

  private final StagingMemory staging = new StagingMemory();
  private final ServedOrigin origin = new ServedOrigin(staging, new ArrayDeque<>());

  /** A message that a test completes. */
  private static final class Message extends Operation {
    void end(MpiException error) {
      if (error == null) {
        complete();
      } else {
        fail(error);
      }
    }
  }

  /** A task that throws. */
  private ServedOrigin.Task failing(Throwable thrown) {
    return new ServedOrigin.Task() {
      @Override
      public boolean run() {
        if (thrown instanceof Error e) {
          throw e;
        }
        throw (RuntimeException) thrown;
      }

      @Override
      public void refuse(MpiException error) {
        origin.fail(error);
      }
    };
  }

  @Test
  void theFirstErrorIsKeptUntilItIsAskedFor() {
    origin.runOrQueue(failing(new OutOfMemoryError("of a test")));
    origin.runOrQueue(failing(new IllegalStateException("closed")));
    assertTrue(origin.isIdle());
    assertEquals(ErrorClass.ERR_NO_MEM, origin.removeFailure().errorClass());
    assertNull(origin.removeFailure());
    origin.runOrQueue(failing(new IllegalStateException("closed")));
    assertEquals(ErrorClass.ERR_BUFFER, origin.removeFailure().errorClass());
  }

  @Test
  void aMessageThatFailsIsAnErrorUnlessItsDataAreUnwanted() {
    Message unwanted = new Message();
    Message wanted = new Message();
    origin.addDiscarding(unwanted, null);
    origin.add(wanted, null);
    unwanted.end(new MpiException(ErrorClass.ERR_TRUNCATE, "unwanted"));
    wanted.end(new MpiException(ErrorClass.ERR_BUFFER, "wanted"));
    assertTrue(origin.advance());
    assertTrue(origin.isIdle());
    assertEquals(ErrorClass.ERR_BUFFER, origin.removeFailure().errorClass());
  }

  @Test
  void theFirstAccessWaitsForResultsUnderWayAlone() {
    StagingMemory.Block others = staging.acquire(LONG);
    assertFalse(staging.fits(LONG));
    assertTrue(origin.admits(LONG), "what others use may wait for this access");
    StagingMemory.Block result = staging.acquire(LONG);
    Message sent = new Message();
    origin.addResult(sent, result);
    assertFalse(origin.admits(LONG));
    sent.end(null);
    origin.advance();
    assertTrue(origin.admits(LONG));
    staging.release(others);
    assertTrue(staging.fits(LONG));
  }
}
