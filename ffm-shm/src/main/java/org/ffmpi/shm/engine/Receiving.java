// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Engine;

/**
 * The receiving half of an engine: brings messages and receives together and moves payload into buffers. Everything is
 * used with the engine's lock held.
 */
final class Receiving {
  private static final int KEPT = 128;

  final Matcher matcher = new Matcher();
  final Cookies cookies = new Cookies();

  private final ShmEngine engine;
  private final PayloadStore store = new PayloadStore();
  private final List<OneCopy> direct = new ArrayList<>();

  /** Receives that have their message and wait for the one thread that may write their buffer. */
  private final List<RecvOp> bound = new ArrayList<>();

  /** What the envelope in hand says beyond the usual; meaningful with its flag only. */
  private long layout;

  private long count;
  private long hash;
  private long types;

  /** Bytes copied out of senders' memory so far, by which polling measures itself. */
  long copied;

  private Arrival freeArrivals;
  private int transfers;
  private boolean pressing;

  /**
   * Nonblocking receives, taken in turn: one that has been given back when its turn comes is used again. Programs that
   * keep some receives in flight so go round in memory that stays in the cache, which new objects never are.
   */
  private final RecvOp[] kept = new RecvOp[KEPT];

  private int turn;

  /** One kept object for blocking receives, which nobody but their caller ever sees. */
  private RecvOp spare;

  Receiving(ShmEngine engine) {
    this.engine = engine;
  }

  /** Whether the next message of any peer meets neither an older receive nor an older message. */
  boolean isIdle() {
    return matcher.isEmpty();
  }

  /** Whether there is payload to move that does not come through a ring. */
  boolean hasTransfers() {
    return transfers != 0;
  }

  /** Returns a receive that is new, or was given back. */
  RecvOp take() {
    int i = turn;
    turn = i + 1 & KEPT - 1;
    RecvOp op = kept[i];
    if (op == null || !op.isReleased()) {
      op = new RecvOp(engine);
      kept[i] = op;
    } else {
      op.reuse();
    }
    return op;
  }

  RecvOp takeSpare() {
    RecvOp op = spare;
    spare = null;
    if (op == null) {
      op = new RecvOp(engine);
    } else {
      op.reuse();
    }
    return op;
  }

  /** Keeps a finished receive for the next blocking call. Called without the lock: the worst case is a lost object. */
  void putSpare(RecvOp op) {
    spare = op;
  }

  /** Starts a receive: takes what has arrived, or posts it. */
  void start(RecvOp op) {
    Arrival a;
    while ((a = (Arrival) matcher.findArrived(op.context, op.peer, op.tag)) != null) {
      matcher.remove(a);
      if (give(a, op)) {
        return;
      }
    }
    matcher.post(op);
  }

  /** Describes the message that a receive with this pattern would get; null when there is none. */
  Arrival peek(long context, int peer, int tag) {
    Arrival a;
    while ((a = (Arrival) matcher.findArrived(context, peer, tag)) != null) {
      if (a.word == 0 || (a.info & EnvelopeLayout.CANCELLABLE) == 0
          || WordLayout.getAcquireState(a.word, a.generation) != WordLayout.CANCELLED) {
        return a;
      }
      matcher.remove(a);
      discard(a);
    }
    return null;
  }

  /** Takes the message that a receive with this pattern would get out of matching; null when there is none. */
  Arrival take(long context, int peer, int tag) {
    Arrival a;
    while ((a = (Arrival) matcher.findArrived(context, peer, tag)) != null) {
      matcher.remove(a);
      if (a.word == 0 || win(a.info, a.word, a.generation)) {
        a.info &= ~EnvelopeLayout.CANCELLABLE; // won
        return a;
      }
      discard(a);
    }
    return null;
  }

  /** Receives a message that {@link #take} returned. */
  void startMatched(Arrival a, RecvOp op) {
    give(a, op);
  }

  boolean cancel(RecvOp op) {
    if (!engine.lock.lock()) {
      return false;
    }
    try {
      if (!matcher.withdraw(op)) {
        return false;
      }
      op.finishCancelled();
      return true;
    } finally {
      engine.unlock();
    }
  }

