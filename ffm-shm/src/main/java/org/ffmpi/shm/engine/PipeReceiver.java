// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The reading end of a pipe: unpacks what comes into the receives that were matched. Used with the engine's lock held.
 */
final class PipeReceiver {
  /** Bytes unpacked per poll at the most, so that polling stays brief. */
  private static final int BYTES_PER_POLL = 1 << 18;

  private final ShmEngine engine;
  private final long pipe;
  private final long data;
  private final int capacity;
  private final long peerBlock;
  private final Inbound from;

  /** Receives matched and not finished. */
  int expected;

  private RecvOp current;
  private long total;
  private long received;
  private long head;

  /** When the last transfer ended whose time is taken. */
  private long lastEnd;

  PipeReceiver(ShmEngine engine, Inbound from, long pipe, int capacity) {
    this.engine = engine;
    this.from = from;
    this.pipe = pipe;
    this.data = pipe + PipeLayout.DATA_OFFSET;
    this.capacity = capacity;
    this.peerBlock = from.peerBlock;
  }

  long address() {
    return pipe;
  }

  /** Unpacks what is there, within bounds; returns how many chunks it took. */
  int poll() {
    int moved = 0;
    int budget = BYTES_PER_POLL;
    while (expected > 0 && budget > 0) {
      long tail = PipeLayout.getAcquireTail(pipe);
      long there = tail - head;
      if (there == 0) {
        break;
      }
      if (there < 0 || there > capacity || (there & (PipeLayout.MARK_BYTES - 1)) != 0) {
        throw new MpiException(ErrorClass.ERR_INTERN, "a pipe of " + capacity + " bytes claims to hold " + there);
      }
      if (current == null) {
        begin();
        there -= PipeLayout.MARK_BYTES;
      }
      if (!current.isWritableHere()) {
        current.nudgeOwner();
        break;
      }
      int at = (int) (head & (capacity - 1));
      long n = Math.min(Math.min(total - received, capacity - at), Math.min(there, budget));
      if (n > 0) {
        current.write(data + at, received, n);
        received += n;
        budget -= (int) PipeLayout.padded(n); // stays a multiple of a line, as every cut within a transfer must
        head += received == total ? PipeLayout.padded(n) : n;
        PipeLayout.setReleaseHead(pipe, head);
        engine.wake(peerBlock);
      }
      moved++;
      if (received == total) {
        end();
      }
    }
    return moved;
  }

  private void end() {
    RecvOp op = current;
    current = null;
    expected--;
    engine.receiving.transferEnded();
    if (op.startedAt != 0) {
      long now = System.nanoTime();
      from.choice.wasPiped(total, now - Math.max(op.startedAt, lastEnd)); // it may have waited for those before it
      lastEnd = now;
    }
    op.finish();
  }

  private void begin() {
    long mark = data + (head & (capacity - 1));
    long cookie = PipeLayout.getPlainMarkCookie(mark);
    long bytes = PipeLayout.getPlainMarkBytes(mark);
    RecvOp op = engine.receiving.cookies.take(cookie);
    if (op == null || bytes < 0) {
      throw new MpiException(
          ErrorClass.ERR_INTERN,
          "a pipe carries a transfer that nobody expects: cookie " + cookie + ", " + bytes + " bytes");
    }
    current = op;
    total = bytes;
    received = 0;
    head += PipeLayout.MARK_BYTES;
    PipeLayout.setReleaseHead(pipe, head);
  }

  /** Gives up the receive that is being filled; the peer is dead. */
  RecvOp abandon() {
    RecvOp op = current;
    current = null;
    if (op != null) {
      expected--;
      engine.receiving.transferEnded();
    }
    return op;
  }
}
