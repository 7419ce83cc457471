// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Incident;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.ObjectSignature;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.shm.account.AccountBuilder;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.Departures;
import org.ffmpi.shm.progress.EngineLock;
import org.ffmpi.shm.ring.RecordWriter;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Engine;

/**
 * The way to one peer, with the writer of its records and the backlog of sends that have found no room. Its first use
 * decides whether it is a {@link LocalOutbound} or a {@link RemoteOutbound}. {@link #lock} is the producer lock; every
 * method is called with it held but {@link #list}, {@link #releaseSpare} and those that acquire it. The mirror of
 * {@link Inbound}.
 *
 * <p>One rule keeps the order: a send that finds the backlog not empty joins it.
 *
 * <p>This file is long because every form of a record is written here, and counted beside its writing.
 */
abstract sealed class Outbound permits LocalOutbound, RemoteOutbound {
  final EngineLock lock = new EngineLock();
  final int peer;
  final long peerBlock;
  final Backlog backlog;

  /** The pair's pipe; null before a message needs it. Used with the rank's lock held. */
  PipeSender pipe;

  final Endpoint endpoint;
  final CompletionWords words;

  /** Null before the first send, and once the way is {@linkplain #shut}. */
  RecordWriter writer;

  private boolean isShut;

  /** Records of a writer that is no more, as the counts below without the envelopes of messages. */
  private long shutRecords;

  /** Records that are no envelope of an eager message; what remains of the published ones are eager messages. */
  private long otherRecords;

  private long eagerBytes;

  /** Messages by rendezvous, by the protocol that this rank has chosen. */
  private long piped;

  private long direct;
  private long crossed;
  private long rendezvousBytes;

  /** Sends that found no room. */
  private long refused;

  /** One reused object for blocking sends, which only their caller sees. */
  private SendOp spare;

  Outbound(Endpoint endpoint, CompletionWords words, int peer, AtomicInteger backlogs) {
    this.endpoint = endpoint;
    this.words = words;
    this.peer = peer;
    this.peerBlock = endpoint.segment().rankBlock(peer);
    this.backlog = new Backlog(backlogs);
  }

  // ---------------------------------------------------------------- what local and remote ways do differently

  /**
   * Sends a message that fits into a slot: the whole way of a short message, with the lock acquired and released.
   *
   * @return false when there is a backlog, no writer yet, or no free slot
   */
  abstract boolean sendInline(
      int kind, Object owner, long offset, long count, Plan plan, int bytes, long context, int tag);

  /** Opens the writer, at the first send. */
  abstract RecordWriter open();

  /** Called after each record of a long message and each message of the backlog: lets the peer begin, if it can. */
  abstract void recordPublished();

  /** Makes the peer see all records that are published. Called before the lock is released. */
  abstract void allPublished();

  /** Returns whether even nonblocking sends are to leave at once if there is room. */
  boolean sendsAtOnce() {
    return true;
  }

  /** Returns whether a nonblocking send of so many bytes should wait for others that follow it. */
  boolean shouldHold(long bytes) {
    return false;
  }

  /** Puts a send into the backlog, where it waits for room or is {@linkplain #shouldHold held} to wait for others. */
  void enqueue(SendOp op, boolean held) {
    backlog.add(op);
  }

  /** Returns whether a nonblocking send needs its payload after the call, where only this thread can read it. */
  boolean needsCopy(int kind, long bytes) {
    return false;
  }

  /** Returns the record of a plan by which the peer reads strided elements itself; 0: it does not. */
  long layout(SendBuffers buffers, long bytes, int kind, long offset, long count, Plan plan) {
    return 0;
  }

  /** Chooses the protocol of a message whose {@link #layout} is known. */
  abstract Protocol choose(SendBuffers buffers, long bytes, int kind, long offset, long layout, boolean isRun);

  /** Returns the segment offset of the pipe, or of the first byte of a direct message; 0: neither exists. */
  long place(SendOp op, long first) {
    return 0;
  }

  /** Returns whether the payload of a long message is moved from where it lies. */
  abstract boolean isReadable(SendOp op);

  /** Starts to move the payload of a matched message; returns the number of pipes, 0 or 1, that become busy. */
  abstract int startTransfer(SendOp op);

  /** Ends the transfers to the peer, which has departed; returns the number of pipes that cease to be busy. */
  abstract int failTransfers(Departures departures);

