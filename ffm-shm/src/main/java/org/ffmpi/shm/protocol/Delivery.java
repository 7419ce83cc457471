// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Incident;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.account.AccountBuilder;
import org.ffmpi.shm.match.Matcher;
import org.ffmpi.shm.match.PostedReceive;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.Departures;
import org.ffmpi.shm.progress.JobAbort;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.ReceiveException;

/**
 * Matches messages and receives, and moves payload from rings into buffers. Called with the rank's lock held, by {@link
 * Inbound} for each record of a ring, by {@link Receiving} for each receive.
 *
 * <p>This file is long because it has every way in which a message and a receive meet, by which of them came first and
 * by the place of the payload.
 */
final class Delivery implements WireReceives.Keeper {
  /** Shortest time between two checks for mismatched collective calls. */
  private static final long CHECK_NANOS = 20_000_000;

  private final Endpoint endpoint;
  private final Matcher matcher;
  private final RendezvousReceiver transfers;
  private final SignatureCheck signatures;
  private final JobAbort end;
  private final UnexpectedMessages unexpected;

  private final FailedCalls failed;

  /** Time of the last check for mismatched collective calls. */
  private long checkedAt = System.nanoTime();

  /** Matched receives whose message is not complete, or that wait for the one thread that may write their buffer. */
  private final List<RecvOp> boundReceives = new ArrayList<>();

  /** Optional fields of the current envelope, as the next three; valid only with the flag of each. */
  private long layout;

  private long count;
  private long hash;
  private long types;

  Delivery(
      Endpoint endpoint, Matcher matcher, UnexpectedMessages unexpected, RendezvousReceiver transfers,
      SignatureCheck signatures, JobAbort end, FailedCalls failed) {
    this.endpoint = endpoint;
    this.matcher = matcher;
    this.transfers = transfers;
    this.signatures = signatures;
    this.end = end;
    this.unexpected = unexpected;
    this.failed = failed;
  }

  // ---------------------------------------------------------------- records of a ring

  /** Delivers a message whose whole payload lies in a slot or in a ring's bulk bytes. */
  void onWhole(int peer, long context, int tag, long at, int bytes) {
    PostedReceive p = matcher.matchPosted(context, peer, tag);
    if (p != null && ((RecvOp) p).isWritableHere()) {
      RecvOp op = (RecvOp) p;
      op.matched(peer, tag, bytes);
      if (bytes != 0) {
        op.write(at, 0, bytes);
      }
      op.finish();
      return;
    }
    UnexpectedMessage m = unexpected.acquire(EnvelopeLayout.INLINE, context, peer, tag, bytes);
    unexpected.append(m, at, bytes);
    bindOrQueue(m, (RecvOp) p);
  }

  /** Reads the optional fields of an envelope; {@link #onEager} or {@link #onRendezvous} follows. */
  void readOptional(long slot, int info) {
    if ((info & (EnvelopeLayout.STRIDED | EnvelopeLayout.READABLE)) != 0) {
      layout = EnvelopeLayout.getPlainLayout(slot);
      count = EnvelopeLayout.getPlainCount(slot);
    }
    if ((info & EnvelopeLayout.SIGNED) != 0) {
      setSignature(EnvelopeLayout.getPlainHash(slot), EnvelopeLayout.getPlainTypes(slot));
    }
  }

  /** Sets the signature of the current message. */
  void setSignature(long hash, long types) {
    this.hash = hash;
    this.types = types;
  }

  private UnexpectedMessage acquire(int info, long context, int peer, int tag, long total) {
    UnexpectedMessage m = unexpected.acquire(info, context, peer, tag, total);
    if ((info & EnvelopeLayout.SIGNED) != 0) {
      m.hash = hash;
      m.types = types;
    }
    return m;
  }

