// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ffmpi.Buf;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.process.World;
import org.ffmpi.process.WorldPart;
import org.ffmpi.spi.CountedMemory;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * Memory of the program from which messages in buffered mode are sent (MPI-4.1 §3.6). A message that can leave at once
 * needs no room. Any other is packed and sent out of the buffer by an operation that no thread waits for. Its room is
 * released after it has left by the next message that finds no room, or by a flush.
 *
 * <p>A message may lie in several pieces, so that it fits whenever there is enough room in all. The buffer is thus at
 * least as good as the model implementation of §3.6.1, whose messages lie in one piece each, one after the other.
 *
 * <p>Any thread may call. Room is claimed under the lock of this object; messages are packed and started without it.
 * Only a flush waits for a peer.
 */
public final class AttachedBuffer implements WorldPart {
  /** Rounds of progress in search of room before a message is refused. */
  private static final int ROUNDS = 64;

  /** Bytes per copy into memory without an address. */
  private static final int SCRATCH = 8192;

  /** Number of pending messages from which a send removes those that have left. */
  private static final int FEW = 64;

  /** A message that could not leave at once; its room is released when its operation is complete. */
  private static final class Buffered {
    final BufferRoom.Piece[] room;
    volatile Operation operation;

    Buffered(BufferRoom.Piece[] room) {
      this.room = room;
    }

    boolean isOver() {
      Operation started = operation;
      return started != null && (started.isDone() || started.advance() && started.isDone());
    }
  }

  private final World world;
  private final Engine engine;
  private final boolean checking;
  private final Buf<?> attached;
  /** Null when each message allocates memory. */
  private final Buf<Byte> memory;
  private final BufferRoom room;
  /** Held as long as the buffer is attached; null for memory without counted users. */
  private CountedMemory.Lease lease;
  private final ArrayDeque<Buffered> pending = new ArrayDeque<>();
  private final Object scratchLock = new Object();
  private MemorySegment scratch;
  private int sweepAt = FEW;
  private boolean closed;
  /** The errors of messages that could not be delivered, not yet reported. */
  private MpiException failure;

  /** Attaches a buffer that {@link #refusal} allows. */
  public AttachedBuffer(World world, Buf<?> attached) {
    this.world = world;
    this.engine = world.engine();
    this.checking = world.isChecking();
    this.attached = attached;
    this.memory = attached.isAutomatic() ? null : BufImpl.of(attached).asBytes(Datatype.BYTE);
    this.room = memory == null ? null : new BufferRoom(memory.count());
    this.lease = BufImpl.of(attached).lease();
  }

  /** Returns why a buffer cannot be attached, or null. */
  public static MpiException refusal(Buf<?> buf) {
    if (buf == null) {
      return MpiException.argument(ErrorClass.ERR_BUFFER, "buffer", null, "a Buf, or Buf.automatic()");
    }
    if (buf.isAutomatic()) {
      return null;
    }
    MpiException unusable = BufImpl.of(buf).unusable("buffer", true);
    if (unusable != null) {
      return unusable;
    }
    if (BufImpl.of(buf).isOfObjects()) {
      return MpiException.argument(ErrorClass.ERR_BUFFER, "buffer", buf, "memory: objects cannot hold any bytes");
    }
    if (!BufImpl.of(buf).plan().isRun(buf.count())) {
      return MpiException.argument(ErrorClass.ERR_BUFFER, "buffer", buf, "buffers without gaps");
    }
    if (BufImpl.of(buf).memoryKind() == Memory.CONFINED) {
      return MpiException.argument(
          ErrorClass.ERR_BUFFER, "buffer", buf,
          "memory that any thread may touch, which that of a confined arena is not");
    }
    if (BufImpl.of(buf).memoryKind() == Memory.BOOLEANS) {
      return MpiException.argument(
          ErrorClass.ERR_BUFFER, "buffer", buf, "memory that holds any bytes, which a boolean[] does not");
    }
    return null;
  }

