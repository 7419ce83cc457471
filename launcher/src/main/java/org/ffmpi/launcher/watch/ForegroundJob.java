// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.time.Duration;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.request.RecordedRun;

/** A job that the thread of main watches, and that ends with this JVM. */
public final class ForegroundJob {
  /** Time of all ranks for an orderly end once a signal has come; on an idle machine it takes less. */
  private static final Duration ORDERLY_END = Duration.ofSeconds(3);

  /** Set once a signal ends this JVM, whose exit code is then that of the signal. */
  private static volatile boolean signalled;

  private ForegroundJob() {}

  /**
   * Watches a job in this thread. A signal that ends this JVM runs the hook, which passes it on. The JVM does not
   * report which signal it was, so ranks get SIGTERM; those in the foreground of a terminal got its SIGINT already.
   *
   * @param settings settings of the job, whose recording is named after a signal
   * @return the job's exit code
   */
  public static int run(JobSupervisor job, Settings settings) {
    Runtime.getRuntime().addShutdownHook(
        new Thread(null, () -> passSignalOn(job, settings), "mpirun-signal", 1 << 18));
    return job.supervise().exitCode();
  }

  /** Returns whether a signal has ended a job of this JVM. */
  public static boolean isSignalled() {
    return signalled;
  }

  private static void passSignalOn(JobSupervisor job, Settings settings) {
    if (job.end() == null) {
      signalled = true;
      job.stopBySignal(JobEnd.ofJob(Signals.EXIT_BASE + Signals.TERM, "the job was ended by a signal to mpirun"));
      try {
        job.await(ORDERLY_END);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        job.killLiving();
        String recorded = RecordedRun.hint(settings);
        if (recorded != null) {
          System.err.print("mpirun: " + recorded + "\n"); // in one piece
        }
      }
    }
  }
}
