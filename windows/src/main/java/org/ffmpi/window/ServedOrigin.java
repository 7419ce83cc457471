// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.ArrayDeque;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Operation;

/**
 * The accesses of one origin that {@link PartService} has not completed, and the first error of those since the
 * origin's last flush: what goes wrong in serving an access is an error of its origin, not of the call in which this
 * rank happens to make progress. One thread at a time uses it.
 */
final class ServedOrigin {
  /** A step of an access that may have to wait. */
  interface Task {
    /** Performs the step if it need not wait; returns whether it is done. */
    boolean run();

    /** Ends the step after {@link #run} has thrown. By default that is an error of the service itself. */
    default void refuse(MpiException error) {
      throw error;
    }
  }

  /**
   * A message under way.
   *
   * @param owner owner of its memory, which must stay reachable
   * @param reported whether its error is one of the access: not if its data are unwanted
   * @param result staging memory that it sends; null for none
   */
  private record Transfer(Operation operation, Object owner, boolean reported, StagingMemory.Block result) {}

  private final StagingMemory staging;
  /** Messages under way; they complete in any order. */
  private final ArrayDeque<Transfer> transfers = new ArrayDeque<>();
  /** Accumulates, and accesses that have to follow them, in order. */
  private final ArrayDeque<Task> tasks;
  /** Bytes of staging memory that messages to the origin send. */
  private long resultBytes;
  /** The first error since the last flush; null for none. */
  private MpiException failure;
  /** Whether this origin is in the service's list of busy ones. */
  boolean busy;

  /**
   * Creates an origin without accesses.
   *
   * @param tasks holds its tasks, and those of other origins if all are to be performed in one order
   */
  ServedOrigin(StagingMemory staging, ArrayDeque<Task> tasks) {
    this.staging = staging;
    this.tasks = tasks;
  }

  boolean isIdle() {
    return transfers.isEmpty() && tasks.isEmpty();
  }

  boolean hasTransfers() {
    return !transfers.isEmpty();
  }

  /** Returns whether the first task may get staging memory: it waits for the results of earlier ones alone. */
  boolean admits(long bytes) {
    return resultBytes == 0 || staging.fits(bytes);
  }

  // ---- tasks

  void queue(Task task) {
    tasks.add(task);
  }

  /** Runs a task, or queues it behind others or because it has to wait. */
  void runOrQueue(Task task) {
    if (!tasks.isEmpty() || !run(task)) {
      tasks.add(task);
    }
  }

  private static boolean run(Task task) {
    try {
      return task.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      task.refuse(translate(e));
      return true;
    }
  }

  /** Translates what serving an access has thrown into the error that its origin sees. */
  static MpiException translate(Throwable thrown) {
    return thrown instanceof RuntimeException e ? Failures.translate(e)
        : new MpiException(ErrorClass.ERR_NO_MEM, "the target has no memory to serve the access: " + thrown, thrown);
  }

  // ---- messages

  /** Keeps a message that transfers elements of the part. */
  void add(Operation operation, Object owner) {
    add(new Transfer(operation, owner, true, null));
  }

  /** Keeps a receive of unwanted data. */
  void addDiscarding(Operation operation, Object owner) {
    add(new Transfer(operation, owner, false, null));
  }

  /** Keeps a message that sends staging memory. */
  void addResult(Operation operation, StagingMemory.Block result) {
    resultBytes += result.bytes();
    add(new Transfer(operation, result, true, result));
  }

  private void add(Transfer transfer) {
    if (transfer.operation.isDone()) {
      end(transfer);
    } else {
      transfers.add(transfer);
    }
  }

  private void end(Transfer transfer) {
    MpiException error = transfer.operation.error();
    if (error != null && transfer.reported) {
      fail(error);
    }
    if (transfer.result != null) {
      resultBytes -= transfer.result.bytes();
      if (error == null) {
        staging.release(transfer.result);
      } else {
        staging.abandon(transfer.result);
      }
    }
  }

  // ---- progress

  /** Makes progress with messages and tasks; returns whether there was any. */
  boolean advance() {
    boolean moved = false;
    while (!transfers.isEmpty() && isComplete(transfers.peek().operation)) {
      end(transfers.remove());
      moved = true;
    }
    while (!tasks.isEmpty() && run(tasks.peek())) {
      tasks.remove();
      moved = true;
    }
    return moved;
  }

  /** Returns whether an operation is complete; some advance only in the thread that asks. */
  static boolean isComplete(Operation operation) {
    return operation.isDone() || operation.advance() && operation.isDone();
  }

  // ---- errors

  /** Records an error for the next flush. */
  void fail(MpiException error) {
    failure = failure == null ? error : failure;
  }

  /** Returns the first error since the last call, or null. */
  MpiException removeFailure() {
    MpiException first = failure;
    failure = null;
    return first;
  }
}
