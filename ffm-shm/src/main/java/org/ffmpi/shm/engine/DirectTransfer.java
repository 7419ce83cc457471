// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.datatype.plan.Plan;

/**
 * One copy out of a peer's buffer in the shared heap into a receive, a bounded step at a time. Used with the engine's
 * lock held. Its last step sets the completion word, after which the peer may use its buffer again.
 */
final class DirectTransfer implements OneCopy {
  private final RecvOp op;
  private final int peer;
  private final ShmEngine engine;
  private final long source;
  private final Plan sourcePlan;
  private final long sourceCount;
  private final long bytes;
  private final long word;
  private final int generation;
  private long done;

  DirectTransfer(
      ShmEngine engine, RecvOp op, int peer, long source, Plan sourcePlan, long sourceCount, long bytes,
      long word, int generation) {
    this.engine = engine;
    this.op = op;
    this.peer = peer;
    this.source = source;
    this.sourcePlan = sourcePlan;
    this.sourceCount = sourceCount;
    this.bytes = bytes;
    this.word = word;
    this.generation = generation;
  }

  @Override
  public RecvOp op() {
    return op;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public boolean step() {
    if (!op.isWritableHere()) {
      op.nudgeOwner();
      return false;
    }
    long n = Math.min(STEP, bytes - done);
    op.transfer(source, sourcePlan, sourceCount, done, n);
    done += n;
    if (done < bytes) {
      return false;
    }
    WordLayout.setReleaseState(word, generation, WordLayout.DONE);
    engine.wake(engine.segment.rankBlock(peer));
    op.finish();
    return true;
  }
}
