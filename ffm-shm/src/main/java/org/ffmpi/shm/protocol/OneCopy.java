// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

/**
 * A matched message on its way from where the sender keeps it into the receive, with no packed form between, a bounded
 * step at a time. Called with the rank's lock held. {@link RendezvousReceiver} signals the end to the sender.
 */
abstract sealed class OneCopy permits DirectTransfer, CrossTransfer {
  /** What is to be done next. */
  enum State {
    /** More steps follow. */
    COPYING,
    /** All is copied. */
    OVER,
    /** The kernel does not allow the copy: the message has to come through the pipe. */
    REFUSED
  }

  /** Bytes per step: long enough that the copy runs at memory speed, short enough that polling stays brief. */
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

  /** Copies part of the message; returns false when that is not allowed. */
  abstract boolean copy(long from, long n);

  /** Called after the last step. */
  void over(long bytes) {}

  final State state() {
    return state;
  }

  /** Copies the next step, and returns how many bytes. */
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
      over(bytes);
      state = State.OVER;
    }
    return n;
  }
}
