// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.request.JobIo;

/**
 * The processes of a job's ranks, watched by one thread until the last is gone and its output is written. It also ends
 * the job: as {@code Job} describes, and with whole sentences among the errors. Methods for the outside may be called
 * from any thread.
 *
 * <p>This file is long because all reasons for which a job ends are here.
 */
public final class JobSupervisor {
  /** Time of ranks to end by themselves after another has failed: enough to print an exception. */
  private static final long NOTICE_NANOS = 250_000_000;

  /** Time of ranks from SIGTERM to their end: their shutdown hooks run here. */
  private static final long TERM_NANOS = 400_000_000;

  /** Time in which output is still carried after the last rank's end. */
  private static final long DRAIN_NANOS = 500_000_000;

  /**
   * Time after which ranks that have not joined get a {@link RankGuard}: most jobs need none, and would start later
   * with one.
   */
  private static final long GUARD_NANOS = 200_000_000;

  /** Time between two polls of the supervisor: for aborts, and for exits whose streams another process holds open. */
  private static final int TICK_MILLIS = 25;

  /** The same while the job ends. */
  private static final int ENDING_TICK_MILLIS = 10;

  private final RankProcess[] ranks;
  private final RankStates states;
  private final Output output;
  private final OutputSink out;
  private final OutputSink err;
  private final long startedAt = System.nanoTime();
  private final long limitNanos;
  private final boolean survives;

  /** Null in a job without one. */
  private final Watchdog watchdog;

  private final LastWaits lastWaits;
  private final CountDownLatch over = new CountDownLatch(1);

  // Used by the supervising thread alone.
  private int living;
  private int dead;
  private JobEnd firstDeath;
  private boolean hasAbsentee;
  private boolean guarded;

  /** Null before the guard starts, and where there is no shell. */
  private RankGuard guard;
  private JobEnd failure;
  private JobEnd afterFinalize;
  private long failedAt;
  private long noticeNanos;
  private int endedWithIt;

  /** The end that a rank has requested; null before. */
  private RankStates.Abort aborted;
  private boolean terminated;

  // Guarded by this.
  private boolean events;
  private JobEnd stop;

  private volatile JobEnd end;

  /** While the failure of the job is that of the call that has spawned it, which throws the sentence. */
  private volatile boolean isTrial;

  /** Null in a job that cannot spawn. */
  private Spawner spawner;

  /** Null in a job whose work is not shown. */
  private WorkDisplay work;

  private JobSupervisor(
      RankProcess[] ranks, RankStates states, Output output, Duration limit, Watchdog watchdog) {
    this.watchdog = watchdog;
    this.ranks = ranks;
    this.states = states;
    this.lastWaits = new LastWaits(states);
    this.output = output;
    this.out = output.out;
    this.err = output.err;
    this.living = ranks.length;
    this.survives = states.survives();
    this.limitNanos = limit == null ? Long.MAX_VALUE : limit.toNanos();
  }

  /**
   * Starts all ranks.
   *
   * @param plans what to start, in rank order
   * @param states the job's shared memory; closed at the job's end, or at once when the start fails
   * @param io where output goes and input comes from
   * @param limit after which the job is ended, or null
   * @param watchdog finds a standstill, or null
   * @return the job, which a thread has to {@link #supervise}
   */
  public static JobSupervisor start(
      List<RankPlan> plans, RankStates states, JobIo io, Duration limit, Watchdog watchdog) {
    OutputSink out = new OutputSink(io.out());
    return start(plans, states, new Output(out, io.sameTarget() ? out : new OutputSink(io.err()), io.tagged(), ""),
        io.inheritsInput(), limit, watchdog);
  }

  /**
   * Starts all ranks of a job that this one has spawned. Their output goes where that of this job goes.
   *
   * @param plans what to start, in rank order
   * @param spawned the states of the spawned job
   * @param number the number of the job among those that this launcher has spawned, from 1
   * @return the job, which a thread has to {@link #supervise}
   */
  public JobSupervisor startSpawned(List<RankPlan> plans, RankStates spawned, int number) {
    return start(plans, spawned, new Output(out, err, output.tagged, "s" + number + "."), false, null, null);
  }

