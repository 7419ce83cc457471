// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.ObjectSignature;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.shm.account.AccountBuilder;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.EngineLock;
import org.ffmpi.shm.ring.RecordWriter;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.ring.RingProducer;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Engine;

/**
 * The way to one peer, with the writer of its ring or packets, and the backlog of sends that have found no room. {@link
 * #lock} is the producer lock; every method but the constructor, {@link #list} and {@link #releaseSpare} is called with
 * it held. The mirror of {@link Inbound}.
 *
 * <p>One rule keeps the order: a send that finds the backlog not empty joins it.
 */
final class Outbound {
  /** Most bytes of small messages that wait for a common packet; each counts as {@link #LEAST_HELD} or more. */
  private static final int MOST_HELD = 32 << 10;

  private static final int LEAST_HELD = 1 << 10;

  /** Longest message that may wait for others. */
  private static final int HELD = 4 << 10;

  final EngineLock lock = new EngineLock();
  final int peer;
  final long peerBlock;
  final Backlog backlog;

  /** The pair's pipe, which {@link #pipe()} makes; used with the rank's lock held. */
  PipeSender pipe;

  private final Endpoint endpoint;
  private final CompletionWords words;

  /** Null when the peer is on this node. */
  private final Remote remote;

  /** Null before the first send, and once the way is {@linkplain #shut}. */
  private RecordWriter writer;

  /** The ring's place in the segment; 0: the peer is on another node. */
  private long ringOffset;

  private boolean isShut;

  /** Bytes in the backlog that wait for a common packet, as {@link #MOST_HELD} counts them. */
  private int held;

  /** One reused object for blocking sends, which only their caller sees. */
  private SendOp spare;

  Outbound(Endpoint endpoint, CompletionWords words, int peer, AtomicInteger backlogs, Remote remote) {
    this.endpoint = endpoint;
    this.words = words;
    this.peer = peer;
    this.peerBlock = endpoint.segment().rankBlock(peer);
    this.backlog = new Backlog(backlogs);
    this.remote = Remote.isRemote(remote, peer) ? remote : null;
  }

  /** Returns the error of a send whose buffer cannot be read. */
  static MpiException unusable(RuntimeException e) {
    return new MpiException(ErrorClass.ERR_BUFFER, "the buffer cannot be used: " + e.getMessage(), e);
  }

  /** Acquires the lock; throws when the rank has finalized. */
  void acquire() {
    if (!lock.lock()) {
      throw endpoint.finalizedError();
    }
  }

  /** Lists the amounts sent so far; approximate, since only the rank's lock is held. */
  void list(AccountBuilder into) {
    RecordWriter writer = this.writer;
    if (writer != null) {
      into.sent(writer.published(), writer.publishedBulk());
    }
    PipeSender pipe = this.pipe;
    if (pipe != null) {
      into.sent(0, pipe.pushed());
    }
  }

  /** Returns whether the peer asks senders to keep their payload. The race is benign: the bound is soft. */
  boolean isPressed() {
    return RankLayout.getOpaquePressure(peerBlock) != 0;
  }

  // ---------------------------------------------------------------- without an operation

  /**
   * Sends a message that fits into a slot: the whole way of a short message, with the lock acquired and released.
   *
   * @return false when there is a backlog, no ring yet, or no free slot
   */
  boolean sendInline(
      int kind, Object owner, long offset, long count, Plan plan, int bytes, long context, int tag) {
    acquire();
    try {
      return pushInline(kind, owner, offset, count, plan, bytes, context, tag);
    } catch (IllegalStateException | WrongThreadException e) {
      throw unusable(e);
    } finally {
      if (remote != null) {
        sendPacket();
      } else if (RankLayout.getOpaqueWait(peerBlock) != 0) {
        endpoint.wake(peerBlock);
      }
      lock.unlock();
    }
  }

  /** Sends a message that fits into a slot, as {@link #sendInline} does with the lock held. */
  boolean pushInline(
      int kind, Object owner, long offset, long count, Plan plan, int bytes, long context, int tag) {
    long slot = writer == null || !backlog.isEmpty() ? 0 : writer.claim();
    if (slot == 0) {
      return false;
    }
    if (bytes != 0) {
      plan.pack(kind, owner, offset, count, 0, bytes, slot + EnvelopeLayout.PAYLOAD_OFFSET);
    }
    EnvelopeLayout.setPlainContext(slot, context);
    writer.publish(slot, EnvelopeLayout.inlineInfo(bytes, tag));
    return true;
  }