  /** A message whose whole payload is there, in a slot or in a ring's bulk bytes. */
  void onWhole(int peer, long context, int tag, long at, int bytes) {
    Posted p = matcher.matchPosted(context, peer, tag);
    if (p != null && ((RecvOp) p).isWritableHere()) {
      RecvOp op = (RecvOp) p;
      op.matched(peer, tag, bytes);
      if (bytes != 0) {
        op.write(at, 0, bytes);
      }
      op.finish();
      return;
    }
    Arrival a = arrival(EnvelopeLayout.INLINE, context, peer, tag, bytes);
    keep(a, at, bytes);
    settle(a, (RecvOp) p);
  }

  /** Reads what only some envelopes have; {@link #onEager} or {@link #onRendezvous} follows. */
  void describe(long slot, int info) {
    if ((info & (EnvelopeLayout.STRIDED | EnvelopeLayout.READABLE)) != 0) {
      layout = EnvelopeLayout.getPlainLayout(slot);
      count = EnvelopeLayout.getPlainCount(slot);
    }
    if ((info & EnvelopeLayout.SIGNED) != 0) {
      hash = EnvelopeLayout.getPlainHash(slot);
      types = EnvelopeLayout.getPlainTypes(slot);
    }
  }

  /** The first record of an eager message: says where its chunks are to go. */
  Object onEager(Inbound from, int info, long context, int tag, long total, long word, int generation) {
    boolean synchronous = (info & EnvelopeLayout.SYNCHRONOUS) != 0;
    long wordAddress = synchronous ? engine.segment.line(word, WordLayout.BYTES) : 0;
    RecvOp op = (RecvOp) matcher.findPosted(context, from.peer, tag);
    if (op != null && synchronous && !win(info, wordAddress, generation)) {
      return null; // cancelled: its chunks are dropped as they come
    }
    if (op != null) {
      matcher.withdraw(op);
      if (synchronous) {
        signal(wordAddress, generation, from.peerBlock);
      }
      if (op.isWritableHere()) {
        op.matched(from.peer, tag, total);
        if ((info & EnvelopeLayout.SIGNED) != 0) {
          op.checkSignature(hash, types);
        }
        return op;
      }
    }
    if ((info & EnvelopeLayout.READY) != 0 && op == null) {
      notReady(from.peer, tag);
    }
    Arrival a = arrival(info, context, from.peer, tag, total);
    a.word = synchronous && op == null ? wordAddress : 0;
    a.generation = generation;
    if (total != 0) {
      reserve(a);
    }
    settle(a, op);
    return a;
  }

  /** A message whose payload is still with its sender. */
  void onRendezvous(
      Inbound from, int info, long context, int tag, long total, long word, int generation, long at) {
    if (total < 0) {
      throw new MpiException(ErrorClass.ERR_INTERN, "an envelope announces " + total + " bytes");
    }
    Arrival a = arrival(info, context, from.peer, tag, total);
    a.word = engine.segment.line(word, WordLayout.BYTES);
    a.generation = generation;
    a.at = at;
    if ((info & (EnvelopeLayout.STRIDED | EnvelopeLayout.READABLE)) != 0) {
      a.layout = layout;
      a.count = count;
    }
    RecvOp op = (RecvOp) matcher.findPosted(context, from.peer, tag);
    if (op == null) {
      if ((info & EnvelopeLayout.READY) != 0) {
        notReady(from.peer, tag);
      }
      matcher.arrive(a);
      return;
    }
    if (!win(info, a.word, generation)) {
      discard(a);
      return;
    }
    a.info &= ~EnvelopeLayout.CANCELLABLE; // won
    matcher.withdraw(op);
    give(a, op);
  }