  /** Returns the attached buffer. */
  public Buf<?> attached() {
    return attached;
  }

  // ---- sending

  /**
   * Sends a message whose arguments have been checked, at once or out of the buffer.
   *
   * @param to the engine of the communicator
   */
  public void send(Engine to, Buf<?> buf, Plan plan, int peer, long context, int tag) {
    long bytes = BufImpl.of(buf).packedBytes();
    if (memory != null && bytes > memory.count() - Constants.BSEND_OVERHEAD) {
      throw tooLarge(bytes);
    }
    if (to.trySend(
        BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(), buf.count(), plan,
        peer, context, tag)) {
      return;
    }
    Buffered message = claim(bytes);
    Operation started = to.completed();
    try {
      started = memory == null
          ? PackedCopy.of(buf, plan, checking).isend(to, peer, context, tag)
          : start(to, message.room, buf, plan, peer, context, tag);
    } finally {
      message.operation = started;
    }
  }

  private Operation start(
      Engine to, BufferRoom.Piece[] pieces, Buf<?> buf, Plan plan, int peer, long context, int tag) {
    long from = 0;
    for (BufferRoom.Piece piece : pieces) {
      pack(buf, plan, from, piece.dataBytes(), BufImpl.of(memory).memoryOffset() + piece.start());
      from += piece.dataBytes();
    }
    if (pieces.length == 1) {
      Plan packed = PackedCopy.planOf(plan, checking);
      return to.isend(
          Engine.STANDARD, BufImpl.of(memory).memoryKind(), BufImpl.of(memory).memoryOwner(),
          BufImpl.of(memory).memoryOffset() + pieces[0].start(),
          PackedCopy.countOf(from, packed), packed, peer, context, tag);
    }
    Plan scattered = BufferRoom.plan(pieces);
    return to.isend(
        Engine.STANDARD, BufImpl.of(memory).memoryKind(), BufImpl.of(memory).memoryOwner(),
        BufImpl.of(memory).memoryOffset(), 1,
        checking && plan.signature() != null ? scattered.withSignature(plan.signature()) : scattered,
        peer, context, tag);
  }

  private void pack(Buf<?> buf, Plan plan, long from, long bytes, long to) {
    try {
      if (BufImpl.of(memory).memoryKind() == Memory.NATIVE) {
        plan.pack(BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(),
            buf.count(), from, bytes, to);
        return;
      }
      synchronized (scratchLock) {
        if (scratch == null) {
          scratch = Arena.ofAuto().allocate(SCRATCH, Long.BYTES);
        }
        long address = Raw.address(scratch);
        for (long done = 0; done < bytes; done += SCRATCH) {
          long n = Math.min(SCRATCH, bytes - done);
          plan.pack(BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(),
              buf.count(), from + done, n, address);
          Memory.write(BufImpl.of(memory).memoryKind(), BufImpl.of(memory).memoryOwner(), to + done, address, n);
        }
      }
    } finally {
      Reference.reachabilityFence(BufImpl.of(buf).memoryOwner());
      Reference.reachabilityFence(BufImpl.of(memory).memoryOwner());
      Reference.reachabilityFence(scratch);
    }
  }

  /** Claims room, if need be that of messages that have just left. */
  private Buffered claim(long bytes) {
    for (int round = 0; ; round++) {
      synchronized (this) {
        if (closed) {
          throw new MpiException(ErrorClass.ERR_BUFFER, "buffered send: the buffer is being detached");
        }
        forgetFirst();
        BufferRoom.Piece[] pieces = roomFor(bytes);
        if (pieces != null) {
          Buffered message = new Buffered(pieces);
          pending.add(message);
          return message;
        }
        if (round == ROUNDS) {
          throw exhausted(bytes);
        }
      }
      engine.progress();
    }
  }