  /**
   * Delivers the first record of an eager message.
   *
   * @return the target of its chunks: a receive, an unexpected message, or null to drop them
   */
  Object onEager(int peer, int info, long context, int tag, long total, long word, int generation) {
    boolean synchronous = (info & EnvelopeLayout.SYNCHRONOUS) != 0;
    long wordAddress = synchronous ? endpoint.segment().line(word, CompletionWordLayout.BYTES) : 0;
    RecvOp op = (RecvOp) matcher.findPosted(context, peer, tag);
    if (op != null && synchronous && !RendezvousReceiver.claim(info, wordAddress, generation)) {
      return null; // cancelled: its chunks are dropped as they come
    }
    if (op != null) {
      matcher.withdraw(op);
      if (synchronous) {
        transfers.signalDone(wordAddress, generation, peer);
      }
      if (op.isWritableHere()) {
        op.matched(peer, tag, total);
        if ((info & EnvelopeLayout.SIGNED) != 0) {
          signatures.check(op, hash, types);
        }
        return op;
      }
    }
    if ((info & EnvelopeLayout.READY) != 0 && op == null) {
      notReady(peer, tag);
    }
    UnexpectedMessage m = acquire(info, context, peer, tag, total);
    m.word = synchronous && op == null ? wordAddress : 0;
    m.generation = generation;
    if (total != 0) {
      unexpected.reserve(m);
    }
    bindOrQueue(m, op);
    return m;
  }

  /** Delivers the envelope of a message whose payload stays with its sender until it is matched. */
  void onRendezvous(int peer, int info, long context, int tag, long total, long word, int generation, long at) {
    if (total < 0) {
      throw new MpiException(ErrorClass.ERR_INTERN, "an envelope announces " + total + " bytes");
    }
    UnexpectedMessage m = acquire(info, context, peer, tag, total);
    m.word = endpoint.segment().line(word, CompletionWordLayout.BYTES);
    m.generation = generation;
    m.at = at;
    if ((info & (EnvelopeLayout.STRIDED | EnvelopeLayout.READABLE)) != 0) {
      m.layout = layout;
      m.count = count;
    }
    RecvOp op = (RecvOp) matcher.findPosted(context, peer, tag);
    if (op == null) {
      if ((info & EnvelopeLayout.READY) != 0) {
        notReady(peer, tag);
      }
      bindOrQueue(m, null);
      return;
    }
    if (!RendezvousReceiver.claim(info, m.word, generation)) {
      unexpected.discard(m);
      return;
    }
    m.setClaimed();
    matcher.withdraw(op);
    match(m, op);
  }

  /** Ends the job: a sender has broken the promise of ready mode, which is not an error of a call of this rank. */
  private void notReady(int peer, int tag) {
    end.abort(
        ErrorClass.ERR_OTHER.code(),
        "rank " + peer + " sent a message with tag " + tag + " to rank " + endpoint.self()
            + " in ready mode before its receive was posted");
  }

  /** Makes an unexpected message of the rest of a message, in a thread that may not write its confined buffer. */
  @Override
  public UnexpectedMessage divert(RecvOp op, int peer, long total, long received) {
    UnexpectedMessage m = acquire(EnvelopeLayout.EAGER, op.context(), peer, op.matchedTag(), total);
    unexpected.reserve(m);
    m.received = received;
    m.skip = received;
    bind(m, op);
    return m;
  }

  /** Appends a chunk to an unexpected message. */
  @Override
  public void append(UnexpectedMessage m, long at, int bytes) {
    unexpected.append(m, at, bytes);
  }

  /** Ends an unexpected message whose last chunk has come. */
  @Override
  public void onLastChunk(UnexpectedMessage m) {
    RecvOp op = m.receiver;
    if (m.dropped) {
      unexpected.discard(m);
    } else if (op != null && op.isWritableHere()) {
      deliver(m, op);
    } else if (op != null) {
      op.unparkOwner();
    }
  }

  // ---------------------------------------------------------------- messages of the rank to itself

  /** Copies a message of the rank to itself into its receive. */
  void deliverSelf(SendOp send, int info, RecvOp op) {
    op.matched(send.peer, send.tag, send.total);
    if (info != 0) {
      signatures.check(op, hash, types);
    }
    SelfCopy.copy(send, op);
    op.finish();
  }

  /** Acquires a message of the rank to itself, with a copy of its payload if asked; {@link #bindOrQueue} follows. */
  UnexpectedMessage acquireSelf(SendOp send, int info, boolean copy) {
    UnexpectedMessage m = acquire(info, send.context, send.peer, send.tag, send.total);
    if (copy) {
      if (send.total != 0) {
        unexpected.reserve(m);
        send.pack(0, send.total, m.payload);
      }
      m.received = send.total;
    } else {
      m.selfSend = send;
    }
    return m;
  }

