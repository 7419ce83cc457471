// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.ring.RingConsumer;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.spi.Envelope;

/**
 * What comes from one peer: drains its ring, record by record, and offers each message to the receives. Used with the
 * engine's lock held; only {@link #isReady} may be called without it, by the thread that polls.
 */
final class Inbound {
  /** Records and bytes per poll at the most, so that polling stays brief and fair between peers. */
  private static final int RECORDS_PER_POLL = 64;

  private static final long BYTES_PER_POLL = 1 << 18;

  final int peer;
  final long peerBlock;

  /** The pair's pipe, known from the first piped envelope on. */
  PipeReceiver pipe;

  /** How messages come that may be read in the peer's own memory. */
  final ReadChoice choice = new ReadChoice();

  private final ShmEngine engine;
  private final RingConsumer ring;

  /** The eager message whose chunks are still coming, as a receive or as an unexpected message. */
  private RecvOp receiving;

  private Arrival keeping;
  private long received;
  private long total;

  Inbound(ShmEngine engine, int peer, RingConsumer ring) {
    this.engine = engine;
    this.peer = peer;
    this.peerBlock = engine.segment.rankBlock(peer);
    this.ring = ring;
  }

  boolean isReady() {
    return ring.isReady();
  }

  /** Takes what is there, within bounds; returns how many records. */
  int drain() {
    int records = 0;
    long bytes = 0;
    long slot;
    while (records < RECORDS_PER_POLL && bytes < BYTES_PER_POLL && (slot = ring.peek()) != 0) {
      bytes += take(slot);
      records++;
      if (ring.owedBulk() > engine.options.ringBulk() / 4) {
        credit();
      }
    }
    if (records != 0) {
      credit();
    }
    return records;
  }

  /**
   * The short way of a blocking receive that nothing competes with: waits briefly for the next record, and if it is the
   * whole message that the receive wants, moves it straight into the buffer.
   *
   * @param looks how often to look before giving up
   * @param tag wanted tag, or ANY_TAG
   * @param capacity bytes that fit
   * @param envelope filled on success, or null
   * @return false when nothing was taken and the receive has to be posted
   */
  boolean takeExpected(
      int looks, int kind, Object owner, long offset, long count, Plan plan, long capacity, long context, int tag,
      Envelope envelope) {
    long slot;
    for (int i = 0; (slot = ring.peek()) == 0; i++) {
      if (i >= looks) {
        return false;
      }
      Thread.onSpinWait();
    }
    int info = RingLayout.getPlainInfo(slot);
    int sentTag = EnvelopeLayout.getPlainTag(slot);
    if (EnvelopeLayout.getPlainContext(slot) != context || sentTag != tag && tag >= 0) {
      return false;
    }
    if (EnvelopeLayout.kind(info) == EnvelopeLayout.INLINE) {
      int n = EnvelopeLayout.inlineLength(info);
      if (n > capacity || n > EnvelopeLayout.INLINE_BYTES) {
        return false;
      }
      if (n != 0) {
        Packing.unpack(slot + EnvelopeLayout.PAYLOAD_OFFSET, kind, owner, offset, count, plan, 0, n);
      }
      ring.pop();
      return taken(envelope, sentTag, n);
    }
    int n = EnvelopeLayout.getPlainChunk(slot);
    long at = ring.bulk(EnvelopeLayout.getPlainBulkAt(slot), n);
    long end = EnvelopeLayout.getPlainBulkEnd(slot);
    if (info != EnvelopeLayout.EAGER || n > capacity || n != EnvelopeLayout.getPlainTotal(slot) || at == 0) {
      return false;
    }
    Packing.unpack(at, kind, owner, offset, count, plan, 0, n);
    if (!ring.pop(end)) {
      throw corrupt("bulk position");
    }
    return taken(envelope, sentTag, n);
  }

  private boolean taken(Envelope envelope, int tag, int bytes) {
    credit();
    if (envelope != null) {
      envelope.set(peer, tag, bytes, false);
    }
    return true;
  }

  private void credit() {
    if (ring.credit()) {
      engine.wake(peerBlock);
    }
  }

