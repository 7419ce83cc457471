// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.executor;

import java.util.concurrent.CompletableFuture;

/**
 * A task as the master keeps it, with its bytes, which are sent again when a worker dies, and its future. Those who
 * call {@code shutdownNow} may run it themselves.
 *
 * @param <T> type of the result
 */
final class PoolTask<T> implements Runnable {
  /** Workers that may die of a task; then it is more likely to be the reason than to have bad luck. */
  static final int MOST_DEATHS = 3;

  final byte[] bytes;
  final CompletableFuture<T> future = new CompletableFuture<>();

  /** Workers that have died with it; guarded by the pool's lock. */
  int deaths;

  PoolTask(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Runs the task here, on copies as a worker would, so that a program behaves alike with any number of ranks. */
  @Override
  public void run() {
    complete(TaskOutcome.read(TaskOutcome.of(bytes).message(), 0));
  }

  /** Completes the future with what a worker has sent. */
  @SuppressWarnings("unchecked") // a task returns what it is declared to
  void complete(TaskOutcome outcome) {
    if (outcome.failure() == null) {
      future.complete((T) outcome.result());
    } else {
      future.completeExceptionally(outcome.failure());
    }
  }
}
