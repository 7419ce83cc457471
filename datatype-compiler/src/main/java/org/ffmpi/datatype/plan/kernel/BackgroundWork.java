// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The background thread that makes and warms up faster loops. It starts with the first request and ends when there has
 * been nothing to do for a while.
 *
 * <p>Thread-safe.
 */
public final class BackgroundWork {
  /** Requests that wait; more are refused, and made again when much more has been moved. */
  private static final int QUEUE = 64;

  private static final long IDLE_MILLIS = 2000;

  private static volatile Runnable first;

  private final ThreadPoolExecutor thread;

  private static final class OfProcess {
    static final BackgroundWork INSTANCE = new BackgroundWork(IDLE_MILLIS);
  }

  /**
   * Makes a thread of its own.
   *
   * @param idleMillis how long it outlives the last request
   */
  public BackgroundWork(long idleMillis) {
    this.thread = new ThreadPoolExecutor(
        1, 1, idleMillis, TimeUnit.MILLISECONDS, new ArrayBlockingQueue<>(QUEUE), new Threads());
    thread.allowCoreThreadTimeOut(true);
  }

  /** Returns the one of this process. */
  public static BackgroundWork ofProcess() {
    return OfProcess.INSTANCE;
  }

  /** Sets what threads that start from now on run before anything else. */
  public static void begin(Runnable action) {
    first = action;
  }

  /** Requests some work; returns false when too much is waiting. */
  public boolean submit(Runnable request) {
    try {
      thread.execute(request);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Returns whether the thread is there. */
  public boolean running() {
    return thread.getPoolSize() > 0;
  }

  /** A class and no lambda: linking one takes milliseconds, and the thread that asks first would have to wait. */
  private static final class Threads implements ThreadFactory {
    @Override
    public Thread newThread(Runnable work) {
      Thread made = new Thread(null, new Begun(work), "ffmpi-generate", 0, false);
      made.setDaemon(true);
      made.setContextClassLoader(null);
      return made;
    }
  }

  /** The work of a thread, after the action that is set. A class and no lambda, for the same reason. */
  static final class Begun implements Runnable {
    private final Runnable work;

    Begun(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      Runnable action = first;
      if (action != null) {
        action.run();
      }
      work.run();
    }
  }
}
