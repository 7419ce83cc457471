// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A close detects an exception that unwinds the stack. */
class UnwindingTest {
  private final List<Boolean> seen = new ArrayList<>();

  /** A resource that a program closes. */
  private final class Closing implements AutoCloseable {
    @Override
    public void close() {
      seen.add(Unwinding.isInProgress());
    }
  }

  /** Part of a program; ends by an exception when it has a reason. */
  private interface Body {
    void run(String reason);
  }

  private void run(Body body, String reason) {
    try {
      body.run(reason);
    } catch (IllegalStateException e) {
      seen.size(); // a handler that throws nothing
    }
  }

  private static void fail(String reason) {
    if (!reason.isEmpty()) {
      throw new IllegalStateException(reason);
    }
  }

  private void inTryWithResources(String reason) {
    try (Closing closing = new Closing()) {
      assertNotNull(closing);
      fail(reason);
    }
  }

  private void inFinally(String reason) {
    Closing closing = new Closing();
    try {
      fail(reason);
    } finally {
      switch (reason.length()) {
        case 1 -> seen.clear();
        default -> shutDown(closing);
      }
    }
  }

  private void shutDown(Closing closing) {
    for (int i = 0; i < 1; i++) {
      closing.close();
    }
  }

  private void inHandlerThatThrows(String reason) {
    Closing closing = new Closing();
    try {
      fail(reason);
    } catch (IllegalStateException e) {
      closing.close();
      throw new IllegalStateException(e);
    }
    closing.close();
  }

  private void inHandlerThatReturns(String reason) {
    try {
      fail(reason);
    } catch (IllegalStateException e) {
      new Closing().close();
    }
  }

  private void beforeAnException(String reason) {
    new Closing().close();
    throw new IllegalStateException(reason);
  }

  @Test
  void anExceptionOnItsWayIsSeen() {
    run(this::inTryWithResources, "reason");
    run(this::inFinally, "reason");
    run(this::inHandlerThatThrows, "reason");
    assertEquals(List.of(true, true, true), seen);
  }

  @Test
  void anOrdinaryEndIsNone() {
    run(this::inTryWithResources, "");
    run(this::inFinally, "");
    run(this::inHandlerThatThrows, "");
    run(this::inHandlerThatReturns, "reason");
    run(this::beforeAnException, "not on its way yet");
    assertEquals(List.of(false, false, false, false, false), seen);
  }
}
