// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Starts a world whose ranks are processes, for tests and tools. Found by {@link java.util.ServiceLoader}. */
public interface WorldStarter {
  /**
   * The job to start.
   *
   * @param ranks number of ranks
   * @param jvmOptions options of every rank's JVM, class path or module path included
   * @param mainAndArguments main class (or {@code -jar x}, {@code -m module}) and its arguments
   * @param settings settings handed to the ranks, by property name
   * @param timeout after which every rank's stacks are collected and the job is ended
   */
  record Spec(
      int ranks,
      List<String> jvmOptions,
      List<String> mainAndArguments,
      Map<String, String> settings,
      Duration timeout) {}

  /**
   * The end of a job.
   *
   * @param exitCode the job's exit code, 0 when every rank ended well
   * @param timedOut whether the time limit ended it
   * @param output standard output of all ranks, whole lines
   * @param errors standard error of all ranks, the launcher's sentences and, after a time-out, all stacks
   */
  record Outcome(int exitCode, boolean timedOut, String output, String errors) {}

  /**
   * Runs a job to its end. Blocks; ends only processes it started itself.
   *
   * @param spec what to start
   * @return how it ended
   */
  Outcome run(Spec spec);
}
