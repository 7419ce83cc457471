// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;

/** One rank's process with the two threads that carry its output. Used by the job's supervisor. */
final class RankProcess {
  private static final String PARENT = "FFMPI_PARENT";
  private static final File NOTHING = new File("/dev/null");

  /** The JVM's warning about the Vector API, which the launcher has requested. */
  private static final String INCUBATOR = "WARNING: Using incubator modules: jdk.incubator.vector";

  final int rank;
  final Process process;
  private final String unwanted;
  private final OutputPump[] pumps = new OutputPump[2];
  private volatile int openStreams = 2;
  private boolean exitSeen;

  private RankProcess(RankPlan plan, Process process) {
    this.rank = plan.rank();
    this.unwanted = plan.unwanted();
    this.process = process;
  }

  /**
   * Starts a rank. Its output waits in pipes until {@link #pump}.
   *
   * @param plan what to start
   * @param inheritsInput whether it reads the launcher's standard input; otherwise it reads an empty one
   * @return the running rank
   * @throws IOException when the operating system refuses
   */
  static RankProcess start(RankPlan plan, boolean inheritsInput) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(plan.command());
    builder.environment().remove(PARENT); // those of a launcher that is a spawned rank itself
    builder.environment().putAll(plan.environment());
    if (plan.directory() != null) {
      builder.directory(new File(plan.directory()));
    }
    if (inheritsInput) {
      builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
    } else {
      builder.redirectInput(NOTHING);
    }
    return new RankProcess(plan, builder.start());
  }

  /**
   * Starts the threads that carry the rank's output.
   *
   * @param out where standard output goes
   * @param err where standard error goes
   * @param tagged whether each line begins with the rank
   * @param job what goes before the rank then; empty for the first job of a launcher
   * @param streamEnded called, in a pump's thread, when one of the two streams has ended
   */
  void pump(OutputSink out, OutputSink err, boolean tagged, String job, Runnable streamEnded) {
    String tag = tagged ? "[" + job + rank + "] " : "";
    pumps[0] = pump("stdout", process.getInputStream(), new LineForwarder(out, tag, unwanted), streamEnded);
    pumps[1] = pump("stderr", process.getErrorStream(), new LineForwarder(err, tag, INCUBATOR), streamEnded);
  }

  private OutputPump pump(String stream, InputStream in, LineForwarder forwarder, Runnable streamEnded) {
    Runnable atEnd =
        () -> {
          synchronized (this) {
            openStreams--;
          }
          streamEnded.run();
        };
    boolean showsPartialLines = rank == 0 && unwanted == null; // the unwanted line is printed in pieces
    OutputPump pump = new OutputPump("rank " + rank + " " + stream, process, in, forwarder, showsPartialLines, atEnd);
    pump.start();
    return pump;
  }

  /** Returns whether both streams have ended, which mostly means that the process is about to end. */
  boolean hasEndedStreams() {
    return openStreams == 0;
  }

  /** Returns true once: when the process has ended. */
  boolean detectExit() {
    if (exitSeen || process.isAlive()) {
      return false;
    }
    exitSeen = true;
    return true;
  }

  /** Returns whether {@link #detectExit} has reported the end. */
  boolean hasExited() {
    return exitSeen;
  }

  /**
   * Waits until all output has been carried. A process that the rank has left behind may hold its streams open: then
   * the rest of that output is lost.
   *
   * @param deadline end of the wait, as {@link System#nanoTime} counts
   */
  void drain(long deadline) throws InterruptedException {
    for (OutputPump pump : pumps) {
      long millis = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
      pump.join(millis);
    }
  }
}