  // ---------------------------------------------------------------- receives

  /**
   * Starts a receive: matches an unexpected message, or posts the receive unless its collective call has failed.
   *
   * @return whether it was posted
   */
  boolean start(RecvOp op) {
    UnexpectedMessage m;
    while ((m = (UnexpectedMessage) matcher.findUnexpected(op)) != null) {
      matcher.remove(m);
      if (match(m, op)) {
        return false;
      }
    }
    if (!failed.isEmpty() && endIfCallFailed(op)) {
      return false;
    }
    matcher.post(op);
    return true;
  }

  /** Ends a receive whose collective call has failed, and returns true then. */
  private boolean endIfCallFailed(RecvOp op) {
    MpiException error = failed.error(op.context(), op.tag());
    if (error != null) {
      op.finish(error);
    }
    return error != null;
  }

  /** Returns whether payload comes in outside of the rings. */
  boolean hasTransfers() {
    return transfers.hasTransfers();
  }

  /** Returns the number of bytes copied out of senders' memory so far. */
  long copied() {
    return transfers.copied();
  }

  /** Returns whether no receive is posted and no message is unexpected. */
  boolean isIdle() {
    return matcher.isEmpty();
  }

  /** Returns whether a receive is posted. */
  boolean hasPosted() {
    return matcher.hasPosted();
  }

  /** Returns the message that a receive with this pattern would match, or null. */
  UnexpectedMessage find(long context, int peer, int tag) {
    UnexpectedMessage m;
    while ((m = (UnexpectedMessage) matcher.findUnexpected(context, peer, tag)) != null) {
      if (m.word == 0 || (m.info & EnvelopeLayout.CANCELLABLE) == 0
          || CompletionWordLayout.getAcquireState(m.word, m.generation) != CompletionWordLayout.CANCELLED) {
        return m;
      }
      matcher.remove(m);
      unexpected.discard(m);
    }
    return null;
  }

  /** Claims and dequeues the message that a receive with this pattern would match, and returns it, or null. */
  UnexpectedMessage claim(long context, int peer, int tag) {
    UnexpectedMessage m;
    while ((m = (UnexpectedMessage) matcher.findUnexpected(context, peer, tag)) != null) {
      matcher.remove(m);
      if (m.word == 0 || RendezvousReceiver.claim(m.info, m.word, m.generation)) {
        m.setClaimed();
        return m;
      }
      unexpected.discard(m);
    }
    return null;
  }

  /** Withdraws a posted receive; returns false when it is already matched. */
  boolean withdraw(RecvOp op) {
    return matcher.withdraw(op);
  }

  /**
   * Binds a message to its matched receive. Without a receive it is queued, or dropped if its collective call has
   * failed.
   */
  void bindOrQueue(UnexpectedMessage m, RecvOp op) {
    if (op != null) {
      bind(m, op);
    } else if (failed.isEmpty() || !dropIfCallFailed(m)) {
      matcher.addUnexpected(m);
      if (endpoint.incidents().areHeard()) {
        endpoint.incidents().raise(Incident.UNEXPECTED_MESSAGE, null, m.peer(), m.tag(), m.total);
      }
    }
  }

  private void bind(UnexpectedMessage m, RecvOp op) {
    m.receiver = op;
    op.boundMessage = m;
    boundReceives.add(op);
    if (m.isComplete()) {
      op.unparkOwner();
    }
  }

  private void unbind(RecvOp op) {
    if (op.boundMessage != null) {
      op.boundMessage = null;
      boundReceives.remove(op);
    }
  }

  /** Releases a message that no receive will claim. */
  void discard(UnexpectedMessage m) {
    unexpected.discard(m);
  }

  /**
   * Matches a dequeued message and a receive that is not posted.
   *
   * @return false when the message is cancelled, and discarded
   */
  boolean match(UnexpectedMessage m, RecvOp op) {
    if (m.word != 0 && !RendezvousReceiver.claim(m.info, m.word, m.generation)) {
      unexpected.discard(m);
      return false;
    }
    if (EnvelopeLayout.kind(m.info) < EnvelopeLayout.PIPED && m.word != 0) {
      transfers.signalDone(m.word, m.generation, m.peer());
      m.word = 0;
    }
    if (!op.isWritableHere() || !m.isComplete() && m.selfSend == null) {
      m.setClaimed();
      bind(m, op);
      return true;
    }
    deliver(m, op);
    return true;
  }