  /**
   * Sends a message that is one chunk.
   *
   * @return false when there is a backlog, no ring yet, no room, or the peer asks senders to keep payload
   */
  boolean pushWhole(
      int kind, Object owner, long offset, long count, Plan plan, int bytes, long context, int tag) {
    if (!backlog.isEmpty() || writer == null || isPressed()) {
      return false;
    }
    long slot = writer.claim(bytes);
    if (slot == 0) {
      return false;
    }
    plan.pack(kind, owner, offset, count, 0, bytes, writer.bulk());
    EnvelopeLayout.setPlainContext(slot, context);
    EnvelopeLayout.setPlainChunk(slot, writer.bulkOffset(), bytes, writer.bulkEnd(), bytes);
    writer.publish(slot, EnvelopeLayout.info(EnvelopeLayout.EAGER, tag));
    return true;
  }

  /**
   * Sends as much of an eager message as the ring takes, in chunks: the peer unpacks one while the next is packed.
   *
   * @return the number of bytes sent; -1 when not even the envelope has found room
   */
  long pushEager(
      int kind, Object owner, long offset, long count, Plan plan, long total, long context, int tag, int flags) {
    long sent = 0;
    while (true) {
      int n = (int) Math.min(total - sent, chunk());
      long slot = writer().claim(n);
      if (slot == 0) {
        return sent == 0 ? -1 : sent;
      }
      try {
        plan.pack(kind, owner, offset, count, sent, n, writer.bulk());
      } catch (IllegalStateException | WrongThreadException e) {
        if (sent == 0) {
          throw e;
        }
        return sent; // its envelope is published: the rest has to follow, as an operation that fails at its end
      }
      publishChunk(slot, plan, sent, n, total, context, tag, flags);
      sent += n;
      if (sent == total) {
        return sent;
      }
    }
  }

  /**
   * Sends the peer the failure of this rank in a collective call.
   *
   * @return false when there is no free slot
   */
  boolean pushFailure(CallFailure failure, int tag) {
    long slot = writer().claim();
    if (slot == 0) {
      return false;
    }
    EnvelopeLayout.setPlainContext(slot, failure.context());
    EnvelopeLayout.setPlainFailure(slot, failure.errorClass().code(), failure.cause(), failure.causePeer());
    writer.publish(slot, EnvelopeLayout.info(EnvelopeLayout.FAILED, tag));
    return true;
  }

  // ---------------------------------------------------------------- operations

  /**
   * Sends as much of an operation as the ring takes.
   *
   * @return true when its envelope and all payload that travels in the ring are published
   */
  boolean push(SendOp op) {
    if (op.mode == SendOp.FAILURE) {
      return pushFailure((CallFailure) op.owner, op.tag);
    }
    return switch (op.protocol) {
      case INLINE, EAGER -> pushChunks(op);
      case PIPED, CROSS, DIRECT -> pushRendezvous(op);
      case SELF -> throw new IllegalStateException("a message to oneself needs no ring");
    };
  }

  /** The eager form for operations: chunk by chunk, with a completion word if the mode is synchronous. */
  private boolean pushChunks(SendOp op) {
    boolean first = op.sent == 0;
    while (first || op.sent < op.total) {
      int n = (int) Math.min(op.total - op.sent, chunk());
      long slot = writer().claim(n);
      if (slot == 0) {
        return false;
      }
      op.pack(op.sent, n, writer.bulk());
      int flags = ready(op);
      if (first && op.isSynchronous()) {
        words.claim(op);
        EnvelopeLayout.setPlainWord(slot, endpoint.offset(op.word), op.generation, 0);
        flags |= EnvelopeLayout.SYNCHRONOUS | (op.cancellable ? EnvelopeLayout.CANCELLABLE : 0);
      }
      if (op.isSpoiled() && op.sent + n == op.total) {
        flags |= EnvelopeLayout.SPOILED;
      }
      publishChunk(slot, op.plan, op.sent, n, op.total, op.context, op.tag, flags);
      op.sent += n;
      first = false;
    }
    return true;
  }

