// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The reading end of a pipe, which unpacks payload into matched receives. Called with the rank's lock held.
 *
 * <p>Every word of the pipe is read once and checked before it is used: the tail, and the id and length of each mark.
 */
final class PipeReceiver {
  /** Bytes unpacked per poll at the most, so that polling stays brief. */
  private static final int BYTES_PER_POLL = 1 << 18;

  private final Endpoint endpoint;
  private final TransferIds ids;
  private final TransferTimes times;
  private final int peer;
  private final long pipe;
  private final long data;
  private final int capacity;
  private final long peerBlock;

  /** Number of matched receives that are not finished. */
  int expected;

  private RecvOp current;
  private long total;
  private long received;
  private long head;

  /** End of the last measured transfer. */
  private long lastEnd;

  PipeReceiver(Endpoint endpoint, TransferIds ids, TransferTimes times, int peer, long pipe, int capacity) {
    this.endpoint = endpoint;
    this.ids = ids;
    this.times = times;
    this.peer = peer;
    this.pipe = pipe;
    this.data = pipe + PipeLayout.DATA_OFFSET;
    this.capacity = capacity;
    this.peerBlock = endpoint.segment().rankBlock(peer);
  }

  int peer() {
    return peer;
  }

  long address() {
    return pipe;
  }

  /** Unpacks the payload that has come, a bounded amount; returns the number of chunks. */
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
        throw new MpiException(ErrorClass.ERR_INTERN, "a pipe of " + capacity + " bytes says that it holds " + there);
      }
      if (current == null) {
        begin();
        there -= PipeLayout.MARK_BYTES;
      }
      if (!current.isWritableHere()) {
        current.unparkOwner();
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
        endpoint.wake(peerBlock);
      }
      moved++;
      if (received == total) {
        end();
      }
    }
    return moved;
  }

  /** Fails when this end's word in the pipe has been altered. */
  void verify() {
    long read = PipeLayout.getAcquireHead(pipe);
    if (read != head) {
      throw new MpiException(
          ErrorClass.ERR_INTERN,
          "the pipe from rank " + peer + ", of which " + head + " bytes were read, says that " + read + " were");
    }
  }

  private void end() {
    RecvOp op = current;
    current = null;
    expected--;
    ids.end();
    if (op.startedAt != 0) {
      long now = System.nanoTime();
      times.addPiped(total, now - Math.max(op.startedAt, lastEnd)); // it may have waited for earlier transfers
      lastEnd = now;
    }
    if (PipeLayout.getPlainSpoiled(pipe) != 0
        && CompletionWordLayout.getAcquireState(op.word, op.generation) == CompletionWordLayout.SPOILED) {
      op.spoil(peer);
    }
    op.finish();
  }

  private void begin() {
    long mark = data + (head & (capacity - 1));
    long id = PipeLayout.getPlainMarkId(mark);
    long bytes = PipeLayout.getPlainMarkBytes(mark);
    RecvOp op = ids.release(id, peer);
    if (op == null || bytes != op.matchedBytes()) {
      if (op != null) {
        current = op; // ends with its peer
      }
      throw new MpiException(
          ErrorClass.ERR_INTERN,
          "the pipe from rank " + peer + " carries an unknown transfer: id " + id + ", " + bytes + " bytes");
    }
    current = op;
    total = bytes;
    received = 0;
    head += PipeLayout.MARK_BYTES;
    PipeLayout.setReleaseHead(pipe, head);
  }

  /** Abandons the receive that is being filled, and returns it, or null; the peer is dead. */
  RecvOp abandon() {
    RecvOp op = current;
    current = null;
    if (op != null) {
      expected--;
      ids.end();
    }
    return op;
  }
}
