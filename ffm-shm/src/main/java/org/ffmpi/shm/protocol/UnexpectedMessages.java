// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.segment.RankLayout;

/**
 * The objects and the kept payload of unexpected messages. Asks senders to keep their payload while more than the limit
 * is kept here. Guarded by the rank's lock.
 */
final class UnexpectedMessages {
  private final PayloadStore store = new PayloadStore();
  private final long ownBlock;
  private final long limit;
  private UnexpectedMessage free;
  private boolean pressing;

  UnexpectedMessages(Endpoint endpoint) {
    this.ownBlock = endpoint.segment().rankBlock(endpoint.self());
    this.limit = endpoint.options().unexpectedLimit();
  }

  /** Acquires a message without payload. */
  UnexpectedMessage acquire(int info, long context, int peer, int tag, long total) {
    UnexpectedMessage m = free;
    if (m == null) {
      m = new UnexpectedMessage();
    } else {
      free = m.nextFree;
    }
    m.describe(info, context, peer, tag, total);
    return m;
  }

  /** Acquires memory for the whole payload of a message. */
  void reserve(UnexpectedMessage m) {
    m.payload = store.acquire(m.total);
    if (!pressing && store.used() > limit) {
      pressing = true;
      RankLayout.setOpaquePressure(ownBlock, 1);
    }
  }

  /** Appends a chunk to the kept payload of a message. */
  void keep(UnexpectedMessage m, long at, int bytes) {
    if (bytes == 0) {
      return;
    }
    if (m.payload == 0) {
      reserve(m);
    }
    Raw.copy(at, m.payload + m.received, bytes);
    m.received += bytes;
  }

  /** Releases a message; one whose chunks still come is released after its last chunk. */
  void discard(UnexpectedMessage m) {
    if (!m.isComplete()) {
      m.dropped = true;
      m.receiver = null;
      return;
    }
    if (m.payload != 0) {
      store.release(m.payload, m.total);
      if (pressing && store.used() < limit / 2) {
        pressing = false;
        RankLayout.setOpaquePressure(ownBlock, 0);
      }
    }
    m.reset();
    m.nextFree = free;
    free = m;
  }
}