  private boolean pushRendezvous(SendOp op) {
    boolean isDirect = op.protocol == Protocol.DIRECT;
    long first = op.layout != 0 ? op.offset : op.offset + op.plan.trueLowerBound();
    long at = remote != null ? 0 : endpoint.offset(isDirect ? first : pipe().address());
    long slot = writer().claim();
    if (slot == 0) {
      return false;
    }
    words.claim(op);
    EnvelopeLayout.setPlainContext(slot, op.context);
    EnvelopeLayout.setPlainChunk(slot, 0, op.total, 0, 0);
    EnvelopeLayout.setPlainWord(slot, endpoint.offset(op.word), op.generation, at);
    int flags = (op.isSynchronous() ? EnvelopeLayout.SYNCHRONOUS : 0)
        | (op.cancellable ? EnvelopeLayout.CANCELLABLE : 0)
        | ready(op)
        | sign(slot, op.plan, op.total);
    if (op.layout != 0) {
      EnvelopeLayout.setPlainLayout(slot, op.layout, op.count);
      flags |= EnvelopeLayout.STRIDED;
    } else if (op.protocol == Protocol.CROSS || remote != null && op.run() != 0) {
      EnvelopeLayout.setPlainLayout(slot, first, 1);
      flags |= EnvelopeLayout.READABLE;
    }
    writer.publish(
        slot, EnvelopeLayout.info((isDirect ? EnvelopeLayout.DIRECT : EnvelopeLayout.PIPED) | flags, op.tag));
    return true;
  }

  private void publishChunk(long slot, Plan plan, long sent, int n, long total, long context, int tag, int flags) {
    EnvelopeLayout.setPlainChunk(slot, writer.bulkOffset(), total, writer.bulkEnd(), n);
    if (sent == 0) {
      EnvelopeLayout.setPlainContext(slot, context);
      writer.publish(slot, EnvelopeLayout.info(EnvelopeLayout.EAGER | flags | sign(slot, plan, total), tag));
    } else {
      writer.publish(slot, EnvelopeLayout.MORE | flags & EnvelopeLayout.SPOILED);
    }
    if (remote == null) { // a packet is filled, and leaves with the message's last chunk
      endpoint.wake(peerBlock);
    }
  }

  /** Where types are checked, and for objects, writes the signature into the envelope; returns the flag for it. */
  private int sign(long slot, Plan plan, long total) {
    StreamSignature signature = plan.signature();
    if (!endpoint.options().checking() && signature != ObjectSignature.OBJECT || signature == null
        || signature.matchesAnything()) {
      return 0;
    }
    EnvelopeLayout.setPlainSignature(slot, signature.hash(total), endpoint.types().of(signature, plan.size()));
    return EnvelopeLayout.SIGNED;
  }

  private int ready(SendOp op) {
    return op.mode == Engine.READY && endpoint.options().checking() ? EnvelopeLayout.READY : 0;
  }

  private int chunk() {
    return Math.min(endpoint.options().chunk(), writer().bulkCapacity());
  }

  /** Ends the push of an operation that {@link #push} has sent entirely; returns whether it needs no answer. */
  boolean endPush(SendOp op) {
    return op.protocol.isEager()
        && (!op.isSynchronous() || words.markAllSent(op) || cancelIfWanted(op));
  }

  /** Cancels an unmatched send whose cancel came while only some of its chunks were in the ring. */
  private boolean cancelIfWanted(SendOp op) {
    op.cancelled = op.cancelWanted && cancel(op);
    return op.cancelled;
  }

  /**
   * Cancels a send whose completion word no receiver has claimed; returns whether that is done. A peer on another node
   * is asked, and its answer completes the send.
   */
  boolean cancel(SendOp op) {
    if (remote == null) {
      return words.cancel(op);
    }
    long word = op.word;
    if (words.ask(op)) {
      remote.packets().sendNote(peer, PacketLayout.CANCEL, endpoint.offset(word), op.generation, 0, 0);
    }
    return false;
  }

  /** After records are published: wakes a peer of this node if it sleeps, or sends a peer elsewhere its packet. */
  void wakeOrSendPacket() {
    if (remote == null) {
      endpoint.wake(peerBlock);
    } else {
      sendPacket();
    }
  }

  private void sendPacket() {
    if (writer != null) {
      ((WireWriter) writer).flush();
    }
  }

  /** Returns whether the peer is on another node. */
  boolean isRemote() {
    return remote != null;
  }

