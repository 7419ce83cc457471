// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ffmpi.spi.GatedOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operations that every poll advances, of which none may be lost when they are reused again and again. */
@Timeout(120)
class RegisteredOperationsTest {
  /** Completes when it has been advanced so many times. */
  private static final class Countdown extends GatedOperation {
    private int left;
    int completed;

    void begin(int times) {
      renew();
      left = times;
      open();
    }

    @Override
    public boolean advance() {
      if (!enter()) {
        return false;
      }
      do {
        if (--left <= 0) {
          completed++;
          close();
          complete();
          return true;
        }
      } while (!leave());
      return false;
    }
  }

  private static Countdown started(int times) {
    Countdown operation = new Countdown();
    operation.begin(times);
    return operation;
  }

  @Test
  void allAdvanceAndThoseAreDroppedThatAreComplete() {
    RegisteredOperations registered = new RegisteredOperations();
    assertTrue(registered.isEmpty());
    List<Countdown> all = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      Countdown operation = started(i % 5 + 1);
      all.add(operation);
      assertTrue(registered.add(operation));
    }
    for (int round = 1; round <= 5; round++) {
      assertFalse(registered.isEmpty());
      assertEquals(4, registered.advanceAll());
      int over = 0;
      for (Countdown operation : all) {
        over += operation.isDone() ? 1 : 0;
      }
      assertEquals(4 * round, over);
    }
    assertTrue(registered.isEmpty());
  }

  @Test
  void onlyTheOnlyOneIsTakenOut() {
    RegisteredOperations registered = new RegisteredOperations();
    Countdown a = started(100);
    Countdown b = started(100);
    assertFalse(registered.acquireOnly(a));
    registered.add(a);
    assertFalse(registered.acquireOnly(b));
    registered.add(b);
    assertFalse(registered.acquireOnly(a));
    assertFalse(registered.acquireOnly(b));
    while (!a.isDone()) {
      a.advance();
    }
    registered.forget(a);
    assertFalse(registered.acquireOnly(a));
    assertTrue(registered.acquireOnly(b));
    assertTrue(registered.isEmpty());
    assertTrue(registered.add(b));
    assertTrue(registered.add(b), "it is still there");
    assertTrue(registered.acquireOnly(b));
    assertTrue(registered.isEmpty());
  }

  @Test
  void nothingIsAddedOrAdvancedAfterTheEnd() {
    RegisteredOperations registered = new RegisteredOperations();
    Countdown operation = started(1);
    registered.add(operation);
    registered.close();
    assertFalse(registered.add(started(1)));
    assertEquals(0, registered.advanceAll());
    assertFalse(operation.isDone());
  }

  @Test
  void operationsThatAreStartedAgainAndAgainAreNeverLost() throws InterruptedException {
    RegisteredOperations registered = new RegisteredOperations();
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> pollers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      pollers.add(Thread.ofPlatform().daemon().start(() -> {
        while (!over.get()) {
          registered.advanceAll();
          Thread.yield();
        }
      }));
    }
    List<Thread> starters = new ArrayList<>();
    int starts = 20_000;
    int[] completed = new int[2];
    for (int s = 0; s < completed.length; s++) {
      int own = s;
      starters.add(Thread.ofPlatform().daemon().start(() -> {
        Countdown operation = new Countdown();
        for (int i = 0; i < starts; i++) {
          operation.begin(1 + i % 3);
          registered.add(operation);
          if (i % 4 == own && registered.acquireOnly(operation)) {
            operation.advance();
            registered.add(operation);
          }
          while (!operation.isDone()) { // by the pollers alone
            Thread.yield();
          }
        }
        completed[own] = operation.completed;
      }));
    }
    for (Thread starter : starters) {
      starter.join();
    }
    over.set(true);
    for (Thread poller : pollers) {
      poller.join();
    }
    registered.advanceAll();
    assertTrue(registered.isEmpty());
    for (int count : completed) {
      assertEquals(starts, count);
    }
  }
}