  private long take(long slot) {
    int info = RingLayout.getPlainInfo(slot);
    switch (EnvelopeLayout.kind(info)) {
      case EnvelopeLayout.INLINE -> {
        int length = EnvelopeLayout.inlineLength(info);
        if (length > EnvelopeLayout.INLINE_BYTES) {
          throw corrupt("inline length " + length);
        }
        engine.receiving.onWhole(
            peer, EnvelopeLayout.getPlainContext(slot), EnvelopeLayout.getPlainTag(slot),
            slot + EnvelopeLayout.PAYLOAD_OFFSET, length);
        ring.pop();
        return length;
      }
      case EnvelopeLayout.EAGER -> {
        int n = EnvelopeLayout.getPlainChunk(slot);
        return n == EnvelopeLayout.getPlainTotal(slot) && info == EnvelopeLayout.EAGER
            ? takeWhole(slot, n)
            : takeChunk(slot, info, true);
      }
      case EnvelopeLayout.MORE -> {
        return takeChunk(slot, info, false);
      }
      case EnvelopeLayout.PIPED, EnvelopeLayout.DIRECT -> {
        long before = engine.receiving.copied;
        engine.receiving.describe(slot, info);
        engine.receiving.onRendezvous(
            this, info, EnvelopeLayout.getPlainContext(slot), EnvelopeLayout.getPlainTag(slot),
            EnvelopeLayout.getPlainTotal(slot), EnvelopeLayout.getPlainWord(slot),
            EnvelopeLayout.getPlainGeneration(slot), EnvelopeLayout.getPlainAt(slot));
        ring.pop();
        return engine.receiving.copied - before;
      }
      default -> throw corrupt("record kind " + info);
    }
  }

  private long takeWhole(long slot, int n) {
    long at = ring.bulk(EnvelopeLayout.getPlainBulkAt(slot), n);
    if (at == 0 || receiving != null || keeping != null) {
      throw corrupt("message of " + n + " bytes");
    }
    long end = EnvelopeLayout.getPlainBulkEnd(slot);
    engine.receiving.onWhole(
        peer, EnvelopeLayout.getPlainContext(slot), EnvelopeLayout.getPlainTag(slot), at, n);
    if (!ring.pop(end)) {
      throw corrupt("bulk position");
    }
    return n;
  }

  private long takeChunk(long slot, int info, boolean first) {
    int n = EnvelopeLayout.getPlainChunk(slot);
    long at = ring.bulk(EnvelopeLayout.getPlainBulkAt(slot), n);
    if (at == 0) {
      throw corrupt("chunk of " + n + " bytes");
    }
    if (first) {
      begin(slot, info);
    }
    if (n > total - received) {
      throw corrupt("chunk of " + n + " bytes where " + (total - received) + " are left");
    }
    if (receiving != null && !receiving.isWritableHere()) {
      keeping = engine.receiving.divert(receiving, peer, total, received);
      receiving = null;
    }
    if (receiving != null) {
      receiving.write(at, received, n);
    } else if (keeping != null) {
      engine.receiving.keep(keeping, at, n);
    }
    received += n;
    if (!ring.pop(EnvelopeLayout.getPlainBulkEnd(slot))) {
      throw corrupt("bulk position");
    }
    if (received == total) {
      end();
    }
    return n;
  }

  private void begin(long slot, int info) {
    if (receiving != null || keeping != null) {
      throw corrupt("a message within another");
    }
    total = EnvelopeLayout.getPlainTotal(slot);
    received = 0;
    if (total < 0 || total > EngineOptions.MOST_EAGER) {
      throw corrupt("message of " + total + " bytes");
    }
    engine.receiving.describe(slot, info);
    Object target = engine.receiving.onEager(
        this, info, EnvelopeLayout.getPlainContext(slot), EnvelopeLayout.getPlainTag(slot), total,
        EnvelopeLayout.getPlainWord(slot), EnvelopeLayout.getPlainGeneration(slot));
    if (target instanceof RecvOp op) {
      receiving = op;
    } else {
      keeping = (Arrival) target;
    }
  }

  private void end() {
    RecvOp op = receiving;
    Arrival arrival = keeping;
    receiving = null;
    keeping = null;
    if (op != null) {
      op.finish();
    } else if (arrival != null && arrival.dropped) {
      engine.receiving.discard(arrival);
    } else if (arrival != null && arrival.taker != null) {
      engine.receiving.arrivalComplete(arrival);
    }
  }

  /** Gives up the receive that was being filled; the peer is dead. */
  RecvOp abandon() {
    RecvOp op = receiving == null && keeping != null ? keeping.taker : receiving;
    receiving = null;
    keeping = null;
    return op;
  }

  private MpiException corrupt(String what) {
    return new MpiException(
        ErrorClass.ERR_INTERN, "the ring from rank " + peer + " holds something impossible: " + what);
  }
}
