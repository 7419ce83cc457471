// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.function.Predicate;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * A send that is complete when a receive has taken its message, or as soon as the rank looks at it where it is
 * buffered. Used by the rank that has the turn.
 */
final class ExploredSend extends Operation implements ExploredOperation {
  ExploredMessage message;
  private final Predicate<ExploredMessage> withdrawal;
  private final boolean buffered;
  private boolean cancelled;
  private boolean denied;

  /**
   * Creates a send, whose message is to be set.
   *
   * @param withdrawal withdraws a message that no receive has taken
   * @param buffered whether it waits for no receive
   */
  ExploredSend(Predicate<ExploredMessage> withdrawal, boolean buffered) {
    this.withdrawal = withdrawal;
    this.buffered = buffered;
  }

  boolean isBuffered() {
    return buffered;
  }

  @Override
  public boolean isReady() {
    return buffered || message.matched != null;
  }

  @Override
  public Past past() {
    return buffered ? message.past : message.matched;
  }

  @Override
  public void deliver() {
    complete();
  }

  @Override
  public boolean isDenied() {
    return denied;
  }

  @Override
  public void deny() {
    denied = true;
  }

  @Override
  public boolean cancel() {
    if (isDone() || buffered || !withdrawal.test(message)) {
      return false;
    }
    cancelled = true;
    complete();
    return true;
  }

  @Override
  public void envelope(Envelope into) {
    into.clear();
    into.set(into.peer(), into.tag(), 0, cancelled);
  }

  @Override
  public long matchingContext() {
    return message.context;
  }

  @Override
  public void describe(WaitNote note) {
    note.message(WaitNote.Kind.SEND, message.to, message.context, message.tag, message.bytes);
  }
}
