// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Operation;

/**
 * One start of a partitioned receive: a receive for each of the sender's partitions, complete when all of them are.
 *
 * <p>While it is not known how the sender's partitions will come, each thread that makes progress checks for that, so
 * that a sender never waits for this rank to wait for this very request; afterwards only those that wait, test or ask
 * for a partition do. A buffer that is confined to a thread is left to that thread.
 */
final class ReceiveRound extends GatedOperation {
  private static final int WAITING = 0;
  private static final int UNPACKED = 1;
  private static final int FAILED = 2;

  private final PartitionedReceiving request;

  /** The receives of the sender's partitions, by their number; null while those are not known. */
  private volatile Operation[] parts;

  /** What has become of the sender's partitions that have to be unpacked; null when they need not be. */
  private AtomicIntegerArray staged;

  /** All of the sender's partitions before this one have been settled. */
  private int settled;

  /** The receiver's own partitions that are objects by now; null where the buffer is memory. Guarded by itself. */
  private final boolean[] delivered;

  private long received;
  private volatile MpiException failure;

  ReceiveRound(PartitionedReceiving request) {
    this.request = request;
    this.delivered = request.isOfObjects() ? new boolean[request.partitions] : null;
  }

  /** Starts what can start now, and has the rest started as soon as it can be. */
  void begin() {
    request.setUp.wakes(this);
    open();
    advance();
    if (parts == null) {
      request.engine.register(new Beginning());
    }
  }

  /** Looks for the set-up message on behalf of all threads that make progress. */
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
        int before = settled;
        if (settle(parts)) {
          close();
          end();
          return true;
        }
        moved |= settled != before;
      }
    } while (!leave());
    return moved;
  }

  /** Starts to receive what the sender has announced; an error ends the round. */
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

  /** Takes note of what has arrived: true when all has. What has to be unpacked need not come in order. */
  private boolean settle(Operation[] all) {
    for (int i = settled; i < all.length; i++) {
      if (isSettled(all[i], i)) {
        settled += i == settled ? 1 : 0;
      } else if (staged == null) {
        break;
      }
    }
    return settled == all.length;
  }

  private boolean isSettled(Operation part, int number) {
    if (staged != null && staged.get(number) != WAITING) {
      return true;
    }
    if (!part.isDone() && number == settled) {
      part.advance();
    }
    if (!part.isDone()) {
      return false;
    }
    MpiException error = part.error();
    if (staged != null) {
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

  /** Unpacks a partition, or what there was room for; returns what went wrong first. */
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
   * Returns whether the data of one of the receiver's own partitions is there; makes some progress when it is not.
   * Throws when it will not come.
   */
  boolean hasArrived(int partition) {
    if (!isThere(partition)) {
      boolean wasDone = isDone();
      request.engine.progress();
      advance();
      if (!wasDone && isDone()) {
        request.engine.completedOutside();
      }
      if (!isThere(partition)) {
        return false;
      }
    }
    if (delivered != null) {
      deliver(partition);
    }
    return true;
  }

  /** Makes objects of a partition that is there, once. */
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
    if (all.length == 0 && failure != null) {
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
