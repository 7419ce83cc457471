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
 */
final class WireReceives {
  private final Wire wire;
  private final MirrorWords mirrors;
  private final WirePieces.Pool pool = new WirePieces.Pool();
  private final boolean[] tags = new boolean[Wire.TAGS];
  private int lastTag;
  private int usedTags;

  /** The matched messages, the oldest first. */
  private final List<Received> receives = new ArrayList<>();

  /** A matched message. */
  private static final class Received extends WirePieces {
    final RecvOp op;
    final long word;
    final long piece;
    boolean isBegun;

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
      if (!op.isWritableHere()) {
        op.unparkOwner();
        return false;
      }
      op.write(buffer, from, bytes);
      return true;
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
        r.op.finish();
      }
    }
    return moved;
  }

  /** Ends the messages from a dead peer. */
  void failAllFrom(int peer, MpiException error) {
    for (int i = receives.size() - 1; i >= 0; i--) {
      if (receives.get(i).peer == peer) {
        receives.remove(i).op.finish(error);
      }
    }
  }
}
