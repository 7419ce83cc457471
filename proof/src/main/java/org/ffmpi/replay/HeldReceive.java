// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.util.concurrent.atomic.AtomicBoolean;
import org.ffmpi.base.Constants;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * A receive that was cancelled when it was recorded. No message may match it until it is cancelled again. Any thread;
 * never waits.
 */
final class HeldReceive extends Operation {
  private final long context;
  private final int peer;
  private final int tag;
  private final AtomicBoolean cancelled = new AtomicBoolean();

  HeldReceive(long context, int peer, int tag) {
    this.context = context;
    this.peer = peer;
    this.tag = tag;
  }

  @Override
  public boolean cancel() {
    if (cancelled.compareAndSet(false, true)) {
      complete();
    }
    return true;
  }

  @Override
  public void envelope(Envelope into) {
    into.set(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, true);
  }

  @Override
  public void describe(WaitNote note) {
    note.message(WaitNote.Kind.RECEIVE, peer, context, tag, 0);
  }
}
