// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

/** The pool of receive objects. Guarded by the rank's lock, except {@link #releaseSpare}. */
final class ReceivePool {
  private static final int KEPT = 128;

  /**
   * Nonblocking receives, acquired in turn: one that is released when its turn comes is reused. So programs with some
   * receives in flight use the same memory again, which stays in the cache, unlike new objects.
   */
  private final RecvOp[] kept = new RecvOp[KEPT];

  private int turn;

  /** One reused object for blocking receives, which only their caller sees. */
  private RecvOp spare;

  /** Acquires a nonblocking receive. */
  RecvOp acquire(RecvOp.Owner starter) {
    int i = turn;
    turn = i + 1 & KEPT - 1;
    RecvOp op = kept[i];
    if (op == null || !op.isReleased()) {
      op = new RecvOp(starter);
      kept[i] = op;
    } else {
      op.reuse();
    }
    return op;
  }

  /** Acquires a blocking receive. */
  RecvOp acquireSpare(RecvOp.Owner starter) {
    RecvOp op = spare;
    spare = null;
    if (op == null) {
      return new RecvOp(starter);
    }
    op.reuse();
    return op;
  }

  /** Releases the object of a blocking receive. Called without the lock: the worst case is a lost object. */
  void releaseSpare(RecvOp op) {
    spare = op;
  }
}
