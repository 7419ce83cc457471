// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

/**
 * The copy of a matched message from the sender's memory into the receive, without a packed form between, a bounded
 * step at a time. Called with the rank's lock held. {@link RendezvousReceiver} signals the end to the sender.
 */
abstract sealed class OneCopy permits DirectTransfer, CrossTransfer {
  /** The stages of a copy. */
  enum State {
    /** More steps follow. */
    COPYING,
    /** The copy is complete. */
    OVER,
    /** The kernel refuses the copy, and the message has to come through the pipe. */
    REFUSED
  }

  /** Bytes per step, enough for the copy to run at memory speed, few enough for polling to stay brief. */
  static final long STEP = 1 << 20;

  final RecvOp op;
  final int peer;
  final long word;
  final int generation;
  private final long bytes;
  private long done;
  private State state = State.COPYING;

  OneCopy(RecvOp op, UnexpectedMessage m, long bytes) {
    this.op = op;
    this.peer = m.peer();
    this.word = m.word;
    this.generation = m.generation;
    this.bytes = bytes;
  }

  /** Copies part of the message; returns false when the kernel refuses. */
  abstract boolean copy(long from, long n);

  /** Called after the last step. */
  void onOver(long bytes) {}

  final State state() {
    return state;
  }

  /** Copies the next step, and returns the number of bytes. */
  final long step() {
    if (!op.isWritableHere()) {
      op.unparkOwner();
      return 0;
    }
    long n = Math.min(STEP, bytes - done);
    if (!copy(done, n)) {
      state = State.REFUSED;
      return 0;
    }
    done += n;
    if (done >= bytes) {
      onOver(bytes);
      state = State.OVER;
    }
    return n;
  }
}