  /** Moves a complete message into a receive whose buffer this thread may write. */
  private void deliver(UnexpectedMessage m, RecvOp op) {
    unbind(op);
    op.matched(m.peer(), m.tag(), m.total);
    if ((m.info & EnvelopeLayout.SIGNED) != 0) {
      signatures.check(op, m.hash, m.types);
    }
    if (EnvelopeLayout.kind(m.info) >= EnvelopeLayout.PIPED) {
      transfers.start(m, op);
      return;
    }
    if (m.spoiled) {
      op.spoil(m.peer());
    }
    SendOp send = m.selfSend;
    if (send != null && m.received != m.total) {
      SelfCopy.copy(send, op);
    } else if (m.total != 0) {
      op.write(m.payload + m.skip, m.skip, m.total - m.skip);
    }
    unexpected.discard(m);
    if (send != null) {
      send.finish();
    }
    op.finish();
  }

  /** Returns whether there are bound receives. */
  boolean hasBound() {
    return !boundReceives.isEmpty();
  }

  /** Delivers complete messages to the bound receives of the calling thread; returns their number. */
  int deliverBound() {
    int moved = 0;
    for (int i = boundReceives.size() - 1; i >= 0; i--) {
      RecvOp op = boundReceives.get(i);
      if (op.isWritableHere() && op.boundMessage.isComplete()) {
        deliver(op.boundMessage, op);
        moved++;
      }
    }
    return moved;
  }

  /** Delivers to a bound receive in its owner's thread, if the message is complete; returns whether it was. */
  boolean finishBound(RecvOp op) {
    UnexpectedMessage m = op.boundMessage;
    if (m == null || !m.isComplete()) {
      return false;
    }
    deliver(m, op);
    return true;
  }

  // ---------------------------------------------------------------- collective calls that fail

  /**
   * Ends the receives of a collective call in which a rank has failed, and drops its messages, now and later.
   *
   * @return false when the failure is already known
   */
  boolean failCall(CallFailure failure, int tag) {
    if (!failed.add(failure, tag)) {
      return false;
    }
    long call = Channel.callOf(failure.context());
    MpiException error = failure.error();
    matcher.withdrawIf(
        p -> p.tag() == tag && Channel.callOf(p.context()) == call, p -> ((RecvOp) p).finish(error));
    matcher.eachUnexpected(m -> m.tag() == tag && Channel.callOf(m.context()) == call, m -> {
      matcher.remove(m);
      drop((UnexpectedMessage) m);
    });
    return true;
  }

  /** Drops a message whose collective call has failed, and returns true then. */
  private boolean dropIfCallFailed(UnexpectedMessage m) {
    boolean hasFailed = failed.contains(m.context(), m.tag());
    if (hasFailed) {
      drop(m);
    }
    return hasFailed;
  }

  /** Releases a dequeued message that no receive will match, and completes its send. */
  private void drop(UnexpectedMessage m) {
    if (m.word != 0 && RendezvousReceiver.claim(m.info, m.word, m.generation)) {
      transfers.signalDone(m.word, m.generation, m.peer());
    }
    SendOp send = m.selfSend;
    if (send != null) {
      m.received = m.total;
    }
    unexpected.discard(m);
    if (send != null) {
      send.finish();
    }
  }

