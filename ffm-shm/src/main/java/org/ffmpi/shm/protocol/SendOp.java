// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.memory.SharedHeapArena;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * A send that could not end in the call that started it. It waits in its peer's {@link Backlog}, among the
 * {@link CompletionWords}, or streams through a pipe; the list that holds it is guarded by that list's lock.
 */
public final class SendOp extends Operation {
  /** The starter of a send, which cancels and advances it. */
  interface Owner {
    /** Cancels a send that no receive has matched; returns whether it did. */
    boolean cancel(SendOp op);

    /** Makes progress in a thread that may read a confined buffer; returns whether something moved. */
    boolean advance();
  }

  /** Mode of a record that is no message but the failure of a collective call; the owner is the {@link CallFailure}. */
  static final int FAILURE = -1;

  private final Owner starter;

  int mode;
  int kind;
  Object owner;
  long offset;
  long count;
  Plan plan;
  long total;
  int peer;
  long context;
  int tag;
  Protocol protocol;

  /** Bytes that have left the buffer. */
  long sent;

  /** Completion word, or 0. */
  long word;

  int generation;

  /** Place among the watched sends of {@link CompletionWords}, guarded by that. */
  int watchedAt;

  /** Record of the plan by which the receiver reads the buffer; 0 when the data is one run or is packed here. */
  long layout;

  /** All chunks of an eager message with a completion word are in the ring; guarded by {@link CompletionWords}. */
  boolean allSent;

  boolean cancellable;
  boolean cancelled;

  /** A cancel waits for the last chunk to be in the ring; guarded by the lock of the {@link Outbound}. */
  boolean cancelWanted;

  /** Shared-heap block that must not be reused before this send is over. */
  SharedHeapArena.Block pin;

  /** The only thread that may read the buffer, or null. */
  Thread confinedTo;

  /** All bytes of the message, packed, where the program's buffer is not read any more; or null. */
  PackedCopies.Copy copy;

  SendOp next;
  private RuntimeException fault;

  SendOp(Owner starter) {
    this.starter = starter;
  }

  /** Makes an object whose send has ended ready for another one; no other thread may hold it. */
  void reuse() {
    renew();
    sent = 0;
    word = 0;
    layout = 0;
    allSent = false;
    cancelled = false;
    cancelWanted = false;
    pin = null;
    copy = null;
    fault = null;
    next = null;
  }

  void set(
      int mode, int kind, Object owner, long offset, long count, Plan plan, long total, int peer, long context,
      int tag) {
    this.mode = mode;
    this.kind = kind;
    this.owner = owner;
    this.offset = offset;
    this.count = count;
    this.plan = plan;
    this.total = total;
    this.peer = peer;
    this.context = context;
    this.tag = tag;
    this.confinedTo = kind == Memory.CONFINED ? Thread.currentThread() : null;
  }

  /** Sends the rest of the message out of a copy, in any thread. Null keeps the buffer. */
  void sendFrom(PackedCopies.Copy copy) {
    this.copy = copy;
    if (copy != null) {
      confinedTo = null;
    }
  }

  /** Returns the address of the packed bytes where they are one run of native memory, else 0. */
  long run() {
    if (copy != null) {
      return copy.address;
    }
    return kind == Memory.NATIVE && plan.isRun(count) ? offset + plan.trueLowerBound() : 0;
  }

  boolean isSynchronous() {
    return (mode & Engine.SYNCHRONOUS) != 0;
  }

  /** Returns whether the calling thread may read the buffer; if not, it unparks the thread that may. */
  boolean isReadableHere() {
    if (confinedTo == null || confinedTo == Thread.currentThread()) {
      return true;
    }
    LockSupport.unpark(confinedTo);
    return false;
  }

  /**
   * Packs part of the message. A buffer that has become unusable does not stop the stream, for which the receiver
   * waits: zeros are sent, and the operation fails at its end, here and at the receiver.
   */
  void pack(long from, long bytes, long to) {
    if (copy != null) {
      Raw.copy(copy.address + from, to, bytes);
      return;
    }
    if (fault == null) {
      try {
        plan.pack(kind, owner, offset, count, from, bytes, to);
        return;
      } catch (IllegalStateException | IndexOutOfBoundsException | WrongThreadException e) {
        fault = e;
      }
    }
    Raw.fill(to, bytes, (byte) 0);
  }

  /** Returns whether the buffer has become unusable, so that the receiver gets zeros for a part of the message. */
  boolean isSpoiled() {
    return fault != null;
  }

  /** Completes the operation, which is in no list. */
  void finish() {
    releaseMemory();
    owner = null;
    if (fault != null) {
      fail(new MpiException(
          ErrorClass.ERR_BUFFER, "the send buffer became unusable while it was being sent: " + fault, fault));
    } else {
      complete();
    }
  }

  /** Fails the operation, which is in no list. */
  void finish(MpiException error) {
    releaseMemory();
    owner = null;
    fail(error);
  }

  private void releaseMemory() {
    if (pin != null) {
      pin.unpin();
      pin = null;
    }
    if (copy != null) {
      copy.release();
      copy = null;
    }
  }

  @Override
  public void describe(WaitNote note) {
    note.message(WaitNote.Kind.SEND, peer, context, tag, total);
  }

  @Override
  public void envelope(Envelope into) {
    into.clear();
    if (cancelled) {
      into.set(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, true);
    }
  }

  @Override
  public boolean cancel() {
    return starter.cancel(this);
  }

  @Override
  public boolean advance() {
    return confinedTo != null && confinedTo == Thread.currentThread() && !isDone() && starter.advance();
  }
}
