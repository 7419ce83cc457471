// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/**
 * One copy out of a peer's private memory. When the kernel refuses, the peer is asked for the pipe instead, from the
 * message's first byte on.
 */
final class CrossTransfer implements OneCopy {
  private final ShmEngine engine;
  private final RecvOp op;
  private final int peer;
  private final int process;
  private final long source;
  private final long bytes;
  private final long pipe;
  private final long word;
  private final int generation;
  private long done;

  CrossTransfer(
      ShmEngine engine, RecvOp op, int peer, int process, long source, long bytes, long pipe,
      long word, int generation) {
    this.engine = engine;
    this.op = op;
    this.peer = peer;
    this.process = process;
    this.source = source;
    this.bytes = bytes;
    this.pipe = pipe;
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
    if (!engine.cross.read(op, process, source, done, n)) {
      engine.receiving.startPiped(pipe, peer, word, generation, op);
      return true;
    }
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
