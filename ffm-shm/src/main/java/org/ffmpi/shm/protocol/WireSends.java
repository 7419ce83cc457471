// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.wire.Wire;

/**
 * The matched long messages to ranks on other nodes. Guarded by the rank's lock. The mirror of
 * {@link WireReceives}.
 */
final class WireSends {
  private final Wire wire;
  private final CompletionWords words;
  private final WirePieces.Pool pool = new WirePieces.Pool();

  /** The matched messages, the oldest first. */
  private final List<Sent> sends = new ArrayList<>();

  /** Failed messages of which the wire still has pieces. */
  private final List<Sent> failed = new ArrayList<>();

  /** A matched message. */
  private static final class Sent extends WirePieces {
    final SendOp op;
    boolean isBegun;
    private long packed = -1;

    /** What the wire may still read after the send has failed; the copy is null for other sends. */
    private final Object owner;

    private PackedCopies.Copy copy;

    Sent(Wire wire, Pool pool, SendOp op, long transfer) {
      super(wire, pool, op.peer, tag(transfer), op.total, piece(transfer), op.run());
      this.op = op;
      this.owner = op.owner;
    }

    @Override
    boolean prepare(long buffer, long from, long bytes) {
      if (packed < from) {
        if (!op.isReadableHere()) {
          return false;
        }
        op.pack(from, bytes, buffer);
        packed = from;
      }
      return true;
    }

    @Override
    boolean consume(long buffer, long from, long bytes) {
      return true;
    }

    @Override
    int start(Wire wire, long address, long bytes) {
      return wire.startSend(peer, tag, address, bytes);
    }

    /** Takes the copy from the send, which fails. */
    void keepCopy() {
      copy = op.copy;
      op.copy = null;
    }

    /** Gives back the memory of a failed message if the wire has read all that it has begun. */
    boolean isGivenBack() {
      if (!isDrained()) {
        return false;
      }
      end();
      if (copy != null) {
        copy.release();
        copy = null;
      }
      return true;
    }
  }

  WireSends(Wire wire, CompletionWords words) {
    this.wire = wire;
    this.words = words;
  }

  /** Starts a matched send; its receiver's transfer is in its completion word. */
  void start(SendOp op) {
    op.sent = 0;
    sends.add(new Sent(wire, pool, op, CompletionWordLayout.getPlainTransfer(op.word)));
  }

  boolean isEmpty() {
    return sends.isEmpty();
  }

  /** Progresses all messages; returns the number of moves. */
  int poll() {
    int moved = 0;
    failed.removeIf(Sent::isGivenBack);
    for (int i = 0; i < sends.size(); i++) {
      Sent sent = sends.get(i);
      if (!sent.isBegun && !(sent.isBegun = sent.begin())) {
        continue;
      }
      moved += sent.step();
      if (sent.isOver()) {
        sends.remove(i--);
        sent.end();
        words.release(sent.op);
        sent.op.finish();
      }
    }
    return moved;
  }

  /** Returns whether a message of some contexts is under way. */
  boolean any(LongPredicate contexts) {
    for (Sent sent : sends) {
      if (contexts.test(sent.op.context)) {
        return true;
      }
    }
    return false;
  }

  /** Passes every message under way to a consumer. */
  void forEach(Consumer<SendOp> to) {
    for (Sent sent : sends) {
      to.accept(sent.op);
    }
  }

  /**
   * Ends the messages to a departed peer. Pieces that the wire is sending are not cancelled; their buffers are given
   * back at a later poll, once the wire has read them.
   */
  void failAllTo(int peer, MpiException error) {
    for (int i = sends.size() - 1; i >= 0; i--) {
      Sent sent = sends.get(i);
      if (sent.peer == peer) {
        sends.remove(i);
        sent.keepCopy();
        if (!sent.isGivenBack()) {
          failed.add(sent);
        }
        words.release(sent.op);
        sent.op.finish(error);
      }
    }
  }

  /** Returns the number of buffers in use; for tests. */
  int inUse() {
    return pool.inUse();
  }
}