  /** Cancels a send whose completion word no receiver has claimed; returns whether that is done. */
  abstract boolean cancel(SendOp op);

  /** Returns what is wrong with the words by which the peer finds this rank's records, or its credit; or null. */
  abstract String fault();

  // ---------------------------------------------------------------- state

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

  // ---------------------------------------------------------------- counts, read by any thread without a lock

  long eagerMessages() {
    RecordWriter writer = this.writer;
    return (writer == null ? shutRecords : writer.published()) - otherRecords;
  }

  long eagerBytes() {
    return eagerBytes;
  }

  long pipedMessages() {
    return piped;
  }

  long directMessages() {
    return direct;
  }

  long crossMessages() {
    return crossed;
  }

  long refusedSends() {
    return refused;
  }

  long rendezvousBytes() {
    return rendezvousBytes;
  }

  /** Counts a send that finds no room now, and reports it. */
  void countRefused(SendOp op) {
    refused++;
    endpoint.incidents().raise(Incident.RING_FULL, null, peer, op.tag, op.total);
  }

  /** Returns whether the peer asks senders to keep their payload. The race is benign: the bound is soft. */
  boolean isPressed() {
    return RankLayout.getOpaquePressure(peerBlock) != 0;
  }

  // ---------------------------------------------------------------- without an operation

  /** Sends a message that fits into a slot, as {@link #sendInline} does with the lock held. */
  final boolean pushInline(
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
    eagerBytes += bytes;
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
    eagerBytes += bytes;
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
    otherRecords++;
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
    long at = place(op, first);
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
    } else if (isReadable(op)) {
      EnvelopeLayout.setPlainLayout(slot, first, 1);
      flags |= EnvelopeLayout.READABLE;
    }
    writer.publish(
        slot, EnvelopeLayout.info((isDirect ? EnvelopeLayout.DIRECT : EnvelopeLayout.PIPED) | flags, op.tag));
    countRendezvous(op);
    return true;
  }

  private void countRendezvous(SendOp op) {
    otherRecords++;
    rendezvousBytes += op.total;
    switch (op.protocol) {
      case DIRECT -> direct++;
      case CROSS -> crossed++;
      default -> piped++;
    }
  }

  private void publishChunk(long slot, Plan plan, long sent, int n, long total, long context, int tag, int flags) {
    EnvelopeLayout.setPlainChunk(slot, writer.bulkOffset(), total, writer.bulkEnd(), n);
    if (sent == 0) {
      EnvelopeLayout.setPlainContext(slot, context);
      writer.publish(slot, EnvelopeLayout.info(EnvelopeLayout.EAGER | flags | sign(slot, plan, total), tag));
    } else {
      writer.publish(slot, EnvelopeLayout.MORE | flags & EnvelopeLayout.SPOILED);
      otherRecords++;
    }
    eagerBytes += n;
    recordPublished();
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

  /** Returns whether some but not all chunks of the operation are in the ring, so that the rest has to follow. */
  boolean isPartlySent(SendOp op) {
    return backlog.head() == op && op.sent > 0;
  }

  /** Sends from the backlog in order as long as there is room; returns the number of operations moved. */
  int flushBacklog() {
    int moved = 0;
    for (SendOp op = backlog.head(); op != null && op.isReadableHere(); op = backlog.head()) {
      long before = op.sent;
      if (!push(op)) {
        moved += op.sent == before ? 0 : 1;
        break;
      }
      moved++;
      backlog.removeHead();
      recordPublished();
      if (endPush(op)) {
        op.finish();
      }
    }
    return moved;
  }

  /** Shuts the way to a failed peer, which has stopped reading its ring. Acquires the lock itself. */
  void shut() {
    if (!isShut && lock.lock()) {
      isShut = true;
      shutRecords = writer == null ? 0 : writer.published();
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
    if (writer == null) {
      writer = open();
    }
    return writer;
  }

  /** Returns whether a message was sent to the peer. Racy. */
  boolean isOpen() {
    return writer != null;
  }

  /** Fails when the words by which the peer finds this rank's records, or the peer's credit, are corrupt. */
  void verify() {
    String fault = fault();
    if (fault != null) {
      throw new MpiException(ErrorClass.ERR_INTERN, "the ring to rank " + peer + " is corrupt: " + fault);
    }
    if (pipe != null) {
      pipe.verify();
    }
  }
}