  private BufferRoom.Piece[] roomFor(long bytes) {
    BufferRoom.Piece[] pieces = room == null ? BufferRoom.NONE : room.claim(bytes);
    if (pieces == null || pending.size() >= sweepAt) {
      forgetAll();
      pieces = pieces == null ? room.claim(bytes) : pieces;
    }
    return pieces;
  }

  private MpiException tooLarge(long bytes) {
    return new MpiException(
        ErrorClass.ERR_BUFFER,
        "buffered send: a message of " + bytes + " bytes and BSEND_OVERHEAD (" + Constants.BSEND_OVERHEAD
            + ") do not fit into the attached buffer of " + memory.count() + " bytes");
  }

  private MpiException exhausted(long bytes) {
    return new MpiException(
        ErrorClass.ERR_BUFFER,
        "buffered send: no room for a message of " + bytes + " bytes: of the attached buffer of " + memory.count()
            + " bytes, " + room.free() + " are free and " + pending.size() + " messages have not left");
  }

  // ---- messages in the buffer

  private void forgetFirst() {
    while (!pending.isEmpty() && pending.peek().isOver()) {
      forget(pending.remove());
    }
  }

  private void forgetAll() {
    List<Buffered> over = new ArrayList<>();
    pending.removeIf(message -> message.isOver() && over.add(message));
    over.forEach(this::forget);
    sweepAt = Math.max(FEW, 2 * pending.size());
  }

  private void forget(Buffered message) {
    if (room != null) {
      room.release(message.room);
    }
    MpiException error = message.operation.error();
    if (error != null && failure == null) {
      failure =
          new MpiException(error.errorClass(), "a buffered message could not be delivered: " + error.getMessage());
    }
    if (error != null) {
      failure.addSuppressed(error);
    }
  }

  /** An operation that is complete when all messages have left that were in the buffer at its creation. */
  private static final class Flush extends Operation {
    private final AttachedBuffer buffer;
    private final List<Buffered> messages;

    Flush(AttachedBuffer buffer, List<Buffered> messages) {
      this.buffer = buffer;
      this.messages = messages;
    }

    @Override
    public synchronized boolean advance() {
      while (!messages.isEmpty() && messages.getLast().isOver()) {
        messages.removeLast();
      }
      if (isDone() || !messages.isEmpty()) {
        return false;
      }
      MpiException failure = buffer.removeFailure();
      if (failure == null) {
        complete();
      } else {
        fail(failure);
      }
      return true;
    }

    /** The messages leave without a check; the next flush reports their errors. */
    @Override
    public void abandon(Consumer<MpiException> onError) {}
  }

  private synchronized MpiException removeFailure() {
    forgetAll();
    MpiException taken = failure;
    failure = null;
    return taken;
  }

  /** Returns an operation that is complete when all messages have left that are in the buffer now. */
  public Operation flush() {
    Flush flush;
    synchronized (this) {
      flush = new Flush(this, new ArrayList<>(pending));
    }
    flush.advance();
    return flush.isDone() && flush.error() == null ? engine.completed() : flush;
  }

  /** Blocks until all messages have left that are in the buffer now. */
  public void awaitFlush() {
    Operation flush = flush();
    engine.await(flush);
    if (flush.error() != null) {
      throw flush.error();
    }
  }

  /** Accepts no more messages, and blocks until all have left; returns false when the time was over first. */
  @Override
  public boolean flush(long nanos) {
    close();
    Operation flush = flush();
    if (!flush.isDone() && !engine.awaitFor(flush, nanos)) {
      return false;
    }
    if (flush.error() != null) {
      throw flush.error();
    }
    return true;
  }

  /** Accepts no more messages. */
  public synchronized void close() {
    closed = true;
  }

  @Override
  public void withdraw() {
    world.remove(this);
    release();
  }

  /** Releases the memory, which is empty, or whose messages will never move. */
  @Override
  public void release() {
    CountedMemory.Lease held;
    synchronized (this) {
      held = lease;
      lease = null;
    }
    if (held != null) {
      held.close();
    }
  }
}