  /**
   * Returns whether a nonblocking send should wait for others that follow it, because it is small and one of a quick
   * sequence. The next poll sends all of them in one packet, or {@link #addHeld} does.
   */
  boolean shouldHold(long bytes) {
    return remote != null && bytes <= HELD && writer != null && ((WireWriter) writer).isBurst();
  }

  /** Counts a send that has joined the backlog to wait for others, and sends all when they fill a packet. */
  void addHeld(long bytes) {
    held += (int) Math.max(bytes, LEAST_HELD);
    if (held >= MOST_HELD) {
      flushBacklog();
    }
  }

  /** Returns whether some but not all chunks of the operation are in the ring, so that the rest has to follow. */
  boolean isPartlySent(SendOp op) {
    return backlog.head() == op && op.sent > 0;
  }

  /** Sends from the backlog in order as long as there is room; returns the number of operations moved. */
  int flushBacklog() {
    int moved = 0;
    held = 0;
    for (SendOp op = backlog.head(); op != null && op.isReadableHere(); op = backlog.head()) {
      long before = op.sent;
      if (!push(op)) {
        moved += op.sent == before ? 0 : 1;
        break;
      }
      moved++;
      backlog.removeHead();
      if (remote == null) {
        endpoint.wake(peerBlock);
      }
      if (endPush(op)) {
        op.finish();
      }
    }
    if (remote != null) {
      sendPacket(); // all in as few packets as they need
    }
    return moved;
  }

  /** Shuts the way to a failed peer, which has stopped reading its ring. Acquires the lock itself. */
  void shut() {
    if (!isShut && lock.lock()) {
      isShut = true;
      writer = null;
      lock.unlock();
    }
  }

  /** Returns whether the way is shut. */
  boolean isShut() {
    return isShut;
  }

  /** Removes the waiting sends of broken channels, except one of which a part has been sent. */
  List<SendOp> removeBroken(BrokenChannels broken) {
    List<SendOp> removed = new ArrayList<>();
    SendOp following;
    for (SendOp op = backlog.head(); op != null; op = following) {
      following = op.next;
      if (broken.isBroken(op.context) && backlog.withdraw(op)) {
        removed.add(op);
      }
    }
    return removed;
  }

  /** Acquires an object for a blocking send. */
  SendOp acquireSpare(SendOp.Owner starter) {
    SendOp op = spare;
    spare = null;
    if (op == null) {
      return new SendOp(starter);
    }
    op.reuse();
    return op;
  }

  /** Releases the object of an ended blocking send. Called without the lock: the worst case is a lost object. */
  void releaseSpare(SendOp op) {
    spare = op;
  }

  /** Returns the writer, which the first use opens. */
  private RecordWriter writer() {
    if (writer == null && remote != null) {
      writer = new WireWriter(remote.packets(), peer);
    }
    if (writer == null) {
      int slots = endpoint.options().ringSlots();
      int bulk = endpoint.options().ringBulk();
      long address = endpoint.segment().claim(RingLayout.bytes(slots, bulk));
      RingLayout.format(address, slots, bulk);
      writer = new RingProducer(address, slots, bulk);
      ringOffset = endpoint.offset(address);
      endpoint.segment().setReleaseRing(endpoint.self(), peer, ringOffset);
      RankLayout.incrementRings(peerBlock);
    }
    return writer;
  }

  /** Returns whether a message was sent to the peer. Racy. */
  boolean isOpen() {
    return writer != null;
  }

  /** Fails when the words by which the peer finds this rank's records, or the peer's credit, are corrupt. */
  void verify() {
    long offset = endpoint.segment().getAcquireRing(endpoint.self(), peer);
    String fault = offset == ringOffset ? writer.fault() : "it is said to lie at " + offset;
    if (fault != null) {
      throw new MpiException(ErrorClass.ERR_INTERN, "the ring to rank " + peer + " is corrupt: " + fault);
    }
    if (pipe != null) {
      pipe.verify();
    }
  }

  private PipeSender pipe() {
    if (pipe == null) {
      int capacity = endpoint.options().pipeBytes();
      long address = endpoint.segment().claim(PipeLayout.bytes(capacity));
      PipeLayout.format(address, capacity);
      pipe = new PipeSender(endpoint, words, address, capacity, peerBlock);
    }
    return pipe;
  }
}
