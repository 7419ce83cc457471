// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.shm.memory.CrossMemory;

/**
 * One copy out of a peer's private memory. After a refusal of the kernel the message comes through the pipe, from its
 * first byte on.
 */
final class CrossTransfer extends OneCopy implements CrossMemory.Sink {
  /** Segment offset of the pipe for a refused message. */
  final long pipe;

  private final CrossMemory cross;
  private final TransferTimes times;
  private final int process;
  private final long source;
  private final long startedAt = System.nanoTime();

  CrossTransfer(RecvOp op, UnexpectedMessage m, int process, CrossMemory cross, TransferTimes times) {
    super(op, m, Math.min(m.total, op.capacity()));
    this.pipe = m.at;
    this.cross = cross;
    this.times = times;
    this.process = process;
    this.source = m.layout;
  }

  @Override
  boolean copy(long from, long n) {
    if (cross.peersAreThreads()) {
      op.write(source + from, from, n);
      return true;
    }
    long target = op.run(from, n);
    return target != 0
        ? cross.read(process, source + from, target, n)
        : cross.readStaged(process, source, from, n, this);
  }

  @Override
  public void accept(long at, long from, long n) {
    op.write(at, from, n);
  }

  @Override
  void onOver(long bytes) {
    times.addRead(bytes, System.nanoTime() - startedAt);
  }
}
