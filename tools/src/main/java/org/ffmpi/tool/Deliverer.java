// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that calls callbacks which may do anything, one after the other. Where an event happens the engine may
 * hold locks, which such a callback could wait for. {@link #deliver} never waits and may be called anywhere; the thread
 * is started by the first call.
 */
final class Deliverer {
  private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private volatile Thread thread;
  private volatile boolean closed;

  /** Starts the thread unless it runs; called before events can happen. */
  synchronized void start() {
    if (thread == null && !closed) {
      thread = Thread.ofPlatform().name("ffmpi-tool").daemon().start(this::run);
    }
  }

  /** Hands an action to the thread. */
  void deliver(Runnable action) {
    waiting.add(action);
    Thread known = thread;
    if (known != null) {
      LockSupport.unpark(known);
    }
  }

  /** Ends the thread after all that has been delivered. */
  synchronized void close() {
    closed = true;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (true) {
      Runnable next = waiting.poll();
      if (next != null) {
        call(next);
      } else if (closed) {
        return;
      } else {
        LockSupport.park(this);
      }
    }
  }

  /** A callback that throws is as any thread that dies of an exception, but later events are still delivered. */
  private static void call(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      Thread me = Thread.currentThread();
      me.getUncaughtExceptionHandler().uncaughtException(me, e);
    }
  }
}
