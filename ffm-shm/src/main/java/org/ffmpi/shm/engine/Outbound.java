// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.ring.RingProducer;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Engine;

/**
 * The way to one peer: its ring and the backlog of sends that found the ring full. The producer lock is this object
 * itself; every method but the constructor is called with it held.
 *
 * <p>Order is kept by one rule: whoever finds the backlog not empty joins it.
 */
final class Outbound extends EngineLock {
  final int peer;
  final long peerBlock;

  /** The pair's pipe; used with the engine's lock held, once {@link #pipe()} has made it. */
  PipeSender pipe;

  private final ShmEngine engine;
  private RingProducer ring;

  /** One kept object for blocking sends, which nobody but their caller ever sees. */
  private SendOp spare;

  private SendOp head;
  private SendOp tail;

  Outbound(ShmEngine engine, int peer) {
    this.engine = engine;
    this.peer = peer;
    this.peerBlock = engine.segment.rankBlock(peer);
  }

  boolean hasBacklog() {
    return head != null;
  }

  /** Whether the peer asks that payload stay here. Racy: the bound is soft. */
  boolean isPressed() {
    return RankLayout.getOpaquePressure(peerBlock) != 0;
  }

  /**
   * Sends a message that fits into a slot.
   *
   * @return false when there is a backlog, no ring yet, or no free slot
   */
  boolean pushInline(
      int kind, Object owner, long offset, long count, Plan plan, int bytes, long context, int tag) {
    if (head != null || ring == null) {
      return false;
    }
    long slot = ring.claim();
    if (slot == 0) {
      return false;
    }
    if (bytes != 0) {
      if (plan.isRun(count)) {
        Memory.read(kind, owner, offset + plan.trueLowerBound(), slot + EnvelopeLayout.PAYLOAD_OFFSET, bytes);
      } else {
        plan.pack(kind, owner, offset, count, 0, bytes, slot + EnvelopeLayout.PAYLOAD_OFFSET);
      }
    }
    EnvelopeLayout.setPlainEnvelope(slot, context, tag);
    ring.publish(slot, EnvelopeLayout.inlineInfo(bytes));
    return true;
  }

  /**
   * Sends a message that is one chunk.
   *
   * @return false when there is a backlog, no ring yet, no room, or the peer asks to keep payload
   */
  boolean pushWhole(
      int kind, Object owner, long offset, long count, Plan plan, int bytes, long context, int tag) {
    if (head != null || ring == null || isPressed()) {
      return false;
    }
    long slot = ring.claim(bytes);
    if (slot == 0) {
      return false;
    }
    Packing.pack(kind, owner, offset, count, plan, 0, bytes, ring.bulk());
    EnvelopeLayout.setPlainEnvelope(slot, context, tag);
    EnvelopeLayout.setPlainChunk(slot, ring.bulkOffset(), bytes, ring.bulkEnd(), bytes);
    ring.publish(slot, EnvelopeLayout.EAGER);
    return true;
  }

  /**
   * Sends as much of an eager message as the ring takes, in chunks: the peer unpacks one while the next is packed.
   *
   * @return how many of its bytes have been sent altogether; -1 when not even the envelope found room
   */
  long pushEager(
      int kind, Object owner, long offset, long count, Plan plan, long total, long from, long context, int tag,
      int flags) {
    long sent = from;
    while (true) {
      int n = (int) Math.min(total - sent, chunk());
      long slot = ring().claim(n);
      if (slot == 0) {
        return sent == 0 ? -1 : sent;
      }
      try {
        Packing.pack(kind, owner, offset, count, plan, sent, n, ring.bulk());
      } catch (IllegalStateException | WrongThreadException e) {
        if (sent == 0) {
          throw e;
        }
        return sent; // its envelope is out: the rest has to follow, as an operation that fails at its end
      }
      publishChunk(slot, plan, sent, n, total, context, tag, flags);
      sent += n;
      if (sent == total) {
        return sent;
      }
    }
  }