  /** The destination of the lines of ranks, and their beginning. */
  private record Output(OutputSink out, OutputSink err, boolean tagged, String job) {
    /** Returns words that follow the name of a rank. */
    String ofJob() {
      return job.isEmpty() ? "" : " of the spawned job " + job.substring(1, job.length() - 1);
    }
  }

  private static JobSupervisor start(
      List<RankPlan> plans, RankStates states, Output output, boolean inheritsInput, Duration limit,
      Watchdog watchdog) {
    RankProcess[] ranks = new RankProcess[plans.size()];
    for (int r = 0; r < ranks.length; r++) {
      try {
        ranks[r] = RankProcess.start(plans.get(r), r == 0 && inheritsInput);
      } catch (IOException | OutOfMemoryError e) {
        throw notStarted(ranks, r, e, states);
      }
    }
    JobSupervisor job = new JobSupervisor(ranks, states, output, limit, watchdog);
    for (RankProcess rank : ranks) {
      try {
        rank.pump(output.out, output.err, output.tagged, output.job, job::event);
      } catch (OutOfMemoryError e) { // no thread
        throw notStarted(ranks, rank.rank, e, states);
      }
    }
    return job;
  }

  /** Ends the ranks of a job that cannot be started completely; returns the error. */
  private static MpiException notStarted(RankProcess[] ranks, int failed, Throwable error, RankStates states) {
    String reason = StartFailure.reason(error, ranks.length); // while the files of the others are open
    for (RankProcess rank : ranks) {
      if (rank != null) {
        rank.process.destroyForcibly();
      }
    }
    states.close();
    return new MpiException(
        ErrorClass.ERR_SPAWN, "rank " + failed + " of " + ranks.length + " could not be started: " + reason, error);
  }

  /** Starts further jobs for the ranks of one. */
  public interface Spawner {
    /**
     * Called when a rank waits for the launcher at a port.
     *
     * @param port the number of the port
     */
    void heard(long port);

    /** Returns whether jobs have been started. */
    boolean hasJobs();

    /** Returns whether one of them has failed, and has said so. */
    boolean hasFailed();

    /**
     * Ends all jobs that have been started.
     *
     * @param reason why
     */
    void stop(JobEnd reason);

    /**
     * Waits until all jobs that have been started are over.
     *
     * @return how the first one ended that failed; null when all have ended well
     */
    JobEnd awaitAll() throws InterruptedException;
  }

  /**
   * Sets who starts further jobs for the ranks of this one; before {@link #supervise}.
   *
   * @param starter starts them
   */
  public void setSpawner(Spawner starter) {
    spawner = starter;
  }

  /**
   * Shows how far the ranks' programs are, until the job's end; before {@link #supervise}.
   *
   * @param columns width of the terminal that errors go to; 0 when they go elsewhere
   */
  public void showWork(int columns) {
    if (columns > 0 && out != err) {
      out.eraseNoticeOf(err);
    }
    work = new WorkDisplay(states::workDone, err, columns);
    work.start();
  }

  /**
   * Sets whether the job is spawned by a call that has not returned: its failure is an error of that call then, and is
   * not printed.
   *
   * @param trial false once all ranks have joined
   */
  public void setTrial(boolean trial) {
    isTrial = trial;
  }

  /** Returns whether the job has failed, or been left, as a trial. */
  public boolean isTrial() {
    return isTrial;
  }

  /** Returns the number of ranks. */
  public int size() {
    return ranks.length;
  }

  /** Returns the process of a rank. */
  public ProcessHandle process(int rank) {
    if (rank < 0 || rank >= ranks.length) {
      throw MpiException.argument(ErrorClass.ERR_RANK, "rank", rank, "0.." + (ranks.length - 1));
    }
    return ranks[rank].process.toHandle();
  }

  /** Waits for the job's end; returns its exit code. An interrupt does not end the job. */
  public int await() throws InterruptedException {
    over.await();
    return end.exitCode();
  }

