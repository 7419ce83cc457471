// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread at a time is inside, no thread waits, and no call is lost. */
@Timeout(60)
class GatedOperationTest {
  private static final class Gated extends GatedOperation {}

  /** Counts the work that others have added; correct only if one thread at a time is inside. */
  private static final class Counting extends GatedOperation {
    final AtomicInteger offered = new AtomicInteger();
    int taken;

    @Override
    public boolean advance() {
      if (!enter()) {
        return false;
      }
      do {
        int seen = offered.get();
        while (taken < seen) {
          taken++;
        }
      } while (!leave());
      return true;
    }
  }

  @Test
  void aCallThatComesWhileAThreadIsInsideIsNotLost() throws InterruptedException {
    Gated gate = new Gated();
    assertFalse(gate.enter(), "nobody has begun it");
    gate.open();
    assertTrue(gate.enter());
    assertFalse(gate.enter(), "the engine calls back the thread that is inside");
    assertTrue(gate.leave());
    assertTrue(gate.enter());
    assertFalse(inAnotherThread(gate::enter));
    assertFalse(gate.leave(), "somebody has called: look again");
    assertTrue(gate.leave());
    assertTrue(inAnotherThread(() -> gate.enter() && gate.leave()));
    assertTrue(gate.enter());
    gate.close();
    assertFalse(gate.enter());
    assertFalse(inAnotherThread(gate::enter));
  }

  private static boolean inAnotherThread(BooleanSupplier body) throws InterruptedException {
    boolean[] result = new boolean[1];
    Thread thread = Thread.ofPlatform().start(() -> result[0] = body.getAsBoolean());
    thread.join();
    return result[0];
  }

  @Test
  void whateverIsOfferedIsTakenByWhoeverIsInside() throws InterruptedException {
    int each = 20_000;
    Counting gate = new Counting();
    gate.open();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      threads.add((t % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual()).start(() -> {
        for (int i = 0; i < each; i++) {
          gate.offered.incrementAndGet();
          gate.advance();
        }
      }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(8 * each, gate.taken);
  }
}
