// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/** A receive whose outcome is written to a log. Used as {@link ObservedReceive} is. */
final class RecordedReceive extends ObservedReceive {
  private final ChoiceLog log;
  private final int entry;
  private final boolean anyTag;

  RecordedReceive(Engine engine, Operation receive, ChoiceLog log, int entry, boolean anyTag) {
    super(engine, receive);
    this.log = log;
    this.entry = entry;
    this.anyTag = anyTag;
    link();
  }

  @Override
  void settle() {
    Envelope found = log.innerEnvelope();
    receive.envelope(found);
    int outcome = found.cancelled() ? RecordingFormat.CANCELLED
        : found.peer() < 0 ? RecordingFormat.FAILED : RecordingFormat.VALUE + found.peer();
    if (outcome != RecordingFormat.FAILED || engine.endReason().isEmpty()) {
      log.later(entry, anyTag, outcome, found.tag());
    }
  }

  @Override
  public boolean cancel() {
    boolean cancelled = receive.cancel();
    advance();
    return cancelled;
  }
}
