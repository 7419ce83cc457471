// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * Names for the piped receives in flight: a peer sends the name back with the payload, and a name that was never given
 * or is used up finds nothing. Guarded by the engine's lock.
 */
final class Cookies {
  private RecvOp[] receives = new RecvOp[16];
  private int[] peers = new int[16];
  private int[] uses = new int[16];
  private int used;
  private int last;

  /** Names a receive whose payload will come from {@code peer}. */
  long give(RecvOp op, int peer) {
    if (used == receives.length) {
      receives = Arrays.copyOf(receives, 2 * used);
      peers = Arrays.copyOf(peers, 2 * used);
      uses = Arrays.copyOf(uses, 2 * used);
    }
    int i = last;
    do {
      i = i + 1 & receives.length - 1; // names are mostly used up in the order in which they were given
    } while (receives[i] != null);
    last = i;
    used++;
    receives[i] = op;
    peers[i] = peer;
    uses[i]++;
    return (long) uses[i] << 32 | i;
  }

  /** Uses a name up; null when it is not in use. */
  RecvOp take(long cookie) {
    int i = (int) cookie;
    if (i < 0 || i >= receives.length || uses[i] != (int) (cookie >>> 32)) {
      return null;
    }
    RecvOp op = receives[i];
    receives[i] = null;
    used -= op == null ? 0 : 1;
    return op;
  }

  /** Uses up all names of receives that {@code peer} owes payload, and hands them on. */
  void takeAllOf(int peer, BiConsumer<RecvOp, Integer> to) {
    for (int i = 0; i < receives.length; i++) {
      if (receives[i] != null && peers[i] == peer) {
        RecvOp op = receives[i];
        receives[i] = null;
        used--;
        to.accept(op, peer);
      }
    }
  }
}
