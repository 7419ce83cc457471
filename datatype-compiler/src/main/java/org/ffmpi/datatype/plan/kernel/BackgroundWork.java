// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The background thread that makes and warms up faster loops. It starts with the first request and ends after it has
 * been idle for a while.
 *
 * <p>Thread-safe.
 */
public final class BackgroundWork {
  /** Capacity of the queue; further requests are refused, and made again when many more bytes have been moved. */
  private static final int QUEUE = 64;

  private static final long IDLE_MILLIS = 2000;

  private static volatile Runnable first;

  private final ThreadPoolExecutor thread;

  private static final class OfProcess {
    static final BackgroundWork INSTANCE = new BackgroundWork(IDLE_MILLIS);
  }

  /**
   * Creates a background thread.
   *
   * @param idleMillis how long it outlives the last request
   */
  public BackgroundWork(long idleMillis) {
    this.thread = new ThreadPoolExecutor(
        1, 1, idleMillis, TimeUnit.MILLISECONDS, new ArrayBlockingQueue<>(QUEUE), new Threads());
    thread.allowCoreThreadTimeOut(true);
  }

  /** Returns the background thread of this process. */
  public static BackgroundWork ofProcess() {
    return OfProcess.INSTANCE;
  }

  /** Sets the action that threads started from now on run first. */
  public static void begin(Runnable action) {
    first = action;
  }

  /** Requests some work; returns false when the queue is full. */
  public boolean submit(Runnable request) {
    try {
      thread.execute(request);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Returns whether the thread runs. */
  public boolean running() {
    return thread.getPoolSize() > 0;
  }

  /** A class instead of a lambda, whose linking would delay the first requesting thread by milliseconds. */
  private static final class Threads implements ThreadFactory {
    @Override
    public Thread newThread(Runnable work) {
      Thread made = new Thread(null, new Begun(work), "ffmpi-generate", 0, false);
      made.setDaemon(true);
      made.setContextClassLoader(null);
      return made;
    }
  }

  /** The work of a thread, after the action that is set. A class for the same reason. */
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
