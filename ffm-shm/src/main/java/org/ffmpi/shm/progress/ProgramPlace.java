// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import org.ffmpi.shm.account.AccountBlock;
import org.ffmpi.shm.account.RankAccount.Place;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/**
 * The place of a program that is in no call while other ranks wait for long, for the rank's account. Nothing but some
 * words of memory is read until then; afterwards the stack of one thread is, with each {@link #updatePlace}. Used by
 * one thread at a time, which is not the program's.
 */
public final class ProgramPlace implements RankRuntime.Program {
  private static final long NEVER = -1;

  private static final String LAMBDA = "lambda$";

  private final JobSegment segment;
  private final int self;
  private final RankProgress progress;
  private final LongWaits longWaits;
  private final boolean isAlone;
  private Thread program;
  private long lastLooks = NEVER;

  /** Time since which the rank has been in no call while others wait; 0 before. */
  private long since;

  /**
   * Creates the place of a rank's program.
   *
   * @param segment the job's segment
   * @param self the rank
   * @param progress the rank's progress
   * @param waiting the rank's waits
   * @param isAlone whether all threads of the process belong to this rank
   */
  public ProgramPlace(JobSegment segment, int self, RankProgress progress, Waiting waiting, boolean isAlone) {
    this.segment = segment;
    this.self = self;
    this.progress = progress;
    this.longWaits = waiting.longWaits();
    this.isAlone = isAlone;
  }

  @Override
  public synchronized void setThread(Thread thread) {
    program = thread;
  }

  @Override
  public synchronized void updatePlace() {
    long looks = progress.lookCount();
    boolean calls = looks != lastLooks && lastLooks != NEVER || longWaits.isAnyWaiting();
    lastLooks = looks;
    boolean isInside = segment.state(self) <= RankLayout.LEAVING;
    if (program == null || calls || !isInside || !doesAnotherWait()) {
      since = 0;
      longWaits.setPlace(Place.UNKNOWN);
      return;
    }
    since = since == 0 ? System.nanoTime() : since;
    StackTraceElement[] stack = program.getStackTrace();
    Thread.State state = program.getState();
    boolean isBlocked = isBlocked(state, stack) && !(isAlone && doesAnotherThreadRun());
    longWaits.setPlace(new Place(text(program.getName(), state, stack, isBlocked), isBlocked, since));
  }

  private boolean doesAnotherWait() {
    for (int rank = 0; rank < segment.ranks(); rank++) {
      if (rank != self && AccountBlock.hasWaits(segment.accountBlock(rank))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a thread runs no code of Java's: it is blocked, or in a native method such as a read. */
  private static boolean isBlocked(Thread.State state, StackTraceElement[] stack) {
    return state != Thread.State.RUNNABLE
        || stack.length > 0 && stack[0].isNativeMethod() && !stack[0].getMethodName().startsWith("yield");
  }

  /** Returns whether a thread of the program computes, other than its first: not those of the JVM's own group. */
  private boolean doesAnotherThreadRun() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root != null && root.getParent() != null) {
      root = root.getParent();
    }
    if (root == null) {
      return false;
    }
    Thread[] threads = new Thread[root.activeCount() + 8];
    int count = root.enumerate(threads);
    for (int i = 0; i < count; i++) {
      Thread t = threads[i];
      if (t != program && t != Thread.currentThread() && t.getThreadGroup() != root
          && t.getState() == Thread.State.RUNNABLE && !isBlocked(Thread.State.RUNNABLE, t.getStackTrace())) {
        return true;
      }
    }
    return false;
  }

  /** Returns words such as "thread main is TIMED_WAITING in Thread.sleep, called at Main.main(Main.java:12)". */
  static String text(String name, Thread.State state, StackTraceElement[] stack, boolean isBlocked) {
    int own = 0;
    while (own < stack.length && isOfJdk(stack[own])) {
      own++;
    }
    String at = own < stack.length ? place(stack[own]) : "";
    String in = own > 0 ? simple(stack[own - 1].getClassName()) + "." + stack[own - 1].getMethodName() : "";
    StringBuilder text = new StringBuilder();
    if (isBlocked && state != Thread.State.RUNNABLE) {
      text.append("thread ").append(name).append(" is ").append(state);
    } else {
      text.append(isBlocked ? "thread " + name + " is" : "computing, or testing in a loop");
    }
    if (!in.isEmpty()) {
      text.append(isBlocked ? " in " : ", in ").append(in);
      text.append(at.isEmpty() ? "" : ", called at " + at);
    } else if (!at.isEmpty()) {
      text.append(isBlocked ? " at " : ", at ").append(at);
    }
    return text.toString();
  }

  private static boolean isOfJdk(StackTraceElement frame) {
    String module = frame.getModuleName();
    return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  private static String place(StackTraceElement frame) {
    String file = frame.getFileName() == null ? "" : "(" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
    String method = frame.getMethodName();
    if (method.startsWith(LAMBDA)) { // lambda$main$0
      int end = method.lastIndexOf('$');
      method = method.substring(LAMBDA.length(), Math.max(end, LAMBDA.length()));
    }
    return simple(frame.getClassName()) + "." + method + file;
  }

  private static String simple(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }
}
