// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Set;

/**
 * Finds out whether the holder of an {@link EngineLock} is still in the engine. For threads that have waited for long.
 */
final class LockOwner {
  /** Prefix of the names of all classes of the engine, which hold its locks only inside. */
  private static final String ENGINE =
      MethodHandles.lookup().lookupClass().getPackageName().replaceFirst("[^.]*$", "");

  private static final String CONTINUATION = "jdk.internal.vm.Continuation";

  /** Methods of the lock in which a thread does not hold it. */
  private static final Set<String> WAITING = Set.of("lockSlowly", "queueUp", "nap", "isWanted", "isClosed");

  private LockOwner() {}

  /** Returns a thread's number, negative for a virtual thread. */
  static long number(Thread thread) {
    return thread.isVirtual() ? -thread.threadId() : thread.threadId();
  }

  /**
   * Returns whether the owner of a lock is outside the engine, as far as stacks show it.
   *
   * @param owner its number; 0 for a held lock without an owner
   * @return false also for other virtual threads, whose stacks are not visible
   */
  static boolean isOutsideEngine(long owner) {
    if (owner == number(Thread.currentThread())) {
      return true; // this thread waits for what it holds
    }
    if (owner <= 0) {
      return owner == 0 && isNoThreadAtALock();
    }
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      if (entry.getKey().threadId() == owner) {
        return isOutside(entry.getValue());
      }
    }
    return true;
  }

  /**
   * Returns whether no thread is between acquiring a lock and recording that, or between clearing the record and
   * releasing the lock. A thread that has lost its core there may stay for long. Reading the stacks brings all threads
   * to a safepoint: afterwards such a thread has moved on, or its stack shows it.
   */
  private static boolean isNoThreadAtALock() {
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      if (entry.getKey() != Thread.currentThread() && isAtALock(entry.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a thread may be acquiring or releasing a lock; waiting for it does not count. */
  static boolean isAtALock(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName();
      if (name.equals(CONTINUATION)) {
        return true; // the stack of a mounted virtual thread is not visible
      }
      if (name.startsWith(ENGINE)) {
        return name.equals(LockOwner.class.getName()) && frame.getMethodName().equals("number")
            || name.equals(EngineLock.class.getName()) && !WAITING.contains(frame.getMethodName());
      }
    }
    return false;
  }

  private static boolean isOutside(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (frame.getClassName().startsWith(ENGINE)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the text of the error of a lock whose owner is gone. */
  static String whatHappened(long owner) {
    String name = "a thread";
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (number(thread) == owner) {
        name = "thread \"" + thread.getName() + "\"";
      }
    }
    return name + " has left an MPI call half done, after a StackOverflowError or another error of the virtual machine;"
        + " this rank can make no more calls";
  }
}