  private void publishChunk(long slot, Plan plan, long sent, int n, long total, long context, int tag, int flags) {
    EnvelopeLayout.setPlainChunk(slot, ring.bulkOffset(), total, ring.bulkEnd(), n);
    if (sent == 0) {
      EnvelopeLayout.setPlainEnvelope(slot, context, tag);
      ring.publish(slot, EnvelopeLayout.EAGER | flags | sign(slot, plan, total));
    } else {
      ring.publish(slot, EnvelopeLayout.MORE);
    }
    engine.wake(peerBlock);
  }

  /** Where types are checked, says in the envelope which ones the message carries; returns the flag for it. */
  private int sign(long slot, Plan plan, long total) {
    StreamSignature signature = engine.options.checking() ? plan.signature() : null;
    if (signature == null || signature.matchesAnything()) {
      return 0;
    }
    EnvelopeLayout.setPlainSignature(slot, signature.hash(total), engine.types.of(signature, plan.size()));
    return EnvelopeLayout.SIGNED;
  }

  private int ready(SendOp op) {
    return op.mode == Engine.READY && engine.options.checking() ? EnvelopeLayout.READY : 0;
  }

  private int chunk() {
    return Math.min(engine.options.chunk(), ring().bulkCapacity());
  }

  /**
   * Sends as much of an operation as the ring takes.
   *
   * @return true when its envelope and everything else that travels in the ring is out
   */
  boolean push(SendOp op) {
    return switch (op.protocol) {
      case INLINE, EAGER -> pushChunks(op);
      case PIPED, DIRECT -> pushRendezvous(op);
      case SELF -> throw new IllegalStateException("a message to oneself takes no ring");
    };
  }

  /** Whether an operation that {@link #push} has sent entirely needs nothing more of the receiver. */
  boolean isOver(SendOp op) {
    return op.protocol.compareTo(Protocol.EAGER) <= 0
        && (!op.isSynchronous() || engine.offers.isMatchedNowAllIsSent(op) || isCancelledNow(op));
  }

  /** Cancels what was to be cancelled while only some of its chunks were in the ring, if nobody has matched it yet. */
  private boolean isCancelledNow(SendOp op) {
    op.cancelled = op.cancelWanted && engine.offers.cancel(op);
    return op.cancelled;
  }

  /** Whether some but not all chunks of the operation are in the ring: then the rest has to follow. */
  boolean isPartlySent(SendOp op) {
    return head == op && op.sent > 0;
  }

  /** The eager form for operations: chunk by chunk, with a completion word if the mode is synchronous. */
  private boolean pushChunks(SendOp op) {
    boolean first = op.sent == 0;
    while (first || op.sent < op.total) {
      int n = (int) Math.min(op.total - op.sent, chunk());
      long slot = ring().claim(n);
      if (slot == 0) {
        return false;
      }
      op.pack(op.sent, n, ring.bulk());
      int flags = ready(op);
      if (first && op.isSynchronous()) {
        engine.offers.offer(op);
        EnvelopeLayout.setPlainWord(slot, op.word - engine.segment.base(), op.generation, 0);
        flags |= EnvelopeLayout.SYNCHRONOUS | (op.cancellable ? EnvelopeLayout.CANCELLABLE : 0);
      }
      publishChunk(slot, op.plan, op.sent, n, op.total, op.context, op.tag, flags);
      op.sent += n;
      first = false;
    }
    return true;
  }

