// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/** A send that is complete when a receive has taken its message. Used by the rank that has the turn. */
final class ExploredSend extends Operation implements ExploredOperation {
  ExploredMessage message;
  private boolean denied;

  @Override
  public boolean isReady() {
    return message.matched != null;
  }

  @Override
  public Past past() {
    return message.matched;
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
  public long matchingContext() {
    return message.context;
  }

  @Override
  public void describe(WaitNote note) {
    note.message(WaitNote.Kind.SEND, message.to, message.context, message.tag, message.bytes);
  }
}
