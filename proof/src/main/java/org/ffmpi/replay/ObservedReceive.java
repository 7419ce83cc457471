// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
abstract class ObservedReceive extends Operation {
  private static final VarHandle SETTLED;

  static {
    try {
      SETTLED = MethodHandles.lookup().findVarHandle(ObservedReceive.class, "settled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Engine engine;
  final Operation receive;
  private volatile boolean settled;

  ObservedReceive(Engine engine, Operation receive) {
    this.engine = engine;
    this.receive = receive;
  }

  /** Called once when the receive below is complete, before this one is. */
  abstract void settle();

  /** Has the engine's receive notify this one. It may complete at this moment; then a later look finds it. */
  final void link() {
    receive.parent(this);
    advance();
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
        || !SETTLED.compareAndSet(this, false, true)) {
      return false;
    }
    settle();
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
