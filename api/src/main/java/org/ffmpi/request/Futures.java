// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.concurrent.CompletableFuture;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Operation;

/**
 * The completion of futures of {@link Request#toCompletableFuture}. The progress thread sees that the operation is
 * complete, and a virtual thread reads the result and runs dependent stages. A thread that completes the request
 * completes the future first, since the operation of a persistent one may then be started again.
 */
final class Futures {
  private Futures() {}

  /** Makes the future of a request's operation, which is null for an inactive request. */
  static CompletableFuture<Status> of(RequestImpl request, Operation operation) {
    CompletableFuture<Status> future = new CompletableFuture<>();
    if (operation == null) {
      complete(future, new Status(), null);
    } else if (operation.isDone()) {
      Status status = new Status();
      MpiException error = request.peek(operation, status);
      request.completedByFuture();
      complete(future, status, error);
    } else {
      request.engine().whenDone(operation, () -> inVirtualThread(() -> complete(future, request, operation)));
    }
    return future;
  }

  /** Completes a future whose operation has ended or never will, unless it has been completed already. */
  private static void complete(CompletableFuture<Status> future, RequestImpl request, Operation operation) {
    if (future.isDone()) {
      return;
    }
    if (!operation.isDone()) {
      future.completeExceptionally(request.world().endedError());
      return;
    }
    Status status = new Status();
    MpiException error = request.peek(operation, status);
    if (request.isFinished()) {
      return; // the completing thread completes the future too: the callbacks may have been called too late
    }
    request.completedByFuture();
    complete(future, status, error == null ? null : request.raise(error));
  }

  /** Completes a future of a request that has been completed, in another thread: dependents may block. */
  static void completeLater(CompletableFuture<Status> future, Status status, MpiException error) {
    inVirtualThread(() -> complete(future, status, error));
  }

  private static void complete(CompletableFuture<Status> future, Status status, MpiException error) {
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
