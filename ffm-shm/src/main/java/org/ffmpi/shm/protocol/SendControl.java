// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.shm.progress.RankProgress;

/** Cancels and advances started sends. Any thread. */
final class SendControl implements SendOp.Owner {
  private final OutboundRings outbound;
  private final SelfMessages selfMessages;
  private final RankProgress progress;

  /**
   * Creates the control of one rank's sends.
   *
   * @param outbound the ways to its peers
   * @param selfMessages its messages to itself
   * @param progress its progress
   */
  public SendControl(
      OutboundRings outbound, SelfMessages selfMessages, RankProgress progress) {
    this.outbound = outbound;
    this.selfMessages = selfMessages;
    this.progress = progress;
  }

  @Override
  public boolean cancel(SendOp op) {
    boolean cancelled = op.protocol == Protocol.SELF ? selfMessages.withdraw(op) : withdraw(op);
    if (cancelled) {
      op.cancelled = true;
      op.finish();
    }
    return cancelled;
  }

  private boolean withdraw(SendOp op) {
    Outbound o = outbound.to(op.peer);
    if (!o.lock.lock()) {
      return false;
    }
    try {
      boolean isPartlySent = o.isPartlySent(op);
      op.cancelWanted = op.cancellable && isPartlySent; // the rest has to follow first
      return !isPartlySent && (o.backlog.withdraw(op) || op.word != 0 && op.cancellable && o.cancel(op));
    } finally {
      o.lock.unlock();
    }
  }

  @Override
  public boolean advance() {
    return progress.pollOnce() > 0;
  }
}
