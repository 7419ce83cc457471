// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The thread that performs the nonblocking accesses of a file at one rank, one after the other. It starts with the
 * first of them. Any thread may call.
 */
final class FileWorker {
  private final Path path;
  private ExecutorService executor;

  FileWorker(Path path) {
    this.path = path;
  }

  synchronized void start(Runnable access) {
    if (executor == null) {
      executor = Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("ffmpi-file " + path).factory());
    }
    executor.execute(access);
  }

  /** Waits for all accesses and ends the thread. */
  synchronized void close() {
    if (executor == null) {
      return;
    }
    executor.shutdown();
    boolean interrupted = false;
    while (true) {
      try {
        if (executor.awaitTermination(1, TimeUnit.DAYS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
