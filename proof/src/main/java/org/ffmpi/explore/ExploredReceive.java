// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.ReceiveException;
import org.ffmpi.spi.WaitNote;

/**
 * A receive, which is posted until a message is chosen for it, then ready, then complete. Used by the rank that has
 * the turn; the buffer is written by the rank's own thread.
 */
final class ExploredReceive extends Operation implements ExploredOperation {
  /** The rank of a receive. */
  interface Owner {
    /** Withdraws a posted receive that is cancelled. */
    void withdraw(ExploredReceive receive);

    /** Returns whether everything is checked. */
    boolean isChecking();

    /** Returns whether the message of a receive is shorter than the program has promised. */
    boolean isTooShort(ExploredReceive receive, long capacity);
  }

  private final Owner rank;
  final int peer;
  final long context;
  final int tag;
  /** Its place among the receives and probes of its rank. */
  final int order;
  final Past posted;

  private final LongFunction<MemorySegment> memory;
  private int kind;
  private Object owner;
  private long offset;
  private long count;
  private final Plan plan;

  /** The choice of its message; null when there is nothing to choose. */
  ChoicePoint point;

  private ExploredMessage message;
  private Past past;
  private MpiException refused;
  private boolean cancelled;
  private boolean abandoned;
  private boolean denied;

  ExploredReceive(Owner rank, int peer, long context, int tag, int order, Past posted, Plan plan,
      LongFunction<MemorySegment> memory) {
    this.rank = rank;
    this.peer = peer;
    this.context = context;
    this.tag = tag;
    this.order = order;
    this.posted = posted;
    this.plan = plan;
    this.memory = memory;
  }

  /** Sets where the message goes. */
  void into(int memoryKind, Object memoryOwner, long memoryOffset, long elements) {
    kind = memoryKind;
    owner = memoryOwner;
    offset = memoryOffset;
    count = elements;
  }

  /** Returns whether the envelope of a message is one that this receive takes. */
  boolean accepts(ExploredMessage candidate) {
    return candidate.context == context
        && (peer == Constants.ANY_SOURCE || candidate.from == peer)
        && (tag == Constants.ANY_TAG || candidate.tag == tag);
  }

  /** Binds a message to it. */
  void match(ExploredMessage chosen, Past of) {
    message = chosen;
    past = of;
  }

  /** Makes it ready to end with an error. */
  void refuse(MpiException error, Past of) {
    refused = error;
    past = of;
  }

  ExploredMessage message() {
    return message;
  }

  /** Returns whether no call of the program will look at it, so that progress completes it. */
  boolean isUnattended() {
    return abandoned || parent() != null;
  }

  long capacity() {
    return memory != null ? Long.MAX_VALUE : plan.packedBytes(count);
  }

  @Override
  public boolean isReady() {
    return past != null;
  }

  @Override
  public Past past() {
    return past;
  }

  @Override
  public boolean isDenied() {
    return denied;
  }

  @Override
  public void deny() {
    denied = true;
  }

  @Override
  public void deliver() {
    MpiException error = refused;
    if (error == null) {
      try {
        error = store();
      } catch (IllegalStateException | IndexOutOfBoundsException | WrongThreadException e) {
        error = new MpiException(ErrorClass.ERR_BUFFER, "the receive buffer cannot be written: " + e.getMessage(), e);
      }
    }
    if (error != null) {
      fail(error);
    } else {
      complete();
    }
  }

  /** Stores the message; returns the error of the receive, or null. */
  private MpiException store() {
    MpiException wrong = message.signature == 0 ? null : SignedMessages.compare(message, plan, rank.isChecking());
    if (wrong != null) {
      return wrong;
    }
    if (memory != null) {
      MemorySegment given = memory.apply(message.bytes);
      if (given == null || given.isReadOnly() || given.byteSize() < message.bytes
          || Memory.kindOf(given) == Memory.CONFINED) {
        return MpiException.argument(ErrorClass.ERR_BUFFER, "memory for a message of " + message.bytes + " bytes",
            given, "writable segments of at least as many bytes that any thread may touch");
      }
      into(Memory.kindOf(given), Memory.ownerOf(given), Memory.offsetOf(given), message.bytes);
    }
    long capacity = plan.packedBytes(count);
    long stored = Math.min(message.bytes, capacity);
    if (stored > 0) {
      plan.unpack(message.data, kind, owner, offset, count, 0, stored);
    }
    if (message.bytes > capacity) {
      return ReceiveException.truncated(message.from, message.context, message.tag, message.bytes, capacity);
    }
    return rank.isTooShort(this, capacity)
        ? new MpiException(ErrorClass.ERR_COUNT, "message of " + message.bytes + " bytes from rank " + message.from
            + " with tag " + message.tag + " for a receive buffer of " + capacity
            + " bytes: the communicator has the hint mpi_assert_exact_length = true")
        : null;
  }

  @Override
  public void envelope(Envelope into) {
    if (message == null) {
      into.clear();
      into.set(into.peer(), into.tag(), 0, cancelled);
    } else {
      into.set(message.from, message.tag, Math.min(message.bytes, capacity()), false);
    }
  }

  @Override
  public boolean cancel() {
    if (isDone() || isReady()) {
      return false;
    }
    cancelled = true;
    rank.withdraw(this);
    complete();
    return true;
  }

  @Override
  public void abandon(Consumer<MpiException> onError) {
    abandoned = true;
    super.abandon(onError);
  }

  @Override
  public long matchingContext() {
    return context;
  }

  @Override
  public void describe(WaitNote note) {
    note.message(WaitNote.Kind.RECEIVE, peer, context, tag, memory != null ? -1 : plan.packedBytes(count));
  }
}
