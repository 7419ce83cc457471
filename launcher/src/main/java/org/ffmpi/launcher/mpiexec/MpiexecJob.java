// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.mpiexec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.job.JobStarter;
import org.ffmpi.launcher.request.JobRequest;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.launcher.request.RankOptions;
import org.ffmpi.launcher.request.UsageException;
import org.ffmpi.launcher.watch.JobEnd;
import org.ffmpi.launcher.watch.RankGuard;
import org.ffmpi.launcher.watch.StackDump;
import org.ffmpi.spi.ForeignStart;

/**
 * A job whose ranks a C launcher starts and watches, on this machine or others. That launcher has this process's
 * standard streams; this process passes signals on to it, enforces the time limit, and ends with its exit code.
 */
public final class MpiexecJob {
  /** Time of a C launcher to end its ranks on all nodes. */
  private static final Duration ENDING = Duration.ofSeconds(10);

  private final Process launcher;
  private final JobStarter starter;
  private final Duration limit;
  private volatile boolean over;
  private volatile boolean signalled;

  private MpiexecJob(Process launcher, JobStarter starter, Duration limit) {
    this.launcher = launcher;
    this.starter = starter;
    this.limit = limit;
  }

  /**
   * Starts a job.
   *
   * @param request the options of the job
   * @return the running job
   * @throws UsageException when an option is beyond a C launcher
   * @throws MpiException ERR_SPAWN when there is no launcher, or something to run is missing
   */
  public static MpiexecJob start(JobRequest request) throws UsageException {
    Refusals.check(request);
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.keySet().removeAll(Mpiexec.OF_OWN_RANKS);
    environment.put(MpiexecCommand.TERMINAL, Integer.toString(request.columns()));
    int ranksOfNode = MpiexecCommand.ranksOfNode(request, environment);
    Mpiexec found = Mpiexec.find(LaunchSettings.MPI_LAUNCHER.get(request.settings()), environment);
    JobStarter starter = new JobStarter(request, ranksOfNode);
    try {
      MpiexecCommand command = MpiexecCommand.of(found, starter.request());
      ProcessBuilder builder =
          new ProcessBuilder(command.words(starter.commands(), starter.programs(), environment)).inheritIO();
      builder.environment().clear();
      builder.environment().putAll(environment);
      return new MpiexecJob(builder.start(), starter, request.limit());
    } catch (IOException e) {
      starter.discard();
      throw new MpiException(
          ErrorClass.ERR_SPAWN, "the launcher " + found.program() + " could not be started: " + e.getMessage(), e);
    } catch (UsageException | RuntimeException | Error e) {
      starter.discard();
      throw e;
    }
  }

  /**
   * Watches the job until it ends.
   *
   * @return the launcher's exit code, or {@link JobEnd#TIMED_OUT}
   */
  public int supervise() {
    Runtime.getRuntime().addShutdownHook(new Thread(null, this::passSignalOn, "mpirun-signal", 1 << 18));
    RankGuard guard = RankGuard.start(List.of(launcher.pid()), ENDING.toSeconds());
    try {
      if (limit == null) {
        return launcher.waitFor();
      }
      if (launcher.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return launcher.exitValue();
      }
      print(timedOut());
      end();
      return JobEnd.TIMED_OUT;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end();
      return 1;
    } finally {
      over = true;
      starter.discard();
      if (guard != null) {
        guard.end();
      }
    }
  }

  /** Returns whether a signal has ended the job, so that this process ends with that signal's exit code. */
  public boolean isSignalled() {
    return signalled;
  }

  /** Runs at the end of this process: by a signal, unless the job is over. */
  private void passSignalOn() {
    if (!over && launcher.isAlive()) {
      signalled = true;
      end();
      print("mpirun: the job was ended by a signal to mpirun\n");
    }
  }

  /** Ends the launcher and its ranks, and the processes that it leaves on this machine. */
  private void end() {
    List<ProcessHandle> processes = launcher.descendants().toList();
    launcher.destroy();
    try {
      launcher.waitFor(ENDING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    launcher.destroyForcibly();
    processes.forEach(ProcessHandle::destroyForcibly);
  }

  /** Describes the ranks that run here when the time is over. */
  private String timedOut() {
    TreeMap<Integer, ProcessHandle> ranks = new TreeMap<>();
    launcher.descendants().forEach(process -> {
      ForeignStart start = process.info().command().orElse("").endsWith("/java") ? startOf(process) : null;
      if (start != null) {
        ranks.put(start.rank(), process);
      }
    });
    String stacks = ranks.isEmpty() ? "" : StackDump.of(List.copyOf(ranks.keySet()), List.copyOf(ranks.values()));
    String time = limit.toNanosPart() == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    return stacks + "mpirun: the job did not end within " + time + "; " + ranks.size()
        + (ranks.size() == 1 ? " of its ranks was" : " of its ranks were") + " alive on this machine"
        + (ranks.isEmpty() ? "" : ", with the stacks above") + "\n";
  }

  /** Reads how a process was started from its environment; null when that cannot be read. */
  private static ForeignStart startOf(ProcessHandle process) {
    try {
      Map<String, String> variables = new HashMap<>();
      Path file = Path.of("/proc", Long.toString(process.pid()), "environ");
      for (String variable : Files.readString(file, StandardCharsets.ISO_8859_1).split("\0")) {
        int equals = variable.indexOf('=');
        if (equals > 0) {
          variables.put(variable.substring(0, equals), variable.substring(equals + 1));
        }
      }
      return ForeignStart.of(variables);
    } catch (IOException e) {
      return null;
    }
  }

  private static void print(String text) {
    System.err.print(text);
    System.err.flush();
  }

  /** Refuses options that only ffmpi's own launcher has. */
  private static final class Refusals {
    private Refusals() {}

    static void check(JobRequest request) throws UsageException {
      if (!request.rankOptions().isEmpty()) {
        throw refusal(RankOptions.FLAG, "its launcher gives all ranks of a program one command");
      }
      refuse(request, LaunchSettings.DEBUG.name(), "0", "ranks on several machines cannot be given a port each");
      refuse(request, LaunchSettings.DEBUG_SUSPEND.name(), "", "ranks on several machines cannot be given a port each");
      refuse(request, LaunchSettings.JMX_SETTING, "0", "ranks on several machines cannot be given a port each");
      refuse(request, "ffmpi.bind", "", "its launcher binds ranks: give its option in "
          + LaunchSettings.MPI_OPTIONS.flag() + ", such as --bind-to core (Open MPI), -bind-to core (MPICH),"
          + " --cpu-bind=cores (srun)");
      refuse(request, "ffmpi.survive", "false", "a job over a C library ends with its first dead rank");
      if (LaunchSettings.PROGRESS_DISPLAY.get(request.settings())) {
        throw refusal("--progress alone", "nobody sees the ranks of all machines at once");
      }
      refuse(request, "ffmpi.watchdog", "0", "nobody sees the ranks of all machines at once");
      refuse(request, "ffmpi.watchdog.ends", "false", "nobody sees the ranks of all machines at once");
    }

    private static void refuse(JobRequest request, String setting, String harmless, String reason)
        throws UsageException {
      String text = request.settings().toPassOn().get(setting);
      if (text != null && !text.equals(harmless)) {
        throw refusal("--" + setting.substring("ffmpi.".length()).replace('.', '-'), reason);
      }
    }

    private static UsageException refusal(String flag, String reason) {
      return new UsageException(flag + " has no meaning with --engine " + LaunchSettings.ENGINE_MPI + ": " + reason);
    }
  }
}
