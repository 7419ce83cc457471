// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.account.AccountBuilder;
import org.ffmpi.shm.progress.Source;
import org.ffmpi.shm.ring.RecordReader;
import org.ffmpi.shm.ring.RingConsumer;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/**
 * Drains the ring of one peer, record by record, and hands each message to {@link Delivery}. A peer on
 * another node has packets instead. Called with the rank's lock held. The mirror of {@link Outbound}.
 */
final class Inbound implements Source {
  /** Most records and bytes per poll, so that polling stays brief and fair between peers. */
  private static final int RECORDS_PER_POLL = 64;

  private static final long BYTES_PER_POLL = 1 << 18;

  final int peer;
  private final Endpoint endpoint;
  private final Delivery delivery;
  private final RecordReader ring;

  /** Set when the peer has a ring, so that records come without a poll of the wire. */
  private final boolean isRing;

  private final long peerBlock;

  /** Most consumed bulk bytes before credit is given. */
  private final int owedLimit;

  /** The eager message whose chunks are coming: its receive, or the next field. */
  private RecvOp receiving;

  private UnexpectedMessage keeping;

  /** Consumed records that are no envelope of an eager message; what remains of all are eager messages. */
  private long otherRecords;

  private long eagerBytes;
  private long received;
  private long total;

  Inbound(Endpoint endpoint, int peer, RecordReader ring, Delivery delivery) {
    this.endpoint = endpoint;
    this.peer = peer;
    this.ring = ring;
    this.isRing = ring instanceof RingConsumer;
    this.delivery = delivery;
    this.peerBlock = endpoint.segment().rankBlock(peer);
    this.owedLimit = endpoint.options().ringBulk() / 4;
  }

  /** Returns the number of eager messages that have come. Racy. */
  long eagerMessages() {
    return ring.consumed() - otherRecords;
  }

  /** Returns their payload. Racy. */
  long eagerBytes() {
    return eagerBytes;
  }

  /** Lists the amounts received so far. */
  void list(AccountBuilder into) {
    into.received(ring.consumed(), ring.consumedBulk());
  }

  @Override
  public int drain() {
    long slot = ring.peek();
    return slot == 0 ? 0 : consumeAll(slot, null);
  }

  @Override
  public int drain(int looks, Operation op) {
    for (int i = 0; i < looks; i++) {
      long slot = ring.peek();
      if (slot != 0) {
        return consumeAll(slot, op);
      }
      Thread.onSpinWait();
    }
    return 0;
  }

  /** Consumes records from one on; until an operation is complete, if it is not null, and no receive is posted. */
  private int consumeAll(long first, Operation op) {
    int records = 0;
    long bytes = 0;
    for (long slot = first; slot != 0; slot = ring.peek()) {
      bytes += consume(slot);
      records++;
      if (ring.owedBulk() > owedLimit) {
        credit();
      }
      if (records == RECORDS_PER_POLL || bytes >= BYTES_PER_POLL
          || op != null && op.isDone() && !delivery.hasPosted()) {
        break;
      }
    }
    credit();
    return records;
  }

  /**
   * The short way of a blocking receive without competing messages and receives: waits briefly for the next record, and
   * if it is the whole message that the receive wants, moves it straight into the buffer.
   *
   * @param looks number of looks, if the peer has a ring; the wire has to be polled
   * @param tag wanted tag, or ANY_TAG
   * @param envelope filled on success, or null
   * @return false when no record was consumed and the receive has to be posted
   */
  boolean consumeExpected(
      int looks, int kind, Object owner, long offset, long count, Plan plan, long context, int tag,
      Envelope envelope) {
    long slot;
    for (int i = 0; (slot = ring.peek()) == 0; i++) {
      if (i >= looks || !isRing) {
        return false;
      }
      Thread.onSpinWait();
    }
    long info = ring.info();
    int sentTag = EnvelopeLayout.tag(info);
    if (EnvelopeLayout.getPlainContext(slot) != context || sentTag != tag && tag >= 0) {
      return false;
    }
    long capacity = count * plan.size();
    int n = EnvelopeLayout.inlineLength(info);
    if (n >= 0) {
      if (n > capacity || n > EnvelopeLayout.INLINE_BYTES) {
        return false;
      }
      if (n != 0) {
        plan.unpack(slot + EnvelopeLayout.PAYLOAD_OFFSET, kind, owner, offset, count, 0, n);
      }
      ring.pop();
    } else {
      n = EnvelopeLayout.getPlainChunk(slot);
      if (EnvelopeLayout.form(info) != EnvelopeLayout.EAGER || n > capacity
          || !consumesChunk(slot, n, kind, owner, offset, count, plan)) {
        return false;
      }
    }
    eagerBytes += n;
    if (ring.credit()) {
      endpoint.wake(peerBlock);
    }
    if (envelope != null) {
      envelope.set(peer, sentTag, n, false);
    }
    return true;
  }

  /** Moves a message that is one chunk into the buffer; returns false when it is not, or is corrupt. */
  private boolean consumesChunk(long slot, int n, int kind, Object owner, long offset, long count, Plan plan) {
    long at = ring.bulk(EnvelopeLayout.getPlainBulkAt(slot), n);
    long end = EnvelopeLayout.getPlainBulkEnd(slot);
    if (n != EnvelopeLayout.getPlainTotal(slot) || at == 0) {
      return false;
    }
    plan.unpack(at, kind, owner, offset, count, 0, n);
    if (!ring.pop(end)) {
      throw corrupt("bulk position");
    }
    return true;
  }

  private void credit() {
    if (ring.credit()) {
      endpoint.wake(peerBlock);
    }
  }

