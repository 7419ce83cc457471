// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Tells which processes of somebody else have ended. */
final class Gone {
  private Gone() {}

  /**
   * Returns whether a process has ended. One whose parent has died stays in the table of processes until init collects
   * it, which may take seconds; it has ended all the same.
   */
  static boolean is(ProcessHandle process) {
    if (!process.isAlive()) {
      return true;
    }
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'Z';
    } catch (IOException e) {
      return true;
    }
  }

  /** Waits until all have ended; false when the time is over first. */
  static boolean within(long millis, List<ProcessHandle> processes) throws InterruptedException {
    long start = System.nanoTime();
    while (!processes.stream().allMatch(Gone::is)) {
      if (System.nanoTime() - start > millis * 1_000_000) {
        return false;
      }
      Thread.sleep(5);
    }
    return true;
  }
}
