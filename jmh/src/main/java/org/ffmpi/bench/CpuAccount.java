// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the CPU time of other processes, the machine's busy time in {@code /proc/stat} (steal included) minus the
 * time of this process and its descendants. Descendants are found by {@link #refresh}, since that scan is too expensive
 * for every reading; the time of those that have ended is found in their parents' account of waited-for children.
 */
final class CpuAccount {
  /** Ticks a second in {@code /proc}; USER_HZ is part of Linux's ABI on x86-64 and aarch64. */
  private static final int TICKS_PER_SECOND = 100;

  /** Busy and own time are each rounded to ticks per core and process, so two ticks say nothing. */
  private static final double UNCERTAIN_TICKS = 2;

  /** Fields of /proc/PID/stat after the command: utime, stime, cutime and cstime are the 12th to 15th of them. */
  private static final int UTIME = 11;

  private static final int OWN_FIELDS = 4;

  private List<Long> family = List.of(ProcessHandle.current().pid());

  /**
   * A moment's counters.
   *
   * @param nanos {@link System#nanoTime}
   * @param busy ticks any core was busy since boot
   * @param own ticks of this process and its descendants
   */
  record Reading(long nanos, long busy, long own) {}

  /** Looks for descendants anew. */
  void refresh() {
    List<Long> found = new ArrayList<>();
    found.add(ProcessHandle.current().pid());
    ProcessHandle.current().descendants().forEach(p -> found.add(p.pid()));
    family = found;
  }

  /** Reads the counters now. */
  Reading read() throws IOException {
    long own = 0;
    for (long pid : family) {
      own += ownTicks(pid);
    }
    return new Reading(System.nanoTime(), busyTicks(), own);
  }

  /**
   * Returns the foreign CPU time between two readings, in per cent of one core. Rounding to ticks can make a single
   * value negative or too large; the mean of many is right.
   */
  static double foreignPercent(Reading from, Reading to) {
    return 100.0 * foreignTicks(from, to) / ticks(from, to);
  }

  /** Returns whether foreign CPU time surely stayed within a limit, in per cent of one core. */
  static boolean within(Reading from, Reading to, double limitPercent) {
    return foreignTicks(from, to) <= limitPercent / 100 * ticks(from, to) + UNCERTAIN_TICKS;
  }

  private static double ticks(Reading from, Reading to) {
    return Math.max(1e-9, (to.nanos - from.nanos) * 1e-9 * TICKS_PER_SECOND);
  }

  private static long foreignTicks(Reading from, Reading to) {
    return (to.busy - from.busy) - (to.own - from.own);
  }

  private static long busyTicks() throws IOException {
    String all = Files.readAllLines(Path.of("/proc/stat")).getFirst();
    String[] f = all.trim().split("\\s+");
    // cpu user nice system idle iowait irq softirq steal; guest time is part of user.
    return Long.parseLong(f[1]) + Long.parseLong(f[2]) + Long.parseLong(f[3])
        + Long.parseLong(f[6]) + Long.parseLong(f[7]) + Long.parseLong(f[8]);
  }

  private static long ownTicks(long pid) throws IOException {
    String stat;
    try {
      stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    } catch (NoSuchFileException gone) {
      return 0;
    } catch (IOException e) {
      if (!Files.exists(Path.of("/proc/" + pid))) {
        return 0;
      }
      throw e;
    }
    // The command may hold blanks and parentheses; what follows the last one does not.
    String[] f = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long sum = 0;
    for (int i = UTIME; i < UTIME + OWN_FIELDS; i++) {
      sum += Long.parseLong(f[i]);
    }
    return sum;
  }
}