  /**
   * Ends receives whose message will never come, because another rank has made another call under the same number. A
   * message of that call shows it, or that rank's words in shared memory. For threads that wait already: it walks all
   * receives and messages, though not often.
   *
   * @param now whether to look even if the last look was a moment ago
   * @return number of ended receives
   */
  int failMismatched(boolean now) {
    if (!matcher.hasPosted() || !now && System.nanoTime() - checkedAt < CHECK_NANOS) {
      return 0;
    }
    failed.removeOld();
    Map<FailedCalls.Call, PostedReceive> waiting = new HashMap<>();
    matcher.withdrawIf(p -> {
      if (p.context() < 0) {
        waiting.put(FailedCalls.Call.of(p.context(), p.tag()), p);
      }
      return false;
    }, p -> { });
    Map<PostedReceive, MpiException> hopeless = new HashMap<>();
    if (!waiting.isEmpty()) {
      matcher.eachUnexpected(m -> m.context() < 0, m -> {
        PostedReceive p = waiting.get(FailedCalls.Call.of(m.context(), m.tag()));
        if (p != null && p.context() != m.context()) {
          hopeless.putIfAbsent(p, ReceiveException.ofFailedCall(m.peer(), m.context(), ErrorClass.ERR_COUNT));
        }
      });
      for (PostedReceive p : waiting.values()) {
        MpiException error = hopeless.containsKey(p) ? null : failed.findOtherCall(p.context(), p.tag());
        if (error != null) {
          hopeless.put(p, error);
        }
      }
    }
    hopeless.forEach((p, error) -> {
      if (matcher.withdraw(p)) {
        ((RecvOp) p).finish(error);
      }
    });
    checkedAt = System.nanoTime();
    return hopeless.size();
  }

  // ---------------------------------------------------------------- departures

  /** Ends the posted receives that only departed peers could satisfy; if not asked, only dead peers count. */
  void failAfter(Departures departures, boolean asked) {
    matcher.withdrawIf(
        p -> asked
            ? departures.isUnsatisfiable(p.context(), p.peer())
            : departures.isUnsatisfiableByDeath(p.context(), p.peer()),
        p -> ((RecvOp) p).finish(departures.receiveError(p.peer())));
  }

  /**
   * Ends the posted receives of broken channels, and drops their unexpected messages. A receive from any source that
   * may wait for a failed rank ends, too, if a thread blocks in the call that posted it.
   */
  void failBroken(BrokenChannels broken) {
    matcher.withdrawIf(
        p -> broken.isBroken(p.context()), p -> ((RecvOp) p).finish(broken.error(p.context())));
    matcher.withdrawIf(
        p -> p.peer() < 0 && ((RecvOp) p).blocked != null && broken.isUnacknowledged(p.context()),
        p -> ((RecvOp) p).finish(broken.anySourceError(p.context())));
    matcher.eachUnexpected(m -> broken.isBroken(m.context()), m -> {
      matcher.remove(m);
      dropBroken((UnexpectedMessage) m, broken);
    });
  }

  /** Releases a dequeued message of a broken channel, whose sender ends its send by itself. */
  private void dropBroken(UnexpectedMessage m, BrokenChannels broken) {
    SendOp send = m.selfSend;
    if (send != null) {
      m.received = m.total;
    }
    unexpected.discard(m);
    if (send != null) {
      send.finish(broken.error(send.context));
    }
  }

  /** Lists posted receives and unexpected messages. */
  void list(AccountBuilder into) {
    matcher.anyPosted(p -> {
      into.addReceive(p.peer(), p.tag(), p.context(), ((RecvOp) p).capacity());
      return false;
    });
    matcher.eachUnexpected(u -> true, u -> {
      UnexpectedMessage m = (UnexpectedMessage) u;
      into.addUnexpected(m.peer(), m.tag(), m.context(), m.total, m.payload == 0 ? 0 : m.total);
    });
    into.received(0, transfers.copied());
  }

  /** Lists the unexpected messages, and the posted receives of which no thread waits in the call that posted them. */
  void list(UnfinishedMessages into) {
    matcher.eachUnexpected(m -> true, m -> into.add((UnexpectedMessage) m));
    matcher.anyPosted(p -> {
      if (((RecvOp) p).blocked == null) {
        into.add(p);
      }
      return false;
    });
  }

  /** Returns whether receives of some contexts are posted or bound. */
  boolean hasReceives(LongPredicate contexts) {
    for (RecvOp op : boundReceives) {
      if (contexts.test(op.context())) {
        return true;
      }
    }
    return matcher.anyPosted(p -> contexts.test(p.context()));
  }

  /** Ends a receive of which a dead peer has sent only a part, which is dropped. */
  @Override
  public void fail(RecvOp op, MpiException error) {
    UnexpectedMessage part = op.boundMessage;
    unbind(op);
    if (part != null) {
      part.received = part.total;
      unexpected.discard(part);
    }
    op.finish(error);
  }
}
