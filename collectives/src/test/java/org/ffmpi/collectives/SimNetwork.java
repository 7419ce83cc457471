// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/**
 * A network between simulated engines. Nothing happens by itself: each {@link #step} delivers one envelope or moves one
 * payload, picked at random from all that could come next; envelopes between two ranks stay in order. A message travels
 * either by value (the send is complete at once) or by reference (the source is read some time after the match), at
 * random, so that an execution which reuses memory too early is caught. Memory that is being received into holds
 * garbage until the end.
 *
 * <p>One lock for everything: threads may take turns or truly race.
 */
final class SimNetwork {
  private final Random random;
  private final double byReference;
  private final SimEngine[] engines;
  private final List<Deque<Message>> wires = new ArrayList<>();
  private final List<Message> transfers = new ArrayList<>();
  private long events;

  private volatile SimMemory memory;

  /** Where the waiting of a blocking call happens; set by tests that have one. */
  Runnable pause = () -> {
    throw new AssertionError("a blocking call where none was expected");
  };

  /** An operation of the network. */
  static final class Op extends Operation {
    final Memo memo;
    private final Envelope result = new Envelope();
    private boolean cancelled;

    Op(Memo memo) {
      this.memo = memo;
    }

    @Override
    public void envelope(Envelope into) {
      into.set(result.peer(), result.tag(), result.bytes(), result.cancelled());
    }

    @Override
    public boolean cancel() {
      return memo.network.cancel(this);
    }

    void end() {
      complete();
    }

    void end(MpiException error) {
      fail(error);
    }
  }

  /** A user's buffer and the pattern or destination of its message. */
  static final class Memo {
    final SimNetwork network;
    final int kind;
    final Object owner;
    final long offset;
    final long count;
    final Plan plan;
    final int self;
    final int peer;
    final long context;
    final int tag;

    Memo(SimNetwork network, int kind, Object owner, long offset, long count, Plan plan, int self, int peer,
        long context, int tag) {
      this.network = network;
      this.kind = kind;
      this.owner = owner;
      this.offset = offset;
      this.count = count;
      this.plan = plan;
      this.self = self;
      this.peer = peer;
      this.context = context;
      this.tag = tag;
    }

    long bytes() {
      return plan.packedBytes(count);
    }

    MemorySegment pack() {
      MemorySegment stream = Arena.ofAuto().allocate(Math.max(1, bytes()));
      plan.pack(kind, owner, offset, count, 0, bytes(), Raw.address(stream));
      return stream;
    }

    void unpack(MemorySegment stream, long bytes) {
      plan.unpack(Raw.address(stream), kind, owner, offset, count, 0, bytes);
    }
  }

  /** A message on its way. */
  private static final class Message {
    final Memo from;
    final Op send;
    MemorySegment value;
    Op receive;

    Message(Memo from, Op send) {
      this.from = from;
      this.send = send;
    }
  }

  /** What one rank has posted, and what has come without being expected. */
  static final class Mailbox {
    private final List<Op> posted = new ArrayList<>();
    private final List<Message> unexpected = new ArrayList<>();
  }

  SimNetwork(int size, Settings settings, double byReference, Random random) {
    this.random = random;
    this.byReference = byReference;
    this.engines = new SimEngine[size];
    for (int i = 0; i < size; i++) {
      engines[i] = new SimEngine(this, i, size, settings);
    }
    for (int i = 0; i < size * size; i++) {
      wires.add(new ArrayDeque<>());
    }
  }

  SimEngine engine(int rank) {
    return engines[rank];
  }

  /** Returns how much has happened so far. */
  synchronized long events() {
    return events;
  }

  synchronized Operation send(Memo memo) {
    boolean reference = random.nextDouble() < byReference;
    Op op = reference ? new Op(memo) : null;
    Message message = new Message(memo, op);
    if (!reference) {
      message.value = memo.pack();
    }
    wires.get(memo.self * engines.length + memo.peer).add(message);
    return reference ? op : engines[memo.self].completed();
  }

  synchronized Operation receive(Memo memo) {
    Op op = new Op(memo);
    scribble(memo);
    Mailbox box = engines[memo.self].mailbox;
    for (Message message : box.unexpected) {
      if (matches(message, memo)) {
        box.unexpected.remove(message);
        matched(message, op);
        return op;
      }
    }
    box.posted.add(op);
    return op;
  }

  private void scribble(Memo memo) {
    MemorySegment garbage = Arena.ofAuto().allocate(Math.max(1, memo.bytes()));
    for (long i = 0; i < memo.bytes(); i++) {
      garbage.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
    memo.unpack(garbage, memo.bytes());
  }

  private static boolean matches(Message message, Memo pattern) {
    return message.from.context == pattern.context && message.from.tag == pattern.tag
        && message.from.self == pattern.peer;
  }

  /** Lets one thing happen; returns false when nothing can. */
  synchronized boolean step() {
    List<Deque<Message>> busy = new ArrayList<>();
    for (Deque<Message> wire : wires) {
      if (!wire.isEmpty()) {
        busy.add(wire);
      }
    }
    List<Message> movable = transfers.stream().filter(SimNetwork::isAccessible).toList();
    int choices = busy.size() + movable.size();
    if (choices == 0) {
      return false;
    }
    events++;
    int choice = random.nextInt(choices);
    if (choice < busy.size()) {
      deliver(busy.get(choice).remove());
    } else {
      move(movable.get(choice - busy.size()));
    }
    return true;
  }

  private void deliver(Message message) {
    Mailbox box = engines[message.from.peer].mailbox;
    for (Op op : box.posted) {
      if (matches(message, op.memo)) {
        box.posted.remove(op);
        matched(message, op);
        return;
      }
    }
    box.unexpected.add(message);
  }

  private void matched(Message message, Op receive) {
    message.receive = receive;
    if (message.value != null && isAccessible(message) && random.nextBoolean()) {
      finish(message);
    } else {
      transfers.add(message);
    }
  }

  /** Returns whether this thread can do something for a payload: confined memory is read and written by its owner. */
  private static boolean isAccessible(Message message) {
    Memo next = message.value == null ? message.from : message.receive.memo;
    return Memory.accessibleByCurrentThread(next.kind, next.owner);
  }

  private void move(Message message) {
    if (message.value == null) {
      message.value = message.from.pack();
    }
    if (isAccessible(message)) {
      transfers.remove(message);
      finish(message);
    }
  }

  private void finish(Message message) {
    Op receive = message.receive;
    long room = receive.memo.bytes();
    long bytes = Math.min(room, message.from.bytes());
    receive.memo.unpack(message.value, bytes);
    receive.result.set(message.from.self, message.from.tag, bytes, false);
    if (message.from.bytes() > room) {
      receive.end(new MpiException(ErrorClass.ERR_TRUNCATE, message.from.bytes() + " bytes for a buffer of " + room));
    } else {
      receive.end();
    }
    if (message.send != null) {
      message.send.end();
    }
  }

  /** Cancels a receive that has not been matched, or a send whose message has not. */
  private synchronized boolean cancel(Op op) {
    boolean isMessage = wires.get(op.memo.self * engines.length + op.memo.peer).removeIf(m -> m.send == op)
        || engines[op.memo.peer].mailbox.unexpected.removeIf(m -> m.send == op);
    if (isMessage || engines[op.memo.self].mailbox.posted.remove(op)) {
      op.cancelled = true;
      op.result.set(op.memo.peer, op.memo.tag, 0, true);
      op.end();
    }
    return op.cancelled;
  }

  /** Makes a rank's next receive that is matched fail. */
  synchronized void failPosted(int rank, MpiException error) {
    List<Op> posted = engines[rank].mailbox.posted;
    posted.remove(0).end(error);
  }

  synchronized int posted(int rank) {
    return engines[rank].mailbox.posted.size();
  }

  /** Returns how many messages nobody has received. */
  synchronized int leftOver() {
    int count = transfers.size();
    for (Deque<Message> wire : wires) {
      count += wire.size();
    }
    for (SimEngine engine : engines) {
      count += engine.mailbox.unexpected.size() + engine.mailbox.posted.size();
    }
    return count;
  }

  /** Lets the engines share memory. */
  void share(SimMemory shared) {
    memory = shared;
  }

  /** Returns what the engines share, or null. */
  SimMemory memory() {
    return memory;
  }

  /** Something has been stored in shared memory. */
  synchronized void happened() {
    events++;
  }
}
