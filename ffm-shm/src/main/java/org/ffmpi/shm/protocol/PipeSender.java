// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The writing end of a pipe, which packs matched large messages into it, one after the other. Used with the rank's lock
 * held.
 *
 * <p>It never waits for space: {@link #push} does a bounded amount of work.
 */
final class PipeSender {
  /** Chunks per call of {@link #push}, enough to hide the cost of polling, few enough for polling to stay brief. */
  private static final int CHUNKS_PER_PUSH = 4;

  private final Endpoint endpoint;
  private final CompletionWords words;
  private final long pipe;
  private final long data;
  private final int capacity;
  private final long peerBlock;
  private final ArrayDeque<SendOp> queue = new ArrayDeque<>();
  private long tail;
  private long knownHead;

  PipeSender(Endpoint endpoint, CompletionWords words, long pipe, int capacity, long peerBlock) {
    this.endpoint = endpoint;
    this.words = words;
    this.pipe = pipe;
    this.data = pipe + PipeLayout.DATA_OFFSET;
    this.capacity = capacity;
    this.peerBlock = peerBlock;
  }

  long address() {
    return pipe;
  }

  boolean isIdle() {
    return queue.isEmpty();
  }

  /** Starts a matched send; its transfer id is in its completion word. */
  void start(SendOp op) {
    op.sent = -1; // the mark comes first
    queue.add(op);
  }

  /** Packs the next chunks, and returns their number. */
  int push() {
    int moved = 0;
    while (moved < CHUNKS_PER_PUSH && !queue.isEmpty()) {
      SendOp op = queue.peek();
      if (!op.isReadableHere()) {
        break;
      }
      if (op.sent < 0 && !mark(op)) {
        break;
      }
      if (op.sent < op.total && !chunk(op)) {
        break;
      }
      moved++;
      if (op.sent == op.total) {
        queue.remove();
        if (op.isSpoiled()) {
          op.word = 0; // not reused: the receiver has yet to read it
        } else {
          words.release(op);
        }
        op.finish();
      }
    }
    return moved;
  }

  private boolean mark(SendOp op) {
    if (space(PipeLayout.MARK_BYTES) < PipeLayout.MARK_BYTES) {
      return false;
    }
    PipeLayout.setPlainMark(data + (tail & (capacity - 1)), CompletionWordLayout.getPlainTransfer(op.word), op.total);
    op.sent = 0;
    advance(PipeLayout.MARK_BYTES);
    return true;
  }

  private boolean chunk(SendOp op) {
    int at = (int) (tail & (capacity - 1));
    int wanted = (int) Math.min(op.total - op.sent, chunkBytes(op.total));
    long n = Math.min(Math.min(wanted, capacity - at), space(wanted));
    if (n <= 0 || n < wanted && n < PipeLayout.MARK_BYTES) {
      return false;
    }
    if (n < op.total - op.sent) {
      n &= -PipeLayout.MARK_BYTES; // every chunk but the last ends on a line
    }
    op.pack(op.sent, n, data + at);
    op.sent += n;
    if (op.sent == op.total && op.isSpoiled()) {
      CompletionWordLayout.setReleaseState(op.word, op.generation, CompletionWordLayout.SPOILED);
      PipeLayout.setPlainSpoiled(pipe);
    }
    advance(PipeLayout.padded(n));
    return true;
  }

  /** Returns the length of a chunk. Small chunks overlap sooner, large ones cost less; the boundary is measured. */
  private int chunkBytes(long total) {
    ProtocolOptions options = endpoint.options();
    int chunk = options.chunk();
    int large = total > options.largeMessage() ? options.largeChunk() : chunk;
    return Math.max(PipeLayout.MARK_BYTES, Math.min(large, capacity / 4));
  }

  private long space(long wanted) {
    long free = capacity - (tail - knownHead);
    if (free < wanted) {
      knownHead = checkedHead();
      free = capacity - (tail - knownHead);
    }
    return free;
  }

  /** Returns the receiver's position, checked: not before the last known one, and not behind the tail. */
  private long checkedHead() {
    long head = PipeLayout.getAcquireHead(pipe);
    if (head < knownHead || head > tail) {
      throw new MpiException(
          ErrorClass.ERR_INTERN, "a pipe in which " + tail + " bytes were written says that " + head + " were read");
    }
    return head;
  }

  /** Fails when the words of the pipe have impossible values. */
  void verify() {
    checkedHead();
    long written = PipeLayout.getAcquireTail(pipe);
    if (written != tail) {
      throw new MpiException(
          ErrorClass.ERR_INTERN, "a pipe in which " + tail + " bytes were written says that it has had " + written);
    }
  }

  private void advance(long bytes) {
    tail += bytes;
    PipeLayout.setReleaseTail(pipe, tail);
    endpoint.wake(peerBlock);
  }

  /** Returns whether a send of some contexts is in the queue. */
  boolean any(LongPredicate contexts) {
    for (SendOp op : queue) {
      if (contexts.test(op.context)) {
        return true;
      }
    }
    return false;
  }

  /** Passes every send in the queue to a consumer. */
  void forEach(Consumer<SendOp> to) {
    queue.forEach(to);
  }

  /** Returns the number of bytes written to the pipe. */
  long pushed() {
    return tail;
  }

  /** Removes all sends and passes them to a consumer. */
  void removeAll(Consumer<SendOp> to) {
    for (SendOp op = queue.poll(); op != null; op = queue.poll()) {
      to.accept(op);
    }
  }
}