  /** A message of this rank to itself; true when the sender's buffer is no longer needed. */
  boolean onSelf(SendOp send, boolean copy) {
    int info = describeOwn(send);
    RecvOp op = (RecvOp) matcher.matchPosted(send.context, send.peer, send.tag);
    if (op != null && op.isWritableHere()) {
      op.matched(send.peer, send.tag, send.total);
      if (info != 0) {
        op.checkSignature(hash, types);
      }
      SelfCopy.copy(send, op);
      op.finish();
      return true;
    }
    if (op == null && send.mode == Engine.READY && engine.options.checking()) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "message with tag " + send.tag + " in ready mode to oneself: its receive is not posted");
    }
    Arrival a = arrival(info, send.context, send.peer, send.tag, send.total);
    if (copy || op != null) {
      if (send.total != 0) {
        reserve(a);
        send.pack(0, send.total, a.payload);
      }
      a.received = send.total;
    } else {
      a.selfSend = send;
    }
    boolean released = a.selfSend == null && (op != null || !send.isSynchronous());
    if (!released) {
      a.selfSend = send;
    }
    settle(a, op);
    return released;
  }

  /** A promise that only the checks look at is broken, and no call of this rank is to blame: the job ends. */
  private void notReady(int peer, int tag) {
    engine.abort(
        ErrorClass.ERR_OTHER.code(),
        "rank " + peer + " sent a message with tag " + tag + " to rank " + engine.self
            + " in ready mode before its receive was posted");
  }

  /** Where types are checked, notes what an own message carries, as {@link #describe} does for a peer's. */
  private int describeOwn(SendOp send) {
    StreamSignature signature = engine.options.checking() ? send.plan.signature() : null;
    if (signature == null || signature.matchesAnything()) {
      return 0;
    }
    hash = signature.hash(send.total);
    types = engine.types.of(signature, send.plan.size());
    return EnvelopeLayout.SIGNED;
  }

  /** Withdraws an unmatched message of this rank to itself. */
  boolean withdrawSelf(SendOp send) {
    Arrival a = (Arrival) matcher.findArrived(send.context, send.peer, send.tag);
    while (a != null && a.selfSend != send) {
      a = (Arrival) a.nextAlike();
    }
    if (a == null) {
      return false;
    }
    matcher.remove(a);
    a.received = a.total;
    discard(a);
    return true;
  }

  private void settle(Arrival a, RecvOp op) {
    if (op == null) {
      matcher.arrive(a);
    } else {
      bind(a, op);
    }
  }

  /** Goes on with a message whose first chunks are in a confined buffer, in a thread that may not touch that buffer. */
  Arrival divert(RecvOp op, int peer, long total, long received) {
    Arrival a = arrival(EnvelopeLayout.EAGER, op.context, peer, op.matchedTag(), total);
    reserve(a);
    a.received = received;
    a.skip = received;
    bind(a, op);
    return a;
  }

  private void bind(Arrival a, RecvOp op) {
    a.taker = op;
    op.bound = a;
    bound.add(op);
    if (a.isComplete()) {
      op.nudgeOwner();
    }
  }

  /**
   * Gives a message, no longer queued, to a receive, not queued either.
   *
   * @return false when the message turned out to be cancelled, and is gone
   */
  private boolean give(Arrival a, RecvOp op) {
    if (a.word != 0 && !win(a.info, a.word, a.generation)) {
      discard(a);
      return false;
    }
    int kind = EnvelopeLayout.kind(a.info);
    if (kind < EnvelopeLayout.PIPED && a.word != 0) {
      signal(a.word, a.generation, engine.segment.rankBlock(a.peer));
      a.word = 0;
    }
    if (!op.isWritableHere() || !a.isComplete() && a.selfSend == null) {
      a.info &= ~EnvelopeLayout.CANCELLABLE;
      bind(a, op);
      return true;
    }
    deliver(a, op);
    return true;
  }

  /** Moves a complete message into a receive that this thread may fill. */
  private void deliver(Arrival a, RecvOp op) {
    unbind(op);
    op.matched(a.peer, a.tag, a.total);
    if ((a.info & EnvelopeLayout.SIGNED) != 0) {
      op.checkSignature(a.hash, a.types);
    }
    switch (EnvelopeLayout.kind(a.info)) {
      case EnvelopeLayout.PIPED, EnvelopeLayout.DIRECT -> startTransfer(a, op);
      default -> {
        SendOp send = a.selfSend;
        if (send != null && a.received != a.total) {
          SelfCopy.copy(send, op);
        } else if (a.total != 0) {
          op.write(a.payload + a.skip, a.skip, a.total - a.skip);
        }
        discard(a);
        if (send != null) {
          send.finish();
        }
        op.finish();
      }
    }
  }

  /** Starts to move payload that is still with its sender; what the envelope says of it wrongly ends the receive. */
  private void startTransfer(Arrival a, RecvOp op) {
    try {
      if (EnvelopeLayout.kind(a.info) == EnvelopeLayout.DIRECT) {
        startDirect(a, op);
        return;
      }
      boolean readable =
          (a.info & EnvelopeLayout.READABLE) != 0 && engine.cross.mayRead(engine.segment.process(a.peer));
      if (readable && engine.inbound(a.peer).choice.reads(a.total)) {
        startCross(a, op);
      } else {
        op.startedAt = readable ? System.nanoTime() : 0;
        startPiped(a.at, a.peer, a.word, a.generation, op);
        discard(a);
      }
    } catch (MpiException impossible) {
      op.finish(impossible);
    }
  }

  private void unbind(RecvOp op) {
    if (op.bound != null) {
      op.bound = null;
      bound.remove(op);
    }
  }

  boolean hasBound() {
    return !bound.isEmpty();
  }

  /** Fills the confined buffers of the calling thread whose messages are complete, whatever it waits for itself. */
  int deliverBound() {
    int moved = 0;
    for (int i = bound.size() - 1; i >= 0; i--) {
      RecvOp op = bound.get(i);
      if (op.isWritableHere() && op.bound.isComplete()) {
        deliver(op.bound, op);
        moved++;
      }
    }
    return moved;
  }

  /** Has the sender of a matched message stream it into the pipe at the segment offset {@code at}. */
  void startPiped(long at, int peer, long word, int generation, RecvOp op) {
    Inbound from = engine.inbound(peer);
    if (from.pipe == null || from.pipe.address() != at + engine.segment.base()) {
      long address = engine.segment.line(at, PipeLayout.DATA_OFFSET);
      long capacity = PipeLayout.getPlainCapacity(address);
      if (!PipeLayout.isCapacity(capacity) || from.pipe != null) {
        throw new MpiException(ErrorClass.ERR_INTERN, "rank " + peer + " announces an impossible pipe at " + at);
      }
      engine.segment.address(at, PipeLayout.bytes((int) capacity));
      from.pipe = new PipeReceiver(engine, from, address, (int) capacity);
    }
    from.pipe.expected++;
    transfers++;
    WordLayout.setPlainCookie(word, cookies.give(op, peer));
    WordLayout.setReleaseState(word, generation, WordLayout.MATCHED);
    engine.wake(from.peerBlock);
  }

  /** Reads a matched message out of its sender's private memory. */
  private void startCross(Arrival a, RecvOp op) {
    CrossTransfer transfer = new CrossTransfer(
        engine, op, a.peer, engine.segment.process(a.peer), a.layout, Math.min(a.total, op.capacity()), a.at, a.word,
        a.generation);
    discard(a);
    if (!transfer.step()) {
      direct.add(transfer);
      transfers++;
    }
  }

  private void startDirect(Arrival a, RecvOp op) {
    Plan plan = a.layout == 0 ? null : engine.types.plan(a.layout);
    long source = plan == null ? engine.segment.address(a.at, a.total) : elements(a, plan);
    long bytes = Math.min(a.total, op.capacity());
    if (bytes <= OneCopy.STEP && op.isWritableHere()) {
      op.transfer(source, plan, a.count, 0, bytes); // the usual case needs no object
      copied += bytes;
      signal(a.word, a.generation, engine.segment.rankBlock(a.peer));
      discard(a);
      op.finish();
      return;
    }
    direct.add(new DirectTransfer(engine, op, a.peer, source, plan, a.count, bytes, a.word, a.generation));
    discard(a);
    transfers++;
  }

  /** Returns where a peer's elements lie, having made sure that all of their data lies in the segment. */
  private long elements(Arrival a, Plan plan) {
    try {
      long last = Math.multiplyExact(Math.subtractExact(a.count, 1), plan.extent());
      long first = Math.addExact(Math.addExact(a.at, plan.trueLowerBound()), Math.min(0, last));
      long span = Math.addExact(plan.trueExtent(), Math.absExact(last));
      if (a.count > 0 && plan.packedBytes(a.count) == a.total) {
        engine.segment.address(first, span);
        return engine.segment.base() + a.at;
      }
    } catch (ArithmeticException e) {
      // as impossible as a wrong total
    }
    throw new MpiException(
        ErrorClass.ERR_INTERN,
        "rank " + a.peer + " announces " + a.total + " bytes in " + a.count + " elements of " + plan.size()
            + " bytes, extent " + plan.extent() + ", at " + a.at);
  }

  /** Wins a cancellable message against its sender; other messages are won already. */
  private static boolean win(int info, long word, int generation) {
    return (info & EnvelopeLayout.CANCELLABLE) == 0
        || WordLayout.cas(word, generation, WordLayout.OFFERED, WordLayout.WON);
  }

  private void signal(long word, int generation, long peerBlock) {
    WordLayout.setReleaseState(word, generation, WordLayout.DONE);
    engine.wake(peerBlock);
  }

  /** Moves payload of transfers in flight; returns how many moved. */
  int poll(Inbound[] active, int activeCount) {
    int moved = 0;
    long until = copied + OneCopy.STEP;
    for (int i = 0; i < direct.size() && copied < until; ) { // the oldest first, so that it is soon over
      long before = copied;
      boolean over = direct.get(i).step();
      moved += over || copied != before ? 1 : 0;
      if (over) {
        direct.remove(i);
        transfers--;
      } else {
        i++;
      }
    }
    for (int i = 0; i < activeCount; i++) {
      PipeReceiver pipe = active[i].pipe;
      if (pipe != null && pipe.expected > 0) {
        moved += pipe.poll();
      }
    }
    return moved;
  }

  void transferEnded() {
    transfers--;
  }

  /** Appends a chunk to a kept message. */
  void keep(Arrival a, long at, int bytes) {
    if (bytes == 0) {
      return;
    }
    if (a.payload == 0) {
      reserve(a);
    }
    Raw.copy(at, a.payload + a.received, bytes);
    a.received += bytes;
  }

  /** The last chunk of a message has come whose receive waits for it. */
  void arrivalComplete(Arrival a) {
    RecvOp op = a.taker;
    if (op.isWritableHere()) {
      deliver(a, op);
    } else {
      op.nudgeOwner();
    }
  }

  /** Fills a confined buffer in its owner's thread; true when it moved. Called without the lock. */
  boolean finishBound(RecvOp op) {
    if (!engine.lock.lock()) {
      return false;
    }
    try {
      Arrival a = op.bound;
      if (a == null || !a.isComplete()) {
        return transfers != 0 && engine.pollLocked() > 0;
      }
      deliver(a, op);
      return true;
    } finally {
      engine.unlock();
    }
  }

  private void reserve(Arrival a) {
    a.payload = store.take(a.total);
    if (!pressing && store.used() > engine.options.unexpectedLimit()) {
      pressing = true;
      RankLayout.setOpaquePressure(engine.ownBlock, 1);
    }
  }

  private Arrival arrival(int info, long context, int peer, int tag, long total) {
    Arrival a = freeArrivals;
    if (a == null) {
      a = new Arrival();
    } else {
      freeArrivals = a.nextFree;
    }
    a.envelope(context, peer, tag);
    a.info = info;
    a.total = total;
    if ((info & EnvelopeLayout.SIGNED) != 0) {
      a.hash = hash;
      a.types = types;
    }
    return a;
  }

  /** Forgets a message; one whose chunks still come is forgotten after its last chunk. */
  void discard(Arrival a) {
    if (!a.isComplete()) {
      a.dropped = true;
      a.taker = null;
      return;
    }
    if (a.payload != 0) {
      store.give(a.payload, a.total);
      if (pressing && store.used() < engine.options.unexpectedLimit() / 2) {
        pressing = false;
        RankLayout.setOpaquePressure(engine.ownBlock, 0);
      }
    }
    a.reset();
    a.nextFree = freeArrivals;
    freeArrivals = a;
  }

  /** Ends the receives that only peers could have satisfied that are gone; of those that finalized, only if asked. */
  void failAllOf(GonePeers gone, boolean asked) {
    matcher.withdrawIf(
        p -> asked ? gone.starves(p.context, p.peer) : gone.isBereft(p.context, p.peer),
        p -> ((RecvOp) p).finish(gone.receiveError(p.peer)));
    for (int i = direct.size() - 1; i >= 0; i--) {
      OneCopy t = direct.get(i);
      if (gone.isDead(t.peer)) {
        direct.remove(i);
        transfers--;
        t.op.finish(gone.receiveError(t.peer));
      }
    }
  }

  /** Ends the receives that {@code from} was still filling. */
  void failTransfersOf(Inbound from, GonePeers gone) {
    RecvOp partial = from.abandon();
    if (partial != null) {
      unbind(partial);
      partial.finish(gone.receiveError(from.peer));
    }
    if (from.pipe != null) {
      RecvOp streaming = from.pipe.abandon();
      if (streaming != null) {
        streaming.finish(gone.receiveError(from.peer));
      }
      cookies.takeAllOf(from.peer, (op, peer) -> {
        from.pipe.expected--;
        transfers--;
        op.finish(gone.receiveError(peer));
      });
    }
  }
}
