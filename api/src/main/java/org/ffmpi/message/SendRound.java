// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Health;
import org.ffmpi.spi.Operation;

/**
 * One start of a partitioned send, complete when all partitions have been marked ready and their messages have left.
 * Any number of threads add messages at once; a thread that waits or tests removes those that have left. After an
 * error, it does not wait for partitions that have not been marked. Its messages have a context of their own, so that
 * it looks itself whether the communicator has been revoked.
 */
final class SendRound extends GatedOperation {
  /** Counts the starts of a request, from 1. */
  final int number;

  private final Engine engine;

  /** Null in a job that ends with its first dead rank. */
  private final Health health;

  private final AtomicInteger unmarked;
  private final ConcurrentLinkedQueue<Operation> leaving = new ConcurrentLinkedQueue<>();
  private final AtomicReference<MpiException> failure = new AtomicReference<>();

  SendRound(Channel channel, int number, int partitions) {
    this.engine = channel.engine();
    this.health = channel.health();
    this.number = number;
    this.unmarked = new AtomicInteger(partitions);
    open();
  }

  /** Adds the message of a partition, which may have left already. */
  void sent(Operation message) {
    if (message != engine.completed()) {
      message.parent(this);
      leaving.add(message);
    }
    if (unmarked.decrementAndGet() == 0) {
      advanceOutside();
    }
  }

  /** Records that a partition's message could not be started. */
  void failed(MpiException error) {
    failure.compareAndSet(null, error);
    advanceOutside();
  }

  /** Advances in a thread that does not wait for this operation, and wakes one that does. */
  private void advanceOutside() {
    if (advance() && isDone()) {
      engine.wakeWaiters();
    }
  }

  @Override
  public boolean advance() {
    if (!enter()) {
      return false;
    }
    boolean moved = false;
    do {
      if (health != null && health.isRevoked() && failure.compareAndSet(null, health.error())) {
        leaving.forEach(Operation::cancel);
      }
      boolean all = unmarked.get() == 0; // read first: a message is in the queue before it is counted
      Operation message = leaving.peek();
      while (message != null && hasLeft(message)) {
        leaving.poll();
        moved = true;
        message = leaving.peek();
      }
      if (message == null && (all || failure.get() != null)) {
        close();
        end();
        return true;
      }
    } while (!leave());
    return moved;
  }

  private boolean hasLeft(Operation message) {
    if (!message.isDone()) {
      message.advance();
    }
    if (message.isDone()) {
      if (message.error() != null) {
        failure.compareAndSet(null, message.error());
      }
      return true;
    }
    return false;
  }

  private void end() {
    MpiException error = failure.get();
    if (error == null) {
      complete();
    } else {
      fail(error);
    }
  }
}
