// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * A receive of the engine below, which is complete once that one is and its outcome is known to the recording. Any
 * thread; never waits, but for the disk of the recording.
 */
final class ObservedReceive extends Operation {
  /** Gets the outcome of a receive, once, before the program sees it; possibly under locks of the engine. */
  interface Observer {
    void ended(Operation receive);
  }

  private final Engine engine;
  private final Operation receive;
  /** Null where the outcome is known. */
  private final Observer observer;
  private final boolean cancellable;
  private final AtomicBoolean settled = new AtomicBoolean();

  private ObservedReceive(Engine engine, Operation receive, Observer observer, boolean cancellable) {
    this.engine = engine;
    this.receive = receive;
    this.observer = observer;
    this.cancellable = cancellable;
  }

  /** Returns a receive whose outcome is reported. */
  static ObservedReceive of(Engine engine, Operation receive, Observer observer) {
    return new ObservedReceive(engine, receive, observer, true).linked();
  }

  /** Returns a receive that is known to get a message, so that it cannot be cancelled. */
  static ObservedReceive certain(Engine engine, Operation receive) {
    return new ObservedReceive(engine, receive, null, false).linked();
  }

  /** Has the engine's receive notify this one. It may complete at this moment; then a later look finds it. */
  private ObservedReceive linked() {
    receive.parent(this);
    advance();
    return this;
  }

  /** Returns the receive of the engine below. */
  Operation below() {
    return receive;
  }

  @Override
  protected void childCompleted() {
    advance();
  }

  @Override
  public boolean advance() {
    if (isDone() || !receive.isDone() && !(receive.advance() && receive.isDone())
        || !settled.compareAndSet(false, true)) {
      return false;
    }
    if (observer != null) {
      observer.ended(receive);
    }
    MpiException error = receive.error();
    if (error == null) {
      complete();
    } else {
      fail(error);
    }
    return true;
  }

  @Override
  public void drive() {
    receive.drive();
    advance();
  }

  @Override
  public void envelope(Envelope into) {
    receive.envelope(into);
  }

  @Override
  public long matchingContext() {
    return receive.matchingContext();
  }

  @Override
  public void describe(WaitNote note) {
    receive.describe(note);
  }

  @Override
  public boolean cancel() {
    boolean cancelled = cancellable && receive.cancel();
    advance();
    return cancelled;
  }

  @Override
  public void abandon(Consumer<MpiException> onError) {
    super.abandon(onError);
    if (!isDone()) {
      engine.register(this);
    }
  }

  @Override
  public void release() {
    receive.release();
  }
}
