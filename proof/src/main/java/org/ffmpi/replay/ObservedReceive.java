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
final class ObservedReceive extends Operation {
  private static final VarHandle SETTLED;

  static {
    try {
      SETTLED = MethodHandles.lookup().findVarHandle(ObservedReceive.class, "settled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Engine engine;
  private final Operation receive;
  /** Where the outcome is written; null where it is known. */
  private final ChoiceLog log;
  private final int entry;
  private final boolean anyTag;
  private volatile boolean settled;

  private ObservedReceive(Engine engine, Operation receive, ChoiceLog log, int entry, boolean anyTag) {
    this.engine = engine;
    this.receive = receive;
    this.log = log;
    this.entry = entry;
    this.anyTag = anyTag;
  }

  /** Returns a receive whose outcome is written to the log, for an entry there. */
  static ObservedReceive recorded(Engine engine, Operation receive, ChoiceLog log, int entry, boolean anyTag) {
    return new ObservedReceive(engine, receive, log, entry, anyTag).linked();
  }

  /** Returns a receive that is known to get a message, so that it cannot be cancelled. */
  static ObservedReceive certain(Engine engine, Operation receive) {
    return new ObservedReceive(engine, receive, null, 0, false).linked();
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
        || !SETTLED.compareAndSet(this, false, true)) {
      return false;
    }
    if (log != null) {
      record();
    }
    MpiException error = receive.error();
    if (error == null) {
      complete();
    } else {
      fail(error);
    }
    return true;
  }

  private void record() {
    Envelope found = new Envelope();
    receive.envelope(found);
    int outcome = found.cancelled() ? RecordingFormat.CANCELLED
        : found.peer() < 0 ? RecordingFormat.FAILED : RecordingFormat.VALUE + found.peer();
    if (outcome != RecordingFormat.FAILED || engine.endReason().isEmpty()) {
      log.later(entry, anyTag, outcome, found.tag());
    }
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
    boolean cancelled = log != null && receive.cancel();
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
