// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Set;

/** Where the thread is that holds an {@link EngineLock}. For threads that have waited for long. */
final class LockOwner {
  /** What the names of all classes of the engine begin with: its locks are held inside them only. */
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
   * Returns whether the owner of a lock is not in the engine, as far as can be seen.
   *
   * @param owner its number; 0 when a lock has been taken by nobody
   * @return false also for other virtual threads, whose stacks cannot be seen
   */
  static boolean isGone(long owner) {
    if (owner == number(Thread.currentThread())) {
      return true; // this thread waits for what it holds
    }
    if (owner <= 0) {
      return owner == 0 && isNobodyAtALock();
    }
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      if (entry.getKey().threadId() == owner) {
        return isOutside(entry.getValue());
      }
    }
    return true;
  }

  /**
   * Returns whether no thread is between taking a lock and saying so, or between denying it and giving it back. One
   * that has lost its core there may stay for long. To see the stacks, all threads are brought to a point where they
   * can be seen: afterwards it has moved on, or is seen.
   */
  private static boolean isNobodyAtALock() {
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      if (entry.getKey() != Thread.currentThread() && isAtALock(entry.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a thread may be taking a lock or giving it back; one that waits for it is not. */
  static boolean isAtALock(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName();
      if (name.equals(CONTINUATION)) {
        return true; // of a virtual thread that is being run, the stack cannot be seen
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

  /** Returns what to say of a lock whose owner is gone. */
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
