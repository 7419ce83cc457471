// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.concurrent.CompletableFuture;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Operation;

/**
 * What {@link Request#toCompletableFuture} returns, and who completes it: the progress thread sees that the operation
 * is over, a virtual thread looks at the result and runs what depends on it. A thread that completes the request goes
 * before, since the operation of a persistent one may then be started again.
 */
final class Futures {
  private Futures() {}

  /** Makes the future of a request's operation, which is null for an inactive request. */
  static CompletableFuture<Status> of(RequestImpl request, Operation operation) {
    CompletableFuture<Status> future = new CompletableFuture<>();
    if (operation == null) {
      settle(future, new Status(), null);
    } else if (operation.isDone()) {
      Status status = new Status();
      settle(future, status, request.look(operation, status));
    } else {
      request.world().engine().whenDone(operation, () -> inVirtualThread(() -> settle(future, request, operation)));
    }
    return future;
  }

  /** Completes a future whose operation has ended, or never will, unless it has been completed. */
  private static void settle(CompletableFuture<Status> future, RequestImpl request, Operation operation) {
    if (future.isDone()) {
      return;
    }
    if (!operation.isDone()) {
      future.completeExceptionally(request.world().endedError());
      return;
    }
    Status status = new Status();
    MpiException error = request.look(operation, status);
    if (request.isFinished()) {
      return; // who has completed it settles the future: the callbacks may have been asked too late
    }
    settle(future, status, error == null ? null : request.raise(error));
  }

  /** Completes a future of a request that has been completed, in another thread: dependents may block. */
  static void settleLater(CompletableFuture<Status> future, Status status, MpiException error) {
    inVirtualThread(() -> settle(future, status, error));
  }

  private static void settle(CompletableFuture<Status> future, Status status, MpiException error) {
    if (error == null) {
      future.complete(status);
    } else {
      future.completeExceptionally(error);
    }
  }

  private static void inVirtualThread(Runnable action) {
    Thread.ofVirtual().name("ffmpi-future").start(action);
  }
}
