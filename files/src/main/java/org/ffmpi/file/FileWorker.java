// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.ffmpi.process.World;
import org.ffmpi.process.WorldPart;

/**
 * The thread that performs the nonblocking accesses of a file at one rank, one after the other. It starts with the
 * first of them. A world that is closed waits for those that have not ended. Any thread may call.
 */
final class FileWorker implements WorldPart {
  private final World world;
  private final Path path;
  private ExecutorService executor;
  /** Accesses that have not ended; guarded by this. */
  private int pending;

  FileWorker(World world, Path path) {
    this.world = world;
    this.path = path;
  }

  synchronized void start(Runnable access) {
    if (executor == null) {
      executor = Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("ffmpi-file " + path).factory());
    }
    if (pending++ == 0) {
      world.add(this);
    }
    executor.execute(() -> {
      try {
        access.run();
      } finally {
        ended();
      }
    });
  }

  private synchronized void ended() {
    if (--pending == 0) {
      world.remove(this);
      notifyAll();
    }
  }

  @Override
  public synchronized boolean flush(long nanos) {
    long end = System.nanoTime() + Math.min(nanos, Long.MAX_VALUE / 2);
    boolean interrupted = false;
    while (pending > 0) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        break;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return pending == 0;
  }

  @Override
  public void withdraw() {}

  @Override
  public void release() {}

  /** Waits for all accesses and ends the thread. */
  void close() {
    flush(Long.MAX_VALUE);
    synchronized (this) {
      if (executor != null) {
        executor.shutdown();
      }
    }
  }
}
