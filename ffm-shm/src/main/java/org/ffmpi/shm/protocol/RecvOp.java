// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.match.Matcher;
import org.ffmpi.shm.match.PostedReceive;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.ReceiveException;
import org.ffmpi.spi.WaitNote;

/**
 * A receive, which is posted in the {@link Matcher}, or bound to a message that is on its way. Guarded by the rank's
 * lock.
 */
final class RecvOp extends PostedReceive {
  /** The starter of a receive, which cancels and finishes it. */
  interface Owner {
    /** Cancels a receive that no message has matched; returns whether it did. */
    boolean cancel(RecvOp op);

    /** Delivers to a bound receive in the thread of its buffer's owner; returns whether something moved. */
    boolean finishBound(RecvOp op);
  }

  private static final VarHandle RELEASED;

  static {
    try {
      RELEASED = MethodHandles.lookup().findVarHandle(RecvOp.class, "released", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Owner starter;

  private int kind;
  private Object owner;
  private long offset;
  private long count;
  private Plan plan;
  private long capacity;

  /** The only thread that may write the buffer, or null. */
  Thread confinedTo;

  /** The matched message of a bound receive, which the buffer's owner delivers; or null. */
  UnexpectedMessage boundMessage;

  /** The thread that blocks in the call that made this receive, if any; its own completion wakes no thread. */
  Thread blocked;

  /** Returns the buffer when a message is matched; null when the buffer is known. */
  LongFunction<MemorySegment> memory;

  /** Time of choosing the pipe for a message that could have been read in its sender's memory; 0: no choice. */
  long startedAt;

  /** Completion word of a message that comes through a pipe, and its generation. */
  long word;

  int generation;

  /** Set when the object may be reused; see {@link ReceivePool}. */
  private volatile boolean released;

  private int fromPeer;
  private int fromTag;
  private long total;
  private boolean cancelled;
  private RuntimeException fault;

  RecvOp(Owner starter) {
    this.starter = starter;
  }

  void set(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    pattern(context, peer, tag);
    this.kind = kind;
    this.owner = owner;
    this.offset = offset;
    this.count = count;
    this.plan = plan;
    this.capacity = count * plan.size();
    this.confinedTo = kind == Memory.CONFINED ? Thread.currentThread() : null;
  }

  /**
   * Releases a complete receive. The thread that completed it may still be about to wake a waiter, which is benign. A
   * failed one is not reused: a thread may still be about to report the error, and must not report it to the next use.
   */
  @Override
  public void release() {
    if (error() == null) {
      RELEASED.setRelease(this, true);
    }
  }

  boolean isReleased() {
    return released;
  }

  /** Makes a pooled object ready for another receive. */
  void reuse() {
    renew();
    RELEASED.setRelease(this, false);
    blocked = null;
    boundMessage = null;
    memory = null;
    fault = null;
    cancelled = false;
  }

  /** Sets the matched envelope; payload and {@link #finish} follow. */
  void matched(int peer, int tag, long bytes) {
    fromPeer = peer;
    fromTag = tag;
    total = bytes;
    if (memory != null) {
      acquireMemory(bytes);
    }
  }

  /** Acquires the buffer from the program, now that the length is known; a failure is that of the receive. */
  private void acquireMemory(long bytes) {
    LongFunction<MemorySegment> asked = memory;
    memory = null;
    try {
      MemorySegment segment = asked.apply(bytes);
      if (segment == null || segment.isReadOnly() || !Memory.isAlive(segment) || segment.byteSize() < bytes
          || Memory.kindOf(segment) == Memory.CONFINED) {
        throw MpiException.argument(
            ErrorClass.ERR_BUFFER, "memory for a message of " + bytes + " bytes", segment,
            "writable segments of at least as many bytes that any thread may touch");
      }
      kind = Memory.kindOf(segment);
      owner = Memory.ownerOf(segment);
      offset = Memory.offsetOf(segment);
      count = bytes;
      capacity = bytes;
    } catch (Throwable e) {
      fault = e instanceof MpiException known
          ? known
          : new MpiException(ErrorClass.ERR_OTHER, "no memory for a message of " + bytes + " bytes: " + e, e);
    }
  }

  int matchedTag() {
    return fromTag;
  }

  boolean isWritableHere() {
    return confinedTo == null || confinedTo == Thread.currentThread();
  }

  /** Unparks the thread that may write the confined buffer. */
  void unparkOwner() {
    LockSupport.unpark(confinedTo);
  }

  /** Returns the bytes that fit; the rest is dropped and the receive ends with ERR_TRUNCATE. */
  long capacity() {
    return capacity;
  }

  /** Stores packed bytes. After a fault of the buffer, the rest of the message is dropped. */
  void write(long at, long from, long bytes) {
    long fits = Math.min(bytes, capacity - from);
    if (fits > 0 && fault == null) {
      try {
        plan.unpack(at, kind, owner, offset, count, from, fits);
      } catch (IllegalStateException | IndexOutOfBoundsException | WrongThreadException e) {
        fault = e;
      }
    }
  }

  /** Returns the address of part of the buffer if the part fits and is one run of native memory, else 0. */
  long run(long from, long bytes) {
    boolean isRun = kind == Memory.NATIVE && plan.isRun(count) && fault == null && bytes <= capacity - from;
    return isRun ? offset + plan.trueLowerBound() + from : 0;
  }

  /**
   * Stores part of a message straight from the sender's memory.
   *
   * @param sourcePlan plan of the elements there; null when they are one run of packed bytes
   */
  void transfer(long source, Plan sourcePlan, long sourceCount, long from, long bytes) {
    if (sourcePlan == null) {
      write(source + from, from, bytes);
      return;
    }
    long fits = Math.min(bytes, capacity - from);
    if (fits > 0 && fault == null) {
      try {
        plan.transfer(source, sourcePlan, sourceCount, kind, owner, offset, count, from, fits);
      } catch (IllegalStateException | IndexOutOfBoundsException | WrongThreadException e) {
        fault = e;
      }
    }
  }

  /** Returns the segment or array of the buffer; null once the receive is over. */
  Object owner() {
    return owner;
  }

  Plan plan() {
    return plan;
  }

  int matchedPeer() {
    return fromPeer;
  }

  long matchedBytes() {
    return total;
  }

  /** Sets the error with which the receive ends; payload that still comes is dropped. */
  void reject(MpiException error) {
    fault = error;
  }

  /** Makes the receive end with the error of a message whose sender could not read all of it. */
  void spoil(int sender) {
    reject(new MpiException(
        ErrorClass.ERR_BUFFER,
        "rank " + sender + " could not send all of a message: its buffer, or the arena of it, became unusable"));
  }

  /** Ends the receive, after all payload is stored. */
  void finish() {
    owner = null;
    if (fault != null || total > capacity) {
      fail(whatWentWrong());
    } else if (blocked == Thread.currentThread()) {
      completeQuietly();
    } else {
      complete();
    }
  }

  private MpiException whatWentWrong() {
    if (fault instanceof MpiException known) {
      return known;
    }
    return fault != null
        ? new MpiException(
            ErrorClass.ERR_BUFFER, "the receive buffer became unusable while a message arrived: " + fault, fault)
        : ReceiveException.truncated(fromPeer, context(), fromTag, total, capacity);
  }

  /** Ends the receive, which is not posted, with an error. */
  void finish(MpiException error) {
    owner = null;
    fromPeer = peer();
    fromTag = tag();
    total = 0;
    fail(error);
  }

  void finishCancelled() {
    owner = null;
    cancelled = true;
    complete();
  }

  @Override
  public void describe(WaitNote note) {
    note.message(WaitNote.Kind.RECEIVE, peer(), context(), tag(), capacity);
  }

  @Override
  public void envelope(Envelope into) {
    if (cancelled) {
      into.set(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, true);
    } else {
      into.set(fromPeer, fromTag, Math.min(total, capacity), false);
    }
  }

  @Override
  public boolean cancel() {
    return starter.cancel(this);
  }

  @Override
  public boolean advance() {
    return confinedTo != null && confinedTo == Thread.currentThread() && !isDone()
        && starter.finishBound(this);
  }
}
