// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.function.Supplier;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * A collective call in the queue of {@link ComparedCalls}. At its turn it begins its operation, with which it
 * completes, or without one completes at once. It completes with an error when the ranks do not agree.
 */
final class ComparedCall extends Operation {
  private final ComparedCalls calls;
  private final long[] note;
  private final Supplier<Operation> start;
  private final Thread onlyThread;
  private volatile Operation begun;
  private boolean over;

  /** Set when all ranks agree; guarded by the queue's lock. */
  private boolean agreed;

  /**
   * Creates a call.
   *
   * @param note the note for the other ranks, or null for a call that is not compared
   * @param start starts the operation; null when there is none, or when the waiting thread starts it
   * @param onlyThread the thread that has to start it, because only that may touch its memory; null for any
   */
  ComparedCall(ComparedCalls calls, long[] note, Supplier<Operation> start, Thread onlyThread) {
    this.calls = calls;
    this.note = note;
    this.start = start;
    this.onlyThread = onlyThread;
    this.agreed = note == null;
  }

  long[] note() {
    return note;
  }

  boolean isAgreed() {
    return agreed;
  }

  void agree() {
    agreed = true;
  }

  /** Returns whether the calling thread may begin the call. */
  boolean mayBegin() {
    return onlyThread == null || onlyThread == Thread.currentThread();
  }

  /** Begins the call, whose turn has come. */
  void begin() {
    if (start == null) {
      complete();
      return;
    }
    try {
      Operation operation = start.get();
      if (!operation.isDone()) {
        operation.parent(this);
      }
      begun = operation;
      finish();
    } catch (RuntimeException e) {
      fail(Failures.translate(e));
    }
  }

  /** Fails the call before it has begun. */
  void refuse(MpiException mismatch) {
    fail(mismatch);
  }

  /** Wakes the thread that waits for this call, which may be able to begin it. */
  void wake() {
    childCompleted();
  }

  /** Names the call, and until it has begun a rank that has not made it. */
  @Override
  public void describe(WaitNote into) {
    Operation operation = begun;
    if (operation != null) {
      operation.describe(into);
    } else if (note != null) {
      calls.describe(this, into);
    }
  }

  @Override
  public boolean advance() {
    boolean moved = calls.advance();
    Operation operation = begun;
    if (operation == null || isDone()) {
      return moved;
    }
    if (!operation.isDone()) {
      moved |= operation.advance();
    }
    return finish() || moved;
  }

  /** Completes the call when its operation is complete; returns whether it has. */
  private boolean finish() {
    if (!begun.isDone()) {
      return false;
    }
    synchronized (this) {
      if (over) {
        return false;
      }
      over = true;
    }
    if (begun.error() != null) {
      fail(begun.error());
    } else {
      complete();
    }
    return true;
  }
}
