// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.time.Duration;
import org.ffmpi.launcher.watch.JobEnd;
import org.ffmpi.launcher.watch.JobSupervisor;

/**
 * A running job: its ranks as processes, watched until the last one is gone. Made by {@link Launcher#start}.
 *
 * <p>With the setting {@code ffmpi.survive} the job goes on when a rank dies, and ends well if one rank does. Otherwise
 * the job fails with the first rank that ends badly: with an exit code other than 0, by a signal, or with 0 while it
 * was still using MPI. The others learn of it from shared memory and have a moment to end by themselves; then they get
 * SIGTERM and at last SIGKILL, so that everything is gone within a second. A rank that ends badly when no other uses
 * MPI any more leaves the others alone. Only processes that this job has started are ever ended.
 *
 * <p>All public methods may be called from any thread.
 */
public final class Job implements AutoCloseable {
  /** Exit code of a job that its time limit ended, as timeout(1) has it. */
  public static final int TIMED_OUT = JobEnd.TIMED_OUT;

  private final JobSupervisor supervisor;

  Job(JobSupervisor supervisor) {
    this.supervisor = supervisor;
  }

  /**
   * Returns the number of ranks.
   *
   * @return how many processes were started
   */
  public int size() {
    return supervisor.size();
  }

  /**
   * Returns a rank's process. Ending it ends the job.
   *
   * @param rank from 0 to {@link #size} - 1
   * @return its handle
   */
  public ProcessHandle process(int rank) {
    return supervisor.process(rank);
  }

  /**
   * Waits for the job's end.
   *
   * @return 0 when every rank ended well, or in a job that outlives its dead one did; otherwise the exit code of the
   *     first rank that failed, or {@link #TIMED_OUT}
   * @throws InterruptedException when the waiting thread is interrupted; the job goes on
   */
  public int await() throws InterruptedException {
    return supervisor.await();
  }

  /**
   * Waits for the job's end, but not forever.
   *
   * @param limit how long to wait
   * @return true when the job has ended
   * @throws InterruptedException when the waiting thread is interrupted; the job goes on
   */
  public boolean await(Duration limit) throws InterruptedException {
    return supervisor.await(limit);
  }

  /** Ends the job if it still runs: SIGTERM, then SIGKILL, to its own ranks. Returns when all are gone. */
  @Override
  public void close() {
    supervisor.close();
  }

  /** Returns how the job ended, or null while it runs. */
  JobEnd end() {
    return supervisor.end();
  }
}
