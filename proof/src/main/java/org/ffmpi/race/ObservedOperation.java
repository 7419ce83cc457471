// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.ForwardingOperation;
import org.ffmpi.spi.Operation;

/**
 * An operation around another one, with an action for the moment when the program knows that it is complete. Any
 * thread.
 */
final class ObservedOperation extends ForwardingOperation {
  private final Runnable onSeen;
  /** Whether the end is seen when it comes. */
  private final boolean atOnce;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicBoolean seen = new AtomicBoolean();

  /**
   * Creates an operation.
   *
   * @param atOnce whether no wait or test of the program is to be expected
   * @param onSeen runs once when the program learns of it by a wait or test, or when an operation of which this is a
   *     step does; makes no calls of the engine
   */
  ObservedOperation(Operation inner, boolean atOnce, Runnable onSeen) {
    super(inner);
    this.atOnce = atOnce;
    this.onSeen = onSeen;
    if (inner.isDone()) {
      completeQuietly();
      ended.set(true);
      if (atOnce) {
        see();
      }
    } else {
      inner.parent(this);
    }
  }

  static Operation innerOf(Operation operation) {
    return operation instanceof ObservedOperation observed ? observed.inner() : operation;
  }

  /** Becomes pending again, with the persistent operation that has been started again. */
  void begin() {
    renew();
    ended.set(false);
    seen.set(false);
    inner().parent(this);
  }

  @Override
  public boolean advance() {
    return !isDone() && (inner().isDone() || inner().advance() && inner().isDone()) && end();
  }

  /** Completes this operation if the other one is complete. */
  boolean end() {
    if (!inner().isDone() || !ended.compareAndSet(false, true)) {
      return false;
    }
    if (atOnce || isStep()) {
      see();
    }
    if (inner().error() != null) {
      fail(inner().error());
    } else {
      complete();
    }
    return true;
  }

  /** Returns whether this is a step of an operation that the program waits for, which has more than this one in it. */
  private boolean isStep() {
    Operation each = this;
    Operation next = parent();
    while (next instanceof ForwardingOperation around && around.inner() == each) {
      each = next;
      next = each.parent();
    }
    return next != null;
  }

  /** Notes that the program knows that the operation is complete. */
  void see() {
    if (seen.compareAndSet(false, true)) {
      onSeen.run();
    }
  }

  @Override
  protected void childCompleted() {
    if (!end()) {
      super.childCompleted();
    }
  }

  @Override
  public boolean cancel() {
    boolean taken = super.cancel();
    advance();
    return taken;
  }

  @Override
  public void abandon(Consumer<MpiException> onError) {
    see();
    inner().abandon(onError);
  }

  @Override
  public void release() {
    see();
    inner().release();
  }
}
