// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.util.List;
import java.util.function.Consumer;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * The send of an object with parts: complete when all of its messages are. Any thread advances it, one at a time; the
 * messages themselves move whenever the rank makes progress.
 */
final class ObjectSend extends GatedOperation {
  private final List<Operation> messages;
  /** Number of leading messages that are complete. */
  private int complete;

  private ObjectSend(List<Operation> messages) {
    this.messages = messages;
  }

  /** Returns the send of messages that have been started and that no other thread waits for. */
  static Operation of(List<Operation> messages) {
    ObjectSend made = new ObjectSend(messages);
    for (Operation message : messages) {
      if (!message.isDone()) { // a complete one may be shared between requests
        message.parent(made);
      }
    }
    made.open();
    made.advance();
    return made;
  }

  @Override
  public boolean advance() {
    if (!enter()) {
      return false;
    }
    boolean moved = false;
    do {
      while (complete < messages.size() && isComplete(messages.get(complete))) {
        complete++;
        moved = true;
      }
      if (complete == messages.size()) {
        close();
        finish();
        return true;
      }
    } while (!leave());
    return moved;
  }

  private static boolean isComplete(Operation message) {
    return message.isDone() || message.advance() && message.isDone();
  }

  private void finish() {
    for (Operation message : messages) {
      MpiException error = message.error();
      if (error != null) {
        fail(error);
        return;
      }
    }
    complete();
  }

  /** Abandons each message: the request is freed, and the messages complete by themselves. */
  @Override
  public void abandon(Consumer<MpiException> onError) {
    for (Operation message : messages) {
      if (!message.isDone()) {
        message.abandon(onError);
      }
    }
  }

  @Override
  public void describe(WaitNote note) {
    for (Operation message : messages) {
      if (!message.isDone()) {
        message.describe(note);
        return;
      }
    }
  }
}
