// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.io.File;
import org.ffmpi.shm.segment.ProcessLimits;

/** The reason why the operating system starts no process or thread for a rank, mostly a limit of the launcher. */
public final class StartFailure {
  /** Files that are open at once while a process is started: the ends of its pipes, and those of its helper. */
  private static final int FILES_OF_A_START = 24;

  /** A limit of processes and threads that no job of one machine comes near. */
  private static final int MANY_PROCESSES = 20_000;

  /** Files that a JVM may need before it runs a program. */
  private static final int FILES_OF_A_RANK = 64;

  /** Threads of a rank with an empty program. */
  private static final int THREADS_OF_A_RANK = 20;

  private StartFailure() {}

  /**
   * Names the limit, or repeats the error.
   *
   * @param error the error of a start
   * @param ranks number of ranks of the job
   * @return words that follow "could not be started: "
   */
  public static String reason(Throwable error, int ranks) {
    String[] open = new File("/proc/self/fd").list();
    return reason(
        error, ranks, open == null ? 0 : open.length, ProcessLimits.of(ProcessLimits.OPEN_FILES),
        ProcessLimits.of(ProcessLimits.PROCESSES));
  }

  static String reason(Throwable error, int ranks, long open, long files, long processes) {
    String text = String.valueOf(error.getMessage()).lines().findFirst().orElse("").strip(); // advice follows
    // The JDK starts processes by a helper, whose own failure has no number.
    boolean isHelper = text.contains("spawn helper") || text.contains("jspawnhelper");
    if (text.contains("Too many open files") || isHelper && files - open < FILES_OF_A_START) {
      return "mpirun may have " + files + " open files and has " + open + "; a job needs two for each rank and "
          + FILES_OF_A_START + " more: raise the limit of open files (ulimit -n) to " + wanted(open, ranks)
          + " or more";
    }
    if (text.contains("Resource temporarily unavailable") || text.contains("unable to create native thread")
        || isHelper && processes < MANY_PROCESSES) {
      String limit = processes == ProcessLimits.UNLIMITED ? "its control group or the machine limits processes and"
          + " threads" : "the user may have " + processes + " processes and threads";
      return limit + ", and a rank has about " + THREADS_OF_A_RANK
          + ": raise the limit (ulimit -u, or pids.max of the control group), or start fewer ranks (" + text + ")";
    }
    return text;
  }

  /**
   * Names the limits that may have ended a rank before it came to MPI: its JVM prints errors of its own then.
   *
   * @param ranks number of ranks of the job
   * @return words that follow a sentence about its end; empty when the limits are large
   */
  static String hint(int ranks) {
    return hint(ranks, ProcessLimits.of(ProcessLimits.OPEN_FILES), ProcessLimits.of(ProcessLimits.PROCESSES));
  }

  static String hint(int ranks, long files, long processes) {
    StringBuilder hint = new StringBuilder();
    if (files < FILES_OF_A_RANK) {
      hint.append("; a process may have only ").append(files).append(" open files (ulimit -n)");
    }
    if (processes < (long) THREADS_OF_A_RANK * ranks) {
      hint.append("; the user may have only ").append(processes).append(" processes and threads, and a rank has about ")
          .append(THREADS_OF_A_RANK).append(" (ulimit -u)");
    }
    return hint.toString();
  }

  private static long wanted(long open, int ranks) {
    return open + 2L * ranks + 2 * FILES_OF_A_START;
  }
}