  /** Consumes one record; returns the number of payload bytes moved. */
  private long consume(long slot) {
    long info = ring.info();
    int tag = EnvelopeLayout.tag(info);
    int length = EnvelopeLayout.inlineLength(info);
    if (length >= 0) {
      if (length > EnvelopeLayout.INLINE_BYTES) {
        throw corrupt("inline length " + length);
      }
      delivery.onWhole(
          peer, EnvelopeLayout.getPlainContext(slot), tag, slot + EnvelopeLayout.PAYLOAD_OFFSET, length);
      ring.pop();
      eagerBytes += length;
      return length;
    }
    int form = EnvelopeLayout.form(info);
    switch (EnvelopeLayout.kind(form)) {
      case EnvelopeLayout.EAGER -> {
        int n = EnvelopeLayout.getPlainChunk(slot);
        return n == EnvelopeLayout.getPlainTotal(slot) && form == EnvelopeLayout.EAGER
            ? consumeWhole(slot, tag, n)
            : consumeChunk(slot, form, tag, n, true);
      }
      case EnvelopeLayout.MORE -> {
        otherRecords++;
        return consumeChunk(slot, form, tag, EnvelopeLayout.getPlainChunk(slot), false);
      }
      case EnvelopeLayout.PIPED, EnvelopeLayout.DIRECT -> {
        long before = delivery.copied();
        delivery.readOptional(slot, form);
        delivery.onRendezvous(
            peer, form, EnvelopeLayout.getPlainContext(slot), tag,
            EnvelopeLayout.getPlainTotal(slot), EnvelopeLayout.getPlainWord(slot),
            EnvelopeLayout.getPlainGeneration(slot), EnvelopeLayout.getPlainAt(slot));
        ring.pop();
        otherRecords++;
        return delivery.copied() - before;
      }
      case EnvelopeLayout.FAILED -> {
        delivery.failCall(
            new CallFailure(
                peer, EnvelopeLayout.getPlainContext(slot),
                ErrorClass.ofCode(EnvelopeLayout.getPlainErrorClass(slot)).orElse(ErrorClass.ERR_OTHER),
                EnvelopeLayout.getPlainAt(slot), EnvelopeLayout.getPlainGeneration(slot)),
            tag);
        ring.pop();
        otherRecords++;
        return 0;
      }
      default -> throw corrupt("record kind " + form);
    }
  }

  private long consumeWhole(long slot, int tag, int n) {
    long at = ring.bulk(EnvelopeLayout.getPlainBulkAt(slot), n);
    if (at == 0 || receiving != null || keeping != null) {
      throw corrupt("message of " + n + " bytes");
    }
    long end = EnvelopeLayout.getPlainBulkEnd(slot);
    delivery.onWhole(peer, EnvelopeLayout.getPlainContext(slot), tag, at, n);
    if (!ring.pop(end)) {
      throw corrupt("bulk position");
    }
    eagerBytes += n;
    return n;
  }

  private long consumeChunk(long slot, int form, int tag, int n, boolean first) {
    long at = ring.bulk(EnvelopeLayout.getPlainBulkAt(slot), n);
    if (at == 0) {
      throw corrupt("chunk of " + n + " bytes");
    }
    if (first) {
      begin(slot, form, tag);
    }
    if (n > total - received) {
      throw corrupt("chunk of " + n + " bytes where " + (total - received) + " are left");
    }
    if (receiving != null && !receiving.isWritableHere()) {
      keeping = delivery.divert(receiving, peer, total, received);
      receiving = null;
    }
    if (receiving != null) {
      receiving.write(at, received, n);
    } else if (keeping != null) {
      delivery.append(keeping, at, n);
    }
    received += n;
    eagerBytes += n;
    if (!ring.pop(EnvelopeLayout.getPlainBulkEnd(slot))) {
      throw corrupt("bulk position");
    }
    if (received == total) {
      end((form & EnvelopeLayout.SPOILED) != 0);
    }
    return n;
  }

  private void begin(long slot, int form, int tag) {
    if (receiving != null || keeping != null) {
      throw corrupt("a message within another");
    }
    total = EnvelopeLayout.getPlainTotal(slot);
    received = 0;
    if (total < 0 || total > ProtocolOptions.MOST_EAGER) {
      throw corrupt("message of " + total + " bytes");
    }
    delivery.readOptional(slot, form);
    Object target = delivery.onEager(
        peer, form, EnvelopeLayout.getPlainContext(slot), tag, total,
        EnvelopeLayout.getPlainWord(slot), EnvelopeLayout.getPlainGeneration(slot));
    if (target instanceof RecvOp op) {
      receiving = op;
    } else {
      keeping = (UnexpectedMessage) target;
    }
  }

  private void end(boolean spoiled) {
    RecvOp op = receiving;
    UnexpectedMessage kept = keeping;
    receiving = null;
    keeping = null;
    if (op != null) {
      if (spoiled) {
        op.spoil(peer);
      }
      op.finish();
    } else if (kept != null) {
      kept.spoiled |= spoiled;
      delivery.onLastChunk(kept);
    }
  }

  /** Fails when the ring holds impossible words, so that no further record would come out of it. */
  void verify() {
    String fault = ring.fault();
    if (fault != null) {
      throw corrupt(fault);
    }
  }

  /** Returns whether a receive is being filled. */
  boolean isReceiving() {
    return receiving != null || keeping != null && keeping.receiver != null;
  }

  /** Ends the receive that is being filled; the peer is dead. */
  void fail(MpiException error) {
    RecvOp op = receiving == null && keeping != null ? keeping.receiver : receiving;
    receiving = null;
    keeping = null;
    if (op != null) {
      delivery.fail(op, error);
    }
  }

  private MpiException corrupt(String what) {
    return new MpiException(
        ErrorClass.ERR_INTERN, "the ring from rank " + peer + " holds an impossible record: " + what);
  }
}
