// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The ids of piped receives in flight. A peer sends the id back with the payload; an id that was never claimed, or is
 * released, is rejected. Guarded by the rank's lock.
 */
final class TransferIds {
  private RecvOp[] receives = new RecvOp[16];
  private int[] peers = new int[16];
  private int[] uses = new int[16];
  private int used;
  private int last;

  /** Transfers that have begun and not ended. */
  private int inFlight;

  /** Claims an id for a receive whose payload will come from {@code peer}. */
  long claim(RecvOp op, int peer) {
    if (used == receives.length) {
      receives = Arrays.copyOf(receives, 2 * used);
      peers = Arrays.copyOf(peers, 2 * used);
      uses = Arrays.copyOf(uses, 2 * used);
    }
    int i = last;
    do {
      i = i + 1 & receives.length - 1; // ids are mostly released in the order in which they were claimed
    } while (receives[i] != null);
    last = i;
    used++;
    inFlight++;
    receives[i] = op;
    peers[i] = peer;
    uses[i]++;
    return (long) uses[i] << 32 | i;
  }

  /** Releases an id that {@code peer} has sent; returns null when it does not name a receive from that peer. */
  RecvOp release(long id, int peer) {
    int i = (int) id;
    if (i < 0 || i >= receives.length || uses[i] != (int) (id >>> 32) || peers[i] != peer) {
      return null;
    }
    RecvOp op = receives[i];
    receives[i] = null;
    used -= op == null ? 0 : 1;
    return op;
  }

  /** Counts the end of a transfer. */
  void end() {
    inFlight--;
  }

  /** Returns the number of transfers that have not ended, whether their ids are released or not. */
  int inFlight() {
    return inFlight;
  }

  /** Releases the ids of all receives whose payload {@code peer} owes, and passes the receives on. */
  void releaseAllOf(int peer, Consumer<RecvOp> to) {
    for (int i = 0; i < receives.length; i++) {
      if (receives[i] != null && peers[i] == peer) {
        RecvOp op = receives[i];
        receives[i] = null;
        used--;
        to.accept(op);
      }
    }
  }
}
