// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Choices;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Operation;

/**
 * One start of a partitioned receive. It has a receive for each of the sender's partitions, and is complete when all of
 * them are.
 *
 * <p>Until the sender's announcement arrives, each thread that makes progress checks for it, so that a sender never
 * waits for this rank to wait for this very request. Afterwards only threads that wait or test check the partitions.
 * Only its own thread accesses a confined buffer. The partitions have a context of their own, so that the round looks
 * itself whether the communicator has been revoked.
 */
final class ReceiveRound extends GatedOperation {
  private static final int WAITING = 0;
  private static final int UNPACKED = 1;
  private static final int FAILED = 2;

  private final PartitionedReceiving request;

  /** The receives of the sender's partitions, by their number; null while those are not known. */
  private volatile Operation[] parts;

  /** The state of the sender's partitions that have to be unpacked; null when they need not be. */
  private AtomicIntegerArray staged;

  /** All of the sender's partitions before this one are complete. */
  private int completed;

  /** The receiver's own partitions that are objects by now; null where the buffer is memory. Guarded by itself. */
  private final boolean[] delivered;

  private long received;
  private volatile MpiException failure;

  /** Set with {@link #failure} when the communicator has been revoked: what is not complete is cancelled. */
  private volatile boolean revoked;

  ReceiveRound(PartitionedReceiving request) {
    this.request = request;
    this.delivered = request.isOfObjects() ? new boolean[request.partitions] : null;
  }

  /** Posts the receives if the announcement is there, or registers to post them when it arrives. */
  void begin() {
    request.setUp.wakes(this);
    open();
    advance();
    if (parts == null) {
      request.engine.register(new Beginning());
    }
  }

  /** Checks for the set-up message on behalf of all threads that make progress. */
  private final class Beginning extends GatedOperation {
    Beginning() {
      open();
    }

    @Override
    public boolean advance() {
      if (!request.setUp.isThere() || !enter()) {
        return false;
      }
      boolean moved;
      do {
        moved = ReceiveRound.this.advance();
        if (parts != null) {
          close();
          complete();
          return true;
        }
      } while (!leave());
      return moved;
    }
  }

  @Override
  public boolean advance() {
    if (request.onlyThread != null && request.onlyThread != Thread.currentThread() || !enter()) {
      return false;
    }
    boolean moved = false;
    do {
      if (parts == null && request.setUp.isThere()) {
        post();
        moved = true;
      }
      if (parts != null) {
        endIfRevoked(parts);
        int before = completed;
        if (completeArrived(parts)) {
          close();
          end();
          return true;
        }
        moved |= completed != before;
      }
    } while (!leave());
    return moved;
  }

  /** Posts the receives of the announced partitions; an error ends the round. */
  private void post() {
    Operation[] posted = {};
    int count = 0;
    try {
      request.setUp.check();
      posted = new Operation[request.setUp.partitions()];
      for (; count < posted.length; count++) {
        posted[count] = request.receive(count);
        posted[count].parent(this);
      }
      staged = request.isStaged() ? new AtomicIntegerArray(count) : null;
      parts = posted;
    } catch (RuntimeException e) {
      failure = Failures.translate(e);
      for (int i = 0; i < count; i++) {
        posted[i].cancel();
      }
      parts = new Operation[0];
    }
  }

  private void endIfRevoked(Operation[] all) {
    MpiException error = revoked ? null : request.revocation();
    if (error != null) {
      failure = failure == null ? error : failure;
      revoked = true;
      for (Operation part : all) {
        if (!part.isDone()) {
          part.cancel();
        }
      }
    }
  }

  /**
   * Completes the partitions that have arrived; returns true when all have. Those to be unpacked may arrive in any
   * order.
   */
  private boolean completeArrived(Operation[] all) {
    for (int i = completed; i < all.length; i++) {
      if (isSettled(all[i], i)) {
        completed += i == completed ? 1 : 0;
      } else if (staged == null) {
        break;
      }
    }
    return completed == all.length;
  }

  private boolean isSettled(Operation part, int number) {
    if (staged != null && staged.get(number) != WAITING) {
      return true;
    }
    if (!part.isDone() && number == completed) {
      part.advance();
    }
    if (!part.isDone()) {
      return false;
    }
    MpiException error = part.error();
    if (staged != null && revoked) {
      staged.set(number, FAILED);
    } else if (staged != null) {
      error = error == null || error.errorClass() == ErrorClass.ERR_TRUNCATE ? unpack(number, error) : error;
      staged.set(number, error == null ? UNPACKED : FAILED);
    }
    if (error == null || error.errorClass() == ErrorClass.ERR_TRUNCATE) {
      received += request.room(number);
    }
    if (error != null && failure == null) {
      failure = describe(error);
    }
    return true;
  }

  /** Unpacks a partition, or the part of it that fits; returns the first error. */
  private MpiException unpack(int number, MpiException before) {
    try {
      request.unpack(number);
      return before;
    } catch (RuntimeException e) {
      return Failures.translate(e);
    }
  }

  private MpiException describe(MpiException error) {
    MpiException truncation = error.errorClass() == ErrorClass.ERR_TRUNCATE ? request.truncation() : null;
    return truncation == null ? error : truncation;
  }

  private void end() {
    if (delivered != null && failure == null) {
      try {
        for (int i = 0; i < delivered.length; i++) {
          deliver(i);
        }
      } catch (RuntimeException e) {
        failure = Failures.translate(e);
      }
    }
    if (failure == null) {
      complete();
    } else {
      fail(failure);
    }
  }

  /**
   * Returns whether the data of one of the receiver's own partitions have arrived; makes some progress when they have
   * not. Throws when they never will.
   */
  boolean hasArrived(int partition) {
    Choices choices = request.engine.choices();
    if (choices == null ? !isSeen(partition) : !choices.look(() -> isSeen(partition))) {
      return false;
    }
    if (delivered != null) {
      deliver(partition);
    }
    return true;
  }

  /** Returns whether a partition has arrived, after some progress if it has not. */
  private boolean isSeen(int partition) {
    if (isThere(partition)) {
      return true;
    }
    boolean wasDone = isDone();
    request.engine.progress();
    advance();
    if (!wasDone && isDone()) {
      request.engine.wakeWaiters();
    }
    return isThere(partition);
  }

  /** Makes objects of a partition that has arrived, once. */
  private void deliver(int partition) {
    synchronized (delivered) {
      if (!delivered[partition]) {
        request.deliver(partition);
        delivered[partition] = true;
      }
    }
  }

  private boolean isThere(int partition) {
    Operation[] all = parts;
    if (all == null) {
      return false;
    }
    if (failure != null && (all.length == 0 || revoked)) {
      throw failure;
    }
    int last = request.lastSource(partition);
    for (int i = request.firstSource(partition); i <= last; i++) {
      if (!all[i].isDone()) {
        return false;
      }
      int state = staged == null ? UNPACKED : staged.get(i);
      if (state == WAITING) {
        return false;
      }
      if (all[i].error() != null) {
        throw describe(all[i].error());
      }
      if (state == FAILED) {
        throw failure;
      }
    }
    return true;
  }

  @Override
  public void envelope(Envelope into) {
    into.set(request.peer, request.tag, received, false);
  }
}
