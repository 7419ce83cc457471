// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * A send out of a copy and a receive into the original, which is complete when both are. It releases the copy's memory.
 */
final class Swapping extends Operation {
  private final Operation send;
  private final Operation receive;
  private final ScratchPool pool;
  private ScratchPool.Slab copy;

  Swapping(Operation send, Operation receive, ScratchPool pool, ScratchPool.Slab copy) {
    this.send = send;
    this.receive = receive;
    this.pool = pool;
    this.copy = copy;
    watch(send);
    watch(receive);
    advance();
  }

  @Override
  public void describe(WaitNote note) {
    (receive.isDone() ? send : receive).describe(note);
  }

  private void watch(Operation part) {
    if (!part.isDone()) {
      part.parent(this);
    }
  }

  @Override
  public synchronized boolean advance() {
    if (!isDone() && isOver(receive) && receive.error() != null && !send.isDone()) {
      send.cancel(); // the other rank, which has failed, may not look for it soon
    }
    if (isDone() || !isOver(send) || !isOver(receive)) {
      return false;
    }
    pool.release(copy);
    copy = null;
    MpiException error = receive.error() != null ? receive.error() : send.error();
    if (error != null) {
      fail(error);
    } else {
      complete();
    }
    return true;
  }

  private static boolean isOver(Operation part) {
    return part.isDone() || part.advance() && part.isDone();
  }

  @Override
  public void envelope(Envelope into) {
    receive.envelope(into);
  }

  @Override
  public boolean cancel() {
    boolean sendCancelled = send.isDone() || send.cancel();
    boolean receiveCancelled = receive.isDone() || receive.cancel();
    return sendCancelled && receiveCancelled;
  }
}
