// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * A send that waits for its receiver, as a standard send may where nothing is buffered (MPI-4.1 §3.5). It ends before
 * when no rank moves meanwhile, which is a finding, and when the receiver finalizes or computes for long. Its message
 * is taken back then, or left on its way if it is a copy. Made by the thread that sends, which alone advances it while
 * it waits.
 */
final class UnbufferedSend extends Operation {
  /** How long all other ranks have to wait before the program is said to need a buffer. */
  private static final long STILL_NANOS = 1_000_000_000;

  /** How long a receiver that computes is waited for. */
  private static final long LONGEST_NANOS = 5_000_000_000L;

  private static final long LOOK_NANOS = 10_000_000;

  private final Engine engine;
  private final Operation inner;
  private final int peer;
  private final boolean isCopy;
  private final long begin = System.nanoTime();
  private long lookedAt;
  private long stillSince;
  private boolean needsBuffer;
  private boolean isLate;

  /**
   * Creates the wait.
   *
   * @param isCopy whether the message is a copy, which may stay on its way
   */
  UnbufferedSend(Engine engine, Operation inner, int peer, boolean isCopy) {
    this.engine = engine;
    this.inner = inner;
    this.peer = peer;
    this.isCopy = isCopy;
    if (!inner.isDone()) {
      inner.parent(this);
    }
  }

  /**
   * Waits; throws the error of the send.
   *
   * @return false when the message has been taken back and is still to be sent
   */
  boolean await() {
    while (!isDone() && !engine.awaitFor(this, LONGEST_NANOS)) {
      advance();
    }
    if (isCopy && !inner.isDone()) {
      return true;
    }
    boolean isTakenBack = !inner.isDone() && inner.cancel();
    engine.await(inner);
    if (inner.error() != null) {
      throw inner.error();
    }
    return !isTakenBack;
  }

  /** Returns whether no rank moved before this one went on. */
  boolean needsBuffer() {
    return needsBuffer;
  }

  /** Returns whether the receiver was not waited for any longer. */
  boolean isLate() {
    return isLate;
  }

  @Override
  public boolean advance() {
    if (isDone() || !inner.isDone() && !(inner.advance() && inner.isDone()) && !isOver(System.nanoTime())) {
      return false;
    }
    complete();
    return true;
  }

  private boolean isOver(long now) {
    if (now - lookedAt < LOOK_NANOS) {
      return false;
    }
    lookedAt = now;
    if (engine.isLeaving(peer)) {
      return true;
    }
    stillSince = !engine.doAllOthersWait() ? 0 : stillSince == 0 ? now : stillSince;
    needsBuffer = stillSince != 0 && now - stillSince > STILL_NANOS;
    isLate = now - begin > LONGEST_NANOS;
    return needsBuffer || isLate;
  }

  @Override
  public void drive() {
    inner.drive();
    advance();
  }

  @Override
  public void describe(WaitNote note) {
    inner.describe(note);
  }
}