  /** Waits for the job's end for some time; returns whether it has ended. */
  public boolean await(Duration limit) throws InterruptedException {
    return over.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Ends the job if it still runs: SIGTERM, then SIGKILL, to its own ranks. Returns when all are gone. */
  public void close() {
    stop(JobEnd.ofJob(Signals.EXIT_BASE + Signals.TERM, "the job was closed"));
    boolean interrupted = false;
    for (;;) {
      try {
        over.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Requests the end of the job for a reason of the launcher's own; the first reason stays. */
  public void stop(JobEnd reason) {
    synchronized (this) {
      if (stop == null) {
        stop = reason;
      }
    }
    event();
  }

  /** Requests the end of the job because of a signal. The waits of its ranks are printed, if there are any. */
  public void stopBySignal(JobEnd reason) {
    lastWaits.setSignalled();
    stop(reason);
  }

  /** Kills the ranks that still live. */
  public void killLiving() {
    for (RankProcess rank : ranks) {
      rank.process.destroyForcibly();
    }
  }

  /** Returns how the job ended, or null while it runs. */
  public JobEnd end() {
    return end;
  }

  /**
   * Watches the ranks until all are gone and their output is written. Called once, by the thread that serves the job.
   *
   * @return how it ended
   */
  public JobEnd supervise() {
    try {
      collectExits();
      while (living > 0) {
        poll();
        pause();
        collectExits();
      }
      long deadline = System.nanoTime() + DRAIN_NANOS;
      for (RankProcess rank : ranks) {
        rank.drain(deadline);
      }
    } catch (InterruptedException e) {
      killLiving();
      fail(JobEnd.ofJob(1, "the launcher's thread was interrupted"), 0);
      Thread.currentThread().interrupt();
    }
    JobEnd result = afterFinalize;
    if (failure != null) {
      result = failure.with(endedWithIt);
    } else if (dead == ranks.length) {
      result = endWithoutSurvivors();
    }
    print(work == null ? "" : work.end());
    print(lastWaits.text());
    boolean isConsequence = result != null && isOnlyConnected(result);
    if (result != null && !isConsequence && !isTrial) {
      print("mpirun: " + result.sentence() + "\n");
    }
    if (guard != null) {
      guard.end();
    }
    states.close();
    result = withSpawned(result);
    if (isConsequence && output.job.isEmpty() && !spawner.hasFailed()) { // no job has said why
      print("mpirun: " + result.sentence() + "\n");
    }
    end = result == null ? JobEnd.SUCCESS : result;
    over.countDown();
    return end;
  }

  /** Returns whether a job has ended because of another one of this launcher, which prints the sentence. */
  private boolean isOnlyConnected(JobEnd result) {
    RankStates.Abort abort = result.culprit() == JobEnd.NO_RANK ? aborted : null;
    return abort != null && abort.reason().startsWith("a connected job has ended: ")
        && (spawner != null && spawner.hasJobs() || !output.job.isEmpty());
  }

  /** Waits for the jobs that this one has spawned, whose failure is that of this one if it has none itself. */
  private JobEnd withSpawned(JobEnd own) {
    if (spawner == null) {
      return own;
    }
    try {
      JobEnd spawned = spawner.awaitAll();
      return own != null || spawned == null ? own : spawned;
    } catch (InterruptedException e) {
      spawner.stop(JobEnd.ofJob(1, "the launcher's thread was interrupted"));
      Thread.currentThread().interrupt();
      return own;
    }
  }

  /** Describes the end of a job that no rank has outlived. */
  private JobEnd endWithoutSurvivors() {
    return JobEnd.ofJob(firstDeath.exitCode(), "no rank has ended well");
  }

  private synchronized void event() {
    events = true;
    notifyAll();
  }

  /** Waits for a stream's end, for the next tick, or for the process whose streams have already ended. */
  private synchronized void pause() throws InterruptedException {
    if (!events) {
      boolean exiting = false;
      for (RankProcess rank : ranks) {
        exiting |= !rank.hasExited() && rank.hasEndedStreams();
      }
      wait(exiting ? 1 : failure == null ? TICK_MILLIS : ENDING_TICK_MILLIS);
    }
    events = false;
  }

  private void collectExits() {
    for (RankProcess rank : ranks) {
      if (rank.detectExit()) {
        living--;
        lastWaits.noteBeforeEnd(rank.process.exitValue());
        if (failure == null) {
          JobEnd bad = reasonToEnd(rank);
          if (bad == null) {
            states.publishEnd(rank.rank);
          } else if (outlives(bad)) {
            reportDeath(rank, bad);
          } else {
            states.publishFatalDeath(rank.rank, bad.exitCode(), bad.sentence());
            fail(bad, NOTICE_NANOS);
          }
        }
      }
    }
  }

  /** Returns whether the job continues after a rank's end: it has that setting, and no rank has requested its end. */
  private boolean outlives(JobEnd bad) {
    return survives && aborted() == null && bad.culprit() != JobEnd.NO_RANK;
  }

  /** Reports the death of a rank while the job continues. The job fails if none ends well. */
  private void reportDeath(RankProcess rank, JobEnd bad) {
    states.publishDeath(rank.rank, bad.exitCode());
    dead++;
    firstDeath = firstDeath == null ? bad : firstDeath;
    String others = living == 1 ? "; the job goes on with 1 rank" : "; the job goes on with " + living + " ranks";
    print("mpirun: " + bad.sentence() + (living == 0 ? "" : others) + "\n");
  }

  /** Returns how the job ends because of a rank's end; null when it does not. */
  private JobEnd reasonToEnd(RankProcess rank) {
    JobEnd aborted = aborted();
    if (aborted != null) {
      return aborted;
    }
    int code = rank.process.exitValue();
    RankStates.Progress progress = states.progress(rank.rank);
    if (code != 0) {
      String signal = Signals.ofExitCode(code);
      String cause = signal == null ? " ended with exit code " + code : " died of " + signal + ", exit code " + code;
      String hint = progress == RankStates.Progress.OUTSIDE ? StartFailure.hint(ranks.length) : "";
      JobEnd bad = new JobEnd(code, describe(rank) + cause + hint, rank.rank, false);
      if (progress != RankStates.Progress.FINALIZED || survives || hasRanksInside()) {
        return bad; // others may wait for calls that it has not made
      }
      // No rank waits for it: the others go on, and the job's exit code shows the failure.
      afterFinalize = afterFinalize == null ? bad : afterFinalize;
      return null;
    }
    switch (progress) {
      case INSIDE:
        return new JobEnd(1, describe(rank) + " ended with exit code 0 without finalizing MPI", rank.rank, false);
      case FAILED:
        return new JobEnd(1, describe(rank) + " ended with exit code 0 after an error", rank.rank, false);
      case OUTSIDE:
        hasAbsentee = true;
        return null;
      default:
        return null;
    }
  }

  /** Returns whether a living rank uses MPI or may come to. */
  private boolean hasRanksInside() {
    for (RankProcess rank : ranks) {
      if (!rank.hasExited() && states.progress(rank.rank) != RankStates.Progress.FINALIZED) {
        return true;
      }
    }
    return false;
  }

  private JobEnd aborted() {
    RankStates.Abort abort = states.abort();
    if (abort == null) {
      return null;
    }
    aborted = abort;
    int code = abort.code() == 0 ? 1 : abort.code();
    if (abort.rank() < 0 || abort.rank() >= ranks.length) {
      return JobEnd.ofJob(code, "the job was ended with exit code " + code + ": " + abort.reason());
    }
    String prefix = "rank " + abort.rank() + ": ";
    String reason = abort.reason().startsWith(prefix) ? abort.reason().substring(prefix.length()) : abort.reason();
    return new JobEnd(
        code, describe(ranks[abort.rank()]) + " ended the job with exit code " + code + ": " + reason, abort.rank(),
        false);
  }

  private String describe(RankProcess rank) {
    return "rank " + rank.rank + output.ofJob() + " (pid " + rank.process.pid() + ")";
  }

  /** Finds failures that no end of a process shows, and continues to end a job that has failed. */
  private void poll() {
    if (!guarded && System.nanoTime() - startedAt > GUARD_NANOS) {
      guarded = true;
      guard = hasRanksOutside() ? RankGuard.start(ranks) : null;
    }
    if (failure == null) {
      JobEnd found = findFailure();
      if (found != null) {
        states.requestEnd(found.exitCode(), found.sentence());
        fail(found, requestedEnd() == found || found.timedOut() ? 0 : NOTICE_NANOS);
      }
    }
    if (failure != null) {
      long since = System.nanoTime() - failedAt - noticeNanos;
      if (since >= TERM_NANOS) {
        forEachLiving(Process::destroyForcibly);
      } else if (since >= 0 && !terminated) {
        terminated = true;
        forEachLiving(Process::destroy);
      }
    }
  }

  private boolean hasRanksOutside() {
    for (RankProcess rank : ranks) {
      if (!rank.hasExited() && states.progress(rank.rank) == RankStates.Progress.OUTSIDE) {
        return true;
      }
    }
    return false;
  }

  /** Finds a reason to end the job that no exit code shows; null when there is none. */
  private JobEnd findFailure() {
    JobEnd found = requestedEnd();
    lastWaits.note();
    long port = spawner == null ? 0 : states.heardCall();
    if (port != 0) {
      spawner.heard(port);
    }
    if (found == null) {
      found = aborted();
    }
    if (found == null && hasAbsentee) {
      found = findAbsentee();
      if (found != null && survives) {
        reportDeath(ranks[found.culprit()], found);
        found = null;
      }
    }
    if (found == null && out.failure() != null) {
      found =
          JobEnd.ofJob(
              Signals.EXIT_BASE + Signals.PIPE, "standard output takes no more: " + out.failure().getMessage());
    }
    if (found == null && watchdog != null) {
      if (watchdog.hasFound(states)) {
        print(watchdog.report(states));
      }
      found = watchdog.end(states);
    }
    if (found == null && System.nanoTime() - startedAt > limitNanos) {
      found = timedOut();
    }
    return found;
  }

  private synchronized JobEnd requestedEnd() {
    return stop;
  }

  /** Finds the rank that left without ever joining, if others have joined and therefore wait for it. */
  private JobEnd findAbsentee() {
    RankProcess outside = null;
    boolean joined = false;
    for (RankProcess rank : ranks) {
      RankStates.Progress progress = states.progress(rank.rank);
      joined |= progress == RankStates.Progress.INSIDE || progress == RankStates.Progress.FINALIZED;
      if (progress == RankStates.Progress.OUTSIDE && rank.hasExited()) {
        outside = rank;
      }
    }
    return joined && outside != null
        ? new JobEnd(
            1, describe(outside) + " ended with exit code 0 without initializing MPI, which other ranks did",
            outside.rank, false)
        : null;
  }

  private JobEnd timedOut() {
    List<ProcessHandle> alive = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (RankProcess rank : ranks) {
      if (rank.process.isAlive()) {
        alive.add(rank.process.toHandle());
        numbers.add(rank.rank);
      }
    }
    print("mpirun: what the ranks wait for, numbered as in MPI_COMM_WORLD:\n" + states.diagnosis());
    print(StackDump.of(numbers, alive));
    String limit = limitNanos % 1_000_000_000 == 0 ? limitNanos / 1_000_000_000 + " s" : limitNanos / 1_000_000 + " ms";
    return new JobEnd(
        JobEnd.TIMED_OUT, "the job did not end within " + limit + "; " + alive.size() + " of " + ranks.length
            + " ranks were alive, what they wait for and their stacks are above", JobEnd.NO_RANK, true);
  }

  private void fail(JobEnd reason, long notice) {
    if (failure == null) {
      failure = reason;
      if (spawner != null && (reason.timedOut() || reason == requestedEnd())) {
        spawner.stop(reason);
      }
      failedAt = System.nanoTime();
      noticeNanos = notice;
      for (RankProcess rank : ranks) {
        endedWithIt += rank.hasExited() || rank.rank == reason.culprit() ? 0 : 1;
      }
    }
  }

  private void forEachLiving(Consumer<Process> action) {
    for (RankProcess rank : ranks) {
      if (!rank.hasExited()) {
        action.accept(rank.process);
      }
    }
  }

  private void print(String text) {
    if (text.isEmpty()) {
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    LineForwarder own = new LineForwarder(err, "", null);
    own.accept(bytes, bytes.length);
  }
}
