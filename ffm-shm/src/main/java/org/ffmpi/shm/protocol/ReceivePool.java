// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

/** Objects of receives, used again. Guarded by the rank's lock, but for {@link #releaseSpare}. */
final class ReceivePool {
  private static final int KEPT = 128;

  /**
   * Nonblocking receives, acquired in turn: one that is released when its turn comes is used again. Programs that keep
   * some receives in flight so go round in memory that stays in the cache, which new objects never are.
   */
  private final RecvOp[] kept = new RecvOp[KEPT];

  private int turn;

  /** One kept object for blocking receives, which no code but their caller sees. */
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

  /** Keeps a finished receive for the next blocking call. Called without the lock: the worst case is a lost object. */
  void releaseSpare(RecvOp op) {
    spare = op;
  }
}
