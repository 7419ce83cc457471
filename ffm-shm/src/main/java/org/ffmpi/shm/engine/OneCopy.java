// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/**
 * A matched message on its way from where the sender keeps it into the receive, with no packed form between, a bounded
 * step at a time. Used with the engine's lock held. Its last step sets the completion word, after which the peer may
 * use its buffer again.
 */
abstract class OneCopy {
  /** Bytes per step: long enough that the copy runs at memory speed, short enough that polling stays brief. */
  static final long STEP = 1 << 20;

  final ShmEngine engine;
  final RecvOp op;
  final int peer;
  final long word;
  final int generation;
  private final long bytes;
  private long done;

  OneCopy(ShmEngine engine, RecvOp op, int peer, long bytes, long word, int generation) {
    this.engine = engine;
    this.op = op;
    this.peer = peer;
    this.bytes = bytes;
    this.word = word;
    this.generation = generation;
  }

  /** Copies part of the message; false when it goes on by other means. */
  abstract boolean copy(long from, long n);

  /** Everything has been copied; the message's word is set next. */
  void over(long bytes) {}

  /** Copies the next step; true when nothing is left to do here. */
  final boolean step() {
    if (!op.isWritableHere()) {
      op.nudgeOwner();
      return false;
    }
    long n = Math.min(STEP, bytes - done);
    if (!copy(done, n)) {
      return true;
    }
    done += n;
    engine.receiving.copied += n;
    if (done < bytes) {
      return false;
    }
    over(bytes);
    WordLayout.setReleaseState(word, generation, WordLayout.DONE);
    engine.wake(engine.segment.rankBlock(peer));
    op.finish();
    return true;
  }
}
