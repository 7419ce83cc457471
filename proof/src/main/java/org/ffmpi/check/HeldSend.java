// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.util.List;
import org.ffmpi.spi.Operation;

/**
 * A nonblocking standard send that ends when it has been received, as it may where nothing is buffered (MPI-4.1 §3.5).
 * Its message is a copy. So it can end before, with the message on its way, when the program waits for it and no rank
 * moves, which is a finding, and when the receiver finalizes or computes for long. It is looked at while the program
 * waits for it or tests it, by the threads that do.
 */
final class HeldSend extends LentOperation {
  /** How long all other ranks have to wait before the program is said to need a buffer. */
  private static final long STILL_NANOS = 1_000_000_000;

  /** How long a receiver that computes is waited for. */
  private static final long LONGEST_NANOS = 5_000_000_000L;

  private static final long LOOK_NANOS = 10_000_000;

  private final CheckEngine engine;
  private final int peer;
  private final int tag;
  private long begin;
  private long lookedAt;
  private long stillSince;

  HeldSend(CheckEngine engine, Operation inner, List<LentBuffer> buffers, int peer, int tag) {
    super(engine, inner, buffers);
    this.engine = engine;
    this.peer = peer;
    this.tag = tag;
  }

  @Override
  public boolean advance() {
    return super.advance() || !isDone() && isOver(System.nanoTime()) && finish();
  }

  /** Returns whether it ends before its message has been received. */
  private synchronized boolean isOver(long now) {
    if (begin == 0) {
      begin = now;
    }
    if (now - lookedAt < LOOK_NANOS) {
      return false;
    }
    lookedAt = now;
    boolean isAwaited = engine.waits();
    if (peer == engine.self()) {
      if (isAwaited) {
        engine.unsafe().addToItself(buffers().getFirst().place, tag, inner());
      }
      return isAwaited || now - begin > LONGEST_NANOS;
    }
    if (engine.isLeaving(peer)) {
      return true;
    }
    stillSince = !engine.doAllOthersWait() ? 0 : stillSince == 0 ? now : stillSince;
    boolean standsStill = stillSince != 0 && now - stillSince > STILL_NANOS;
    if (standsStill && isAwaited) {
      engine.needsBuffer(buffers().getFirst().place, peer, tag);
    } else if (standsStill || now - begin > LONGEST_NANOS) {
      engine.isLate();
      return true;
    }
    return standsStill;
  }
}
