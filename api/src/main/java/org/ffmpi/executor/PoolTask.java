// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.executor;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.IntraComm;

/**
 * A task as the master keeps it, with its bytes, which are sent again when a worker dies, and its future. Those who
 * call {@code shutdownNow} may run it themselves.
 *
 * @param <T> type of the result
 */
final class PoolTask<T> implements Runnable {
  /** Workers that may die of a task; then it is more likely to be the reason than to have bad luck. */
  static final int MOST_DEATHS = 3;

  private static final long LOOK_NANOS = 20_000;

  final byte[] bytes;
  final CompletableFuture<T> future = new CompletableFuture<>();

  /** Workers that have died with it; guarded by the pool's lock. */
  int deaths;

  private final IntraComm comm;

  PoolTask(byte[] bytes, IntraComm comm) {
    this.bytes = bytes;
    this.comm = comm;
  }

  /** Runs the task here, on copies as a worker would, so that a program behaves alike with any number of ranks. */
  @Override
  public void run() {
    complete(outcome());
  }

  /** Runs the task here and returns its outcome. */
  TaskOutcome outcome() {
    return TaskOutcome.read(TaskOutcome.of(bytes, comm).message(), comm.rank(), comm);
  }

  boolean isDone() {
    return future.isDone();
  }

  /** Blocks until the future is complete. Looks for it, since a call that waits may wait for dependents as well. */
  void awaitDone() {
    while (!future.isDone()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Completes the future with what a worker has sent. */
  @SuppressWarnings("unchecked") // a task returns what it is declared to
  void complete(TaskOutcome outcome) {
    Throwable failure = outcome.failure();
    if (failure == null) {
      future.complete((T) outcome.result());
    } else if (failure instanceof CancellationException || failure instanceof CompletionException) {
      // As they are, the one would look like a cancelled future, and of the other get would show the cause alone.
      future.completeExceptionally(new CompletionException(failure));
    } else {
      future.completeExceptionally(failure);
    }
  }
}