  private boolean pushRendezvous(SendOp op) {
    JobSegment segment = engine.segment;
    boolean isDirect = op.protocol == Protocol.DIRECT;
    long first = op.layout != 0 ? op.offset : op.offset + op.plan.trueLowerBound();
    long at = (isDirect ? first : pipe().address()) - segment.base();
    long slot = ring().claim();
    if (slot == 0) {
      return false;
    }
    engine.offers.offer(op);
    EnvelopeLayout.setPlainEnvelope(slot, op.context, op.tag);
    EnvelopeLayout.setPlainChunk(slot, 0, op.total, 0, 0);
    EnvelopeLayout.setPlainWord(slot, op.word - segment.base(), op.generation, at);
    int flags = (op.isSynchronous() ? EnvelopeLayout.SYNCHRONOUS : 0)
        | (op.cancellable ? EnvelopeLayout.CANCELLABLE : 0)
        | ready(op)
        | sign(slot, op.plan, op.total);
    if (op.layout != 0) {
      EnvelopeLayout.setPlainLayout(slot, op.layout, op.count);
      flags |= EnvelopeLayout.STRIDED;
    } else if (op.readable) {
      EnvelopeLayout.setPlainLayout(slot, first, 1);
      flags |= EnvelopeLayout.READABLE;
    }
    ring.publish(slot, (isDirect ? EnvelopeLayout.DIRECT : EnvelopeLayout.PIPED) | flags);
    return true;
  }

  SendOp takeSpare() {
    SendOp op = spare;
    spare = null;
    if (op == null) {
      return new SendOp(engine);
    }
    op.reuse();
    return op;
  }

  /** Keeps an ended blocking send for the next one. Called without the lock: the worst case is a lost object. */
  void putSpare(SendOp op) {
    spare = op;
  }

  /** Joins the backlog. */
  void enqueue(SendOp op) {
    op.next = null;
    if (head == null) {
      head = op;
      engine.sending.countBacklog(1);
    } else {
      tail.next = op;
    }
    tail = op;
  }

  /** Sends from the backlog, in order, as long as the ring takes it. */
  int flush() {
    int moved = 0;
    while (head != null) {
      SendOp op = head;
      if (!op.isReadableHere()) {
        break;
      }
      long before = op.sent;
      boolean out = push(op);
      if (!out) {
        moved += op.sent == before ? 0 : 1;
        break;
      }
      moved++;
      removeHead();
      engine.wake(peerBlock);
      if (isOver(op)) {
        op.finish();
      }
    }
    return moved;
  }

  private void removeHead() {
    head = head.next;
    if (head == null) {
      tail = null;
      engine.sending.countBacklog(-1);
    }
  }

  /** Takes an operation out of the backlog, unless part of it has been sent. */
  boolean withdraw(SendOp op) {
    SendOp previous = null;
    for (SendOp s = head; s != null; previous = s, s = s.next) {
      if (s == op) {
        if (op.sent > 0) {
          return false;
        }
        if (previous == null) {
          removeHead();
        } else {
          previous.next = op.next;
          if (tail == op) {
            tail = previous;
          }
        }
        return true;
      }
    }
    return false;
  }

  /** Empties the backlog; the caller ends the returned chain of operations. */
  SendOp takeBacklog() {
    SendOp chain = head;
    if (chain != null) {
      head = null;
      tail = null;
      engine.sending.countBacklog(-1);
    }
    return chain;
  }

  /** The ring, opened on first use. */
  private RingProducer ring() {
    if (ring == null) {
      int slots = engine.options.ringSlots();
      int bulk = engine.options.ringBulk();
      long address = engine.segment.take(RingLayout.bytes(slots, bulk));
      RingLayout.format(address, slots, bulk);
      ring = new RingProducer(address, slots, bulk);
      Raw.putReleaseLong(engine.segment.ringEntry(engine.self, peer), address - engine.segment.base());
      RankLayout.incrementRings(peerBlock);
    }
    return ring;
  }

  private PipeSender pipe() {
    if (pipe == null) {
      int capacity = engine.options.pipeBytes();
      long address = engine.segment.take(PipeLayout.bytes(capacity));
      PipeLayout.format(address, capacity);
      pipe = new PipeSender(engine, address, capacity, peerBlock);
    }
    return pipe;
  }
}
