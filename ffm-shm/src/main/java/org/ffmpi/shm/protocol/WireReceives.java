// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.wire.Wire;

/**
 * The matched long messages from ranks on other nodes. The sender of a message gets the note to start only when the
 * first piece is being received. A message that has begun keeps its buffers and request to its end, so that all data
 * that is sent is received: no two ranks wait for each other's buffers or requests. Guarded by the rank's lock. The
 * mirror of {@link WireSends}.
 *
 * <p>A piece for a buffer that only one thread may write waits briefly for that thread, which may be in a call. After
 * that it goes to memory of the message's own, with all that follow.
 */
final class WireReceives {
  /** Longest time for which a piece waits for the thread of its buffer. */
  private static final long PATIENCE_NANOS = 1_000_000;

  /** Keeps the rest of a message until the thread that may write its buffer makes a call. */
  interface Keeper {
    /** Binds a receive to a new message, which keeps what follows the first {@code received} bytes. */
    UnexpectedMessage divert(RecvOp op, int peer, long total, long received);

    /** Appends a piece to a kept message. */
    void append(UnexpectedMessage m, long at, int bytes);

    /** Ends a kept message whose last piece has come. */
    void onLastChunk(UnexpectedMessage m);

    /** Ends a receive, which may be bound to a kept message, with an error. */
    void fail(RecvOp op, MpiException error);
  }

  private final Wire wire;
  private Keeper keeper;
  private final MirrorWords mirrors;
  private final WirePieces.Pool pool = new WirePieces.Pool();
  private final boolean[] tags = new boolean[Wire.TAGS];
  private int lastTag;
  private int usedTags;

  /** The matched messages, the oldest first. */
  private final List<Received> receives = new ArrayList<>();

  /** Keeps memory reachable to which the wire may still write, though its message has failed. */
  private final List<Object> lost = new ArrayList<>();

  /** A matched message. */
  private final class Received extends WirePieces {
    final RecvOp op;
    final long word;
    final long piece;
    boolean isBegun;

    /** What has come while the thread of the buffer was elsewhere, or null. */
    private UnexpectedMessage kept;

    /** Time since which a piece waits for that thread; 0: none does. */
    private long waitingSince;

    Received(Wire wire, Pool pool, RecvOp op, long word, int peer, long total, long piece, long run) {
      super(wire, pool, peer, -1, total, piece, run);
      this.op = op;
      this.word = word;
      this.piece = piece;
    }

    @Override
    boolean prepare(long buffer, long from, long bytes) {
      return true;
    }

    @Override
    boolean consume(long buffer, long from, long bytes) {
      if (kept == null && !op.isWritableHere()) {
        op.unparkOwner();
        if (!isOverdue()) {
          return false;
        }
        try {
          kept = keeper.divert(op, peer, total, from);
        } catch (OutOfMemoryError e) {
          return false; // only the thread of the buffer can help
        }
      }
      if (kept != null) {
        keeper.append(kept, buffer, (int) bytes);
      } else {
        op.write(buffer, from, bytes);
        waitingSince = 0;
      }
      return true;
    }

    private boolean isOverdue() {
      long now = System.nanoTime();
      if (waitingSince == 0) {
        waitingSince = now | 1;
      }
      return now - waitingSince > PATIENCE_NANOS;
    }

    void finish() {
      if (kept != null) {
        keeper.onLastChunk(kept);
      } else {
        op.finish();
      }
    }

    @Override
    int start(Wire wire, long address, long bytes) {
      return wire.startReceive(peer, tag, address, bytes);
    }
  }

  WireReceives(Wire wire, MirrorWords mirrors) {
    this.wire = wire;
    this.mirrors = mirrors;
  }

  /** Sets the keeper, before the first message. */
  void setKeeper(Keeper keeper) {
    this.keeper = keeper;
  }

  boolean isEmpty() {
    return receives.isEmpty();
  }

  /** Starts the transfer of a matched message; {@code isRun} is set if its data is one run at the sender. */
  void start(UnexpectedMessage m, RecvOp op, boolean isRun) {
    long run = isRun ? op.run(0, m.total) : 0;
    long piece = run != 0 ? WirePieces.LARGEST : WirePieces.PIECE;
    receives.add(new Received(wire, pool, op, m.word, m.peer(), m.total, piece, run));
    poll();
  }

  private int claimTag() {
    do {
      lastTag = (lastTag + 1) % tags.length; // the oldest tags are the next to be free
    } while (tags[lastTag]);
    tags[lastTag] = true;
    usedTags++;
    return lastTag;
  }

  private void releaseTag(int tag) {
    tags[tag] = false;
    usedTags--;
  }

  /** Progresses all messages; returns the number of moves. */
  int poll() {
    int moved = 0;
    for (int i = 0; i < receives.size(); i++) {
      Received r = receives.get(i);
      if (!r.isBegun) {
        if (r.tag < 0 && usedTags == tags.length || !r.begin()) {
          continue;
        }
        if (r.tag < 0) {
          r.tag = claimTag();
        }
        if (r.step() == 0 && !r.isOver()) {
          continue; // the wire has no room for a receive: the sender must not use a request that others need
        }
        r.isBegun = true;
        moved++;
        CompletionWordLayout.setPlainTransfer(r.word, WirePieces.transfer(r.tag, r.piece));
        mirrors.signal(r.word, CompletionWordLayout.MATCHED);
      }
      moved += r.step();
      if (r.isOver()) {
        receives.remove(i--);
        r.end();
        releaseTag(r.tag);
        r.finish();
      }
    }
    return moved;
  }

  /** Ends the messages from a dead peer, and gives back their receives, buffers, tags and words. */
  void failAllFrom(int peer, MpiException error) {
    for (int i = receives.size() - 1; i >= 0; i--) {
      Received r = receives.get(i);
      if (r.peer == peer) {
        receives.remove(i);
        if (!r.withdraw()) {
          lost.add(r.op.owner());
        }
        if (r.tag >= 0) {
          releaseTag(r.tag);
        }
        if (!r.isBegun) {
          mirrors.release(r.word);
        }
        keeper.fail(r.op, error);
      }
    }
  }

  /** Returns the number of tags and buffers in use; for tests. */
  int inUse() {
    return usedTags + pool.inUse();
  }
}
