// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/**
 * One copy out of a peer's private memory. When the kernel refuses, the peer is asked for the pipe instead, from the
 * message's first byte on.
 */
final class CrossTransfer extends OneCopy {
  private final int process;
  private final long source;
  private final long pipe;
  private final long startedAt = System.nanoTime();

  CrossTransfer(
      ShmEngine engine, RecvOp op, int peer, int process, long source, long bytes, long pipe,
      long word, int generation) {
    super(engine, op, peer, bytes, word, generation);
    this.process = process;
    this.source = source;
    this.pipe = pipe;
  }

  @Override
  boolean copy(long from, long n) {
    if (engine.cross.read(op, process, source, from, n)) {
      return true;
    }
    op.startedAt = 0;
    engine.receiving.startPiped(pipe, peer, word, generation, op);
    return false;
  }

  @Override
  void over(long bytes) {
    engine.inbound(peer).choice.wasRead(bytes, System.nanoTime() - startedAt);
  }
}
