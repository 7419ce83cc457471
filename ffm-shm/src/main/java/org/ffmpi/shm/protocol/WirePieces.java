// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.lang.foreign.Arena;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.wire.Wire;

/**
 * One long message on the wire, in pieces whose length its receiver has chosen. Up to {@value #DEPTH} of them are under
 * way at once. Guarded by the rank's lock.
 *
 * <p>Where a side's data is one run of native memory, pieces travel straight between it and the wire, otherwise through
 * buffers of the {@link Pool}, which the side keeps until its message is over. So no side holds a buffer while it waits
 * for a thread that may be outside of MPI: what only that thread may touch is copied.
 */
abstract class WirePieces {
  /** Bytes of a piece that is packed or unpacked. */
  static final int PIECE = 128 << 10;

  /** Most bytes of a piece that needs neither, which is all of most messages. */
  static final int LARGEST = 1 << 30;

  private static final int UNIT_SHIFT = 10;
  private static final int DEPTH = 4;

  /** Buffers for pieces. */
  static final class Pool {
    private static final int MOST = 16;

    private final long[] free = new long[MOST];
    private int freeCount;
    private int made;

    /** Acquires a buffer of {@link #PIECE} bytes; 0 when all are in use. */
    long acquire() {
      if (freeCount > 0) {
        return free[--freeCount];
      }
      if (made == MOST) {
        return 0;
      }
      made++;
      return Raw.address(Arena.global().allocate(PIECE, 64));
    }

    void release(long buffer) {
      free[freeCount++] = buffer;
    }

    /** Returns the number of buffers in use. */
    int inUse() {
      return made - freeCount;
    }

    /** Gives up a buffer that the wire may still use; another one may be made. */
    void lose() {
      made--;
    }
  }

  final int peer;

  /** Tag of the transfer, once it has one. */
  int tag;

  final long total;
  private final Wire wire;
  private final Pool pool;
  private final long piece;

  /** Address of the data if it is one run; 0: it goes through buffers. */
  private final long run;

  private final long[] buffers = new long[DEPTH];
  private final int[] requests = new int[DEPTH];
  private int depth;
  private long next;
  private long done;
  private int oldest;
  private int underWay;

  WirePieces(Wire wire, Pool pool, int peer, int tag, long total, long piece, long run) {
    this.wire = wire;
    this.pool = pool;
    this.peer = peer;
    this.tag = tag;
    this.total = total;
    this.piece = piece;
    this.run = run;
    this.depth = run != 0 ? DEPTH : 0;
  }

  /** Packs tag and length of pieces for the sender. */
  static long transfer(int tag, long piece) {
    return piece >>> UNIT_SHIFT << Integer.SIZE | tag;
  }

  static int tag(long transfer) {
    return (int) transfer;
  }

  static long piece(long transfer) {
    return transfer >>> Integer.SIZE << UNIT_SHIFT;
  }

  /** Acquires buffers, at least one; returns false when none is free. */
  final boolean begin() {
    long wanted = run != 0 ? 0 : Math.min(DEPTH, (total + piece - 1) / piece);
    for (long buffer; depth < wanted && (buffer = pool.acquire()) != 0; depth++) {
      buffers[depth] = buffer;
    }
    return depth > 0 || total == 0;
  }

  /** Releases the buffers. */
  final void end() {
    for (int i = 0; run == 0 && i < depth; i++) {
      if (buffers[i] != 0) {
        pool.release(buffers[i]);
      }
    }
    depth = 0;
  }

  final boolean isOver() {
    return done == total;
  }

  /** Ends a message that is being received and whose sender has failed; returns false if the wire may still write. */
  final boolean withdraw() {
    boolean isWithdrawn = true;
    for (int i = 0; i < underWay; i++) {
      int slot = (oldest + i) % depth;
      if (requests[slot] >= 0 && !wire.withdraw(requests[slot])) {
        isWithdrawn = false;
        if (run == 0) {
          pool.lose();
          buffers[slot] = 0;
        }
      }
    }
    underWay = 0;
    end();
    return isWithdrawn;
  }

  /** Returns whether the wire has no piece of a message that is being sent and whose receiver has failed. */
  final boolean isDrained() {
    while (underWay > 0 && wire.isDone(requests[oldest])) {
      oldest = (oldest + 1) % depth;
      underWay--;
    }
    return underWay == 0;
  }

  /** Progresses the pieces; returns the number of moves. */
  final int step() {
    int moved = 0;
    while (underWay > 0 && (requests[oldest] < 0 || wire.isDone(requests[oldest]))) {
      requests[oldest] = -1;
      long n = Math.min(piece, total - done);
      if (run == 0 && !consume(buffers[oldest], done, n)) {
        break; // only another thread may touch the program's buffer
      }
      done += n;
      oldest = (oldest + 1) % depth;
      underWay--;
      moved++;
    }
    while (underWay < depth && next < total) {
      int slot = (oldest + underWay) % depth;
      long n = Math.min(piece, total - next);
      if (run == 0 && !prepare(buffers[slot], next, n)) {
        break;
      }
      int request = start(wire, run == 0 ? buffers[slot] : run + next, n);
      if (request < 0) {
        break;
      }
      requests[slot] = request;
      next += n;
      underWay++;
      moved++;
    }
    return moved;
  }

  /** Fills a buffer before it is sent; returns false when that has to wait. May be repeated for the same piece. */
  abstract boolean prepare(long buffer, long from, long bytes);

  /** Consumes a piece that has come in a buffer; returns false when that has to wait. */
  abstract boolean consume(long buffer, long from, long bytes);

  /** Starts a piece; returns the wire's number of the request, or -1. */
  abstract int start(Wire wire, long address, long bytes);
}
