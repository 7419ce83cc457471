// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Channel;

/**
 * The collective call of a communicator that a thread of this rank is in, where everything is checked. No two threads
 * may be in one at the same time (MPI-4.1 §6.14). Where other threads run, the first calls last a little longer, so
 * that two calls without an order meet. Called by the threads that make the calls; none waits for another one.
 */
final class OneCallAtATime {
  /** How many calls last longer, and how much. */
  private static final int FIRST_CALLS = 20;

  private static final long LONGER_NANOS = 3_000_000;

  /** A call that has not returned. */
  private static final class Running {
    final Thread thread = Thread.currentThread();
    final CallPlace place = CallPlace.ofThisThread();

    /** What contradicts it; null while nothing does. */
    volatile MpiException error;
  }

  private final Channel channel;
  private final AtomicReference<Running> now = new AtomicReference<>();
  private final AtomicInteger calls = new AtomicInteger();

  OneCallAtATime(Channel channel) {
    this.channel = channel;
  }

  /**
   * Notes that this thread begins a call.
   *
   * @return whether {@link #end} has to follow; false within a call of this thread
   * @throws MpiException ERR_COMM while another thread is in a call
   */
  boolean begin() {
    Running own = new Running();
    Running other = now.compareAndExchange(null, own);
    if (other != null && other.thread != own.thread) {
      String name = channel.nameOrMaker();
      MpiException error = new MpiException(
          ErrorClass.ERR_COMM, own.place + " is called by " + nameOf(own.thread) + " while " + nameOf(other.thread)
              + " is in " + other.place + " on the same communicator" + (name.isEmpty() ? "" : ", " + name)
              + ": collective calls need one order, the same at all ranks; call them from one thread, or give each"
              + " thread a communicator of its own");
      other.error = error;
      throw error;
    }
    return other == null;
  }

  private static String nameOf(Thread thread) {
    return thread.getName().isEmpty() ? "thread " + thread.threadId() : "thread \"" + thread.getName() + "\"";
  }

  /**
   * Notes that this thread ends the call that it has begun.
   *
   * @throws MpiException ERR_COMM when another thread has begun one meanwhile, which has got the error, too
   */
  void end() {
    if (calls.get() < FIRST_CALLS && calls.getAndIncrement() < FIRST_CALLS && doOthersRun()) {
      LockSupport.parkNanos(LONGER_NANOS);
    }
    MpiException error = now.getAndSet(null).error;
    if (error != null) {
      throw new MpiException(error.errorClass(), error.getMessage().substring(error.getMessage().indexOf(": ") + 2));
    }
  }

  /** Returns whether another thread of the program runs, as far as threads tell. */
  private static boolean doOthersRun() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    Thread[] threads = new Thread[group.activeCount() + 1];
    int length = group.enumerate(threads);
    for (int i = 0; i < length; i++) {
      Thread thread = threads[i];
      if (thread != Thread.currentThread() && !thread.getName().startsWith("ffmpi")
          && thread.getState() == Thread.State.RUNNABLE) {
        return true;
      }
    }
    return Thread.currentThread().isVirtual();
  }
}
