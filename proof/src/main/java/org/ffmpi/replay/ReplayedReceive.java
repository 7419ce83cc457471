// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/** A receive that is known to get a message, so that it cannot be cancelled. Used as {@link ObservedReceive} is. */
final class ReplayedReceive extends ObservedReceive {
  private final Runnable onComplete;

  ReplayedReceive(Engine engine, Operation receive, Runnable onComplete) {
    super(engine, receive);
    this.onComplete = onComplete;
    link();
  }

  @Override
  void settle() {
    onComplete.run();
  }

  @Override
  public boolean cancel() {
    advance();
    return false;
  }
}
