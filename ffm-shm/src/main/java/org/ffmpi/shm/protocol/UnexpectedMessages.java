// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Channel;

/**
 * The objects and the stored payload of unexpected messages. Senders are asked to keep their payload while more than
 * the limit is stored here. Guarded by the rank's lock.
 */
final class UnexpectedMessages {
  private final PayloadStore store = new PayloadStore();
  private final long ownBlock;
  private final JobSegment segment;
  private final long limit;

  /** False with several nodes, which hand out numbers that this one does not know. */
  private final boolean knowsAllContexts;

  /** Bound of the contexts in use, as last read. */
  private long contexts;

  private UnexpectedMessage free;
  private boolean pressing;

  UnexpectedMessages(Endpoint endpoint) {
    this.segment = endpoint.segment();
    this.ownBlock = endpoint.segment().rankBlock(endpoint.self());
    this.knowsAllContexts = segment.nodes().count() == 1;
    this.limit = endpoint.options().unexpectedLimit();
  }

  /**
   * Acquires a message without payload.
   *
   * @throws MpiException ERR_INTERN when no communicator of any rank has the context, so that no receive ever matches
   */
  UnexpectedMessage acquire(int info, long context, int peer, int tag, long total) {
    if (knowsAllContexts && Channel.isNumbered(context) && Channel.numberOf(context) >= contexts) {
      contexts = segment.numbers() * Channel.CONTEXTS;
      if (Channel.numberOf(context) >= contexts) {
        throw new MpiException(
            ErrorClass.ERR_INTERN, "rank " + peer + " sent a message in context " + context + ", which nobody has");
      }
    }
    UnexpectedMessage m = free;
    if (m == null) {
      m = new UnexpectedMessage();
    } else {
      free = m.nextFree;
    }
    m.set(info, context, peer, tag, total);
    return m;
  }

  /** Returns the memory that keeps payload. Racy. */
  long usedBytes() {
    return store.used();
  }

  /** Acquires memory for the whole payload of a message. */
  void reserve(UnexpectedMessage m) {
    m.payload = store.acquire(m.total);
    if (!pressing && store.used() > limit) {
      pressing = true;
      RankLayout.setOpaquePressure(ownBlock, 1);
    }
  }

  /** Appends a chunk to the stored payload of a message. */
  void append(UnexpectedMessage m, long at, int bytes) {
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
