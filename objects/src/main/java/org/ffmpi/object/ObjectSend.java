// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.util.List;
import java.util.function.Consumer;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * An object with parts on its way out: complete when all of its messages are. Any thread advances it, one at a time;
 * the messages themselves move whenever the rank makes progress.
 */
final class ObjectSend extends GatedOperation {
  private final List<Operation> messages;
  private int complete;

  private ObjectSend(List<Operation> messages) {
    this.messages = messages;
  }

  /** Joins messages that have been started and that no other thread waits for. */
  static Operation of(List<Operation> messages) {
    ObjectSend made = new ObjectSend(messages);
    for (Operation message : messages) {
      if (!message.isDone()) { // complete ones may be shared
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
      while (complete < messages.size() && isOver(messages.get(complete))) {
        complete++;
        moved = true;
      }
      if (complete == messages.size()) {
        close();
        end();
        return true;
      }
    } while (!leave());
    return moved;
  }

  private static boolean isOver(Operation message) {
    return message.isDone() || message.advance() && message.isDone();
  }

  private void end() {
    for (Operation message : messages) {
      MpiException error = message.error();
      if (error != null) {
        fail(error);
        return;
      }
    }
    complete();
  }

  /** Nobody asks any more: only the messages themselves go on. */
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
