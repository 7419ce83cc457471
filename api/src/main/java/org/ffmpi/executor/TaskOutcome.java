// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.executor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.ffmpi.IntraComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.port.ObjectProvider;
import org.ffmpi.process.CommState;

/**
 * The result of a task or its exception, and the message about it. That of a result has its bytes. That of an exception
 * has its bytes, none where it cannot be written, and its class, text and stack, from which a receiver that cannot read
 * it makes another one.
 *
 * @param result what the task has returned
 * @param failure what it has thrown instead; null without
 */
record TaskOutcome(Object result, Throwable failure) {
  private static final byte[] NOTHING = {};

  /** Elements of the message of a failure. */
  private static final int FAILURE_PARTS = 4;

  /** Fields of a line of a stack. */
  private static final int FIELDS = 4;

  /** Runs a task. */
  static TaskOutcome of(byte[] task, IntraComm comm) {
    try {
      Object read = ObjectProvider.get().decodeTask(task, CommState.of(comm));
      if (read instanceof Callable<?> c) {
        return new TaskOutcome(c.call(), null);
      }
      ((Runnable) read).run();
      return new TaskOutcome(null, null);
    } catch (Throwable e) { // also errors: the master is to know of them
      return new TaskOutcome(null, e);
    }
  }

  /** Returns the message; that of an error when the result cannot be written. */
  List<Object> message() {
    if (failure != null) {
      return ofFailure(failure);
    }
    try {
      return List.of(ObjectProvider.get().encodeTask(result));
    } catch (Throwable e) { // also errors, as those of the task
      return ofFailure(e);
    }
  }

  private static List<Object> ofFailure(Throwable failure) {
    byte[] bytes;
    try {
      bytes = ObjectProvider.get().encodeTask(failure);
    } catch (Throwable e) { // the class may do anything when it is written, but must not end the worker
      bytes = NOTHING;
    }
    List<String> stack = new ArrayList<>();
    for (StackTraceElement e : failure.getStackTrace()) {
      stack.addAll(Arrays.asList(
          e.getClassName(), e.getMethodName(), e.getFileName(), Integer.toString(e.getLineNumber())));
    }
    return List.of(bytes, failure.getClass().getName(), text(failure), stack.toArray(String[]::new));
  }

  private static String text(Throwable failure) {
    try {
      return String.valueOf(failure.getMessage());
    } catch (Throwable e) { // the method is the program's
      return "its text cannot be had: " + e.getClass().getName();
    }
  }

  /**
   * Reads a message.
   *
   * @param worker rank of the sender
   */
  static TaskOutcome read(List<?> message, int worker, IntraComm comm) {
    byte[] bytes = (byte[]) message.getFirst();
    boolean hasFailed = message.size() == FAILURE_PARTS;
    try {
      if (bytes.length > 0) {
        Object read = ObjectProvider.get().decodeTask(bytes, CommState.of(comm));
        return hasFailed ? new TaskOutcome(null, (Throwable) read) : new TaskOutcome(read, null);
      }
    } catch (Throwable e) { // also errors of the program's classes, which must not end the pool
      if (!hasFailed) {
        return new TaskOutcome(null, e);
      }
    }
    MpiException substitute = new MpiException(
        ErrorClass.ERR_OTHER, "task on rank " + worker + ": " + message.get(1) + ": " + message.get(2));
    String[] stack = (String[]) message.get(FAILURE_PARTS - 1);
    StackTraceElement[] lines = new StackTraceElement[stack.length / FIELDS];
    for (int i = 0; i < lines.length; i++) {
      int at = i * FIELDS;
      lines[i] = new StackTraceElement(stack[at], stack[at + 1], stack[at + 2], Integer.parseInt(stack[at + 3]));
    }
    substitute.setStackTrace(lines);
    return new TaskOutcome(null, substitute);
  }
}
