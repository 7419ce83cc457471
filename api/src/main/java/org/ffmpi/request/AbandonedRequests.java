// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.World;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.RunSettings;

/**
 * The end of requests that no thread will wait for, after a scope of {@link org.ffmpi.Requests} has been left early.
 */
public final class AbandonedRequests {
  private AbandonedRequests() {}

  /**
   * Ensures that no operation accesses the buffers of requests any more although no thread waits for them: cancels
   * those that can be cancelled, and waits a bounded time for the others; after that the world ends. Results of the
   * operations are not reported.
   *
   * @return null, or the error that ends the world
   */
  public static MpiException abandon(World world, List<? extends Request> requests) {
    if (!world.isOpen()) {
      return null;
    }
    List<Operation> inFlight = new ArrayList<>();
    for (Request request : requests) {
      RequestImpl r = request == null ? null : RequestImpl.of(request);
      if (RequestLists.isPending(r)) {
        cancel(r.operation());
        inFlight.add(r.operation());
      }
    }
    long micros = RunSettings.REQUESTS_GRACE.get(world.settings());
    long deadline = System.nanoTime() + micros * 1_000;
    long left = inFlight.stream().filter(operation -> !awaitUntil(world, operation, deadline)).count();
    for (Request request : requests) {
      RequestImpl r = request == null ? null : RequestImpl.of(request);
      if (RequestLists.isActive(r) && r.operation().isDone()) {
        r.end(null);
      }
    }
    if (left == 0) {
      return null;
    }
    MpiException error = new MpiException(
        ErrorClass.ERR_PENDING,
        left + " of " + inFlight.size() + " operations that were given up without a wait could be neither cancelled nor"
            + " completed within " + micros / 1_000 + " ms (" + RunSettings.REQUESTS_GRACE.name()
            + "): their buffers are still in use");
    world.endSoon(error.errorCode(), error, "rank " + world.rank() + ": " + error.getMessage());
    return error;
  }

  private static void cancel(Operation operation) {
    try {
      operation.cancel();
    } catch (RuntimeException e) {
      return; // of a generalized request; the wait below handles it
    }
  }

  private static boolean awaitUntil(World world, Operation operation, long deadline) {
    try {
      return world.engine().awaitFor(operation, Math.max(0, deadline - System.nanoTime()));
    } catch (MpiException e) {
      return operation.isDone() || world.hasEnded(); // a world that has ended moves no more bytes
    }
  }
}
