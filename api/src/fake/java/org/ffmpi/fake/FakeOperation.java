// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.fake;

import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/** An operation that a test completes by hand. */
public final class FakeOperation extends Operation {
  private final boolean cancellable;
  private int peer = Constants.ANY_SOURCE;
  private int tag = Constants.ANY_TAG;
  private long bytes;
  private boolean cancelled;

  FakeOperation(boolean cancellable) {
    this.cancellable = cancellable;
  }

  /** Completes a send or a collective. */
  public void finish() {
    complete();
  }

  /** Completes a receive. */
  public void finish(int peer, int tag, long bytes) {
    this.peer = peer;
    this.tag = tag;
    this.bytes = bytes;
    complete();
  }

  /** Completes with an error. */
  public void failWith(MpiException reason) {
    fail(reason);
  }

  @Override
  public void envelope(Envelope into) {
    into.set(peer, tag, bytes, cancelled);
  }

  @Override
  public boolean cancel() {
    if (!cancellable || isDone()) {
      return false;
    }
    cancelled = true;
    complete();
    return true;
  }
}
