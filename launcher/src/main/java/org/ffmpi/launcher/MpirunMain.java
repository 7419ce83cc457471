// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.select.Selector;
import org.ffmpi.launcher.command.Libraries;
import org.ffmpi.launcher.command.WrongCommand;
import org.ffmpi.launcher.dialect.DialectHint;
import org.ffmpi.launcher.job.JobStarter;
import org.ffmpi.launcher.mpiexec.MpiexecJob;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.Help;
import org.ffmpi.launcher.request.JobIo;
import org.ffmpi.launcher.request.JobRequest;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.launcher.request.RecordedRun;
import org.ffmpi.launcher.request.Samples;
import org.ffmpi.launcher.request.ShellCompletion;
import org.ffmpi.launcher.request.Terminal;
import org.ffmpi.launcher.request.UsageException;
import org.ffmpi.launcher.train.Training;
import org.ffmpi.launcher.watch.ForegroundJob;
import org.ffmpi.launcher.watch.StartFailure;
import org.ffmpi.shm.segment.NodeSetting;
import org.ffmpi.spi.RunSettings;

/**
 * The Java half of {@code mpirun}, and the main class of the library's jar and module: reads the command line, starts
 * the ranks, watches them.
 */
public final class MpirunMain {
  /** Exit code for a command line that makes no sense. */
  static final int BAD_USAGE = 2;

  /** A command line with the usual kinds of options. */
  private static final String[] USUAL = {
    "-n", "2", "--vector", "auto", "--aot=auto", "--bind", "thread", "-Xmx1g", "-cp", ".", "Main"
  };

  private static boolean mayHalt;

  private MpirunMain() {}

  /**
   * Runs a job and exits with its exit code.
   *
   * @param arguments the command line of {@code mpirun}; {@code --help} explains it
   */
  public static void main(String[] arguments) {
    int code = run(arguments, System.out);
    if (mayHalt) {
      // Leaves out the orderly end, which would look for loggers in all jars once more only to report nothing.
      Runtime.getRuntime().halt(code);
    }
    System.exit(code);
  }

  /** Runs the requested action; returns the exit code. */
  private static int run(String[] arguments, PrintStream out) {
    try {
      CommandLine line = CommandLine.parse(arguments);
      switch (line.action()) {
        case HELP -> {
          out.print(Help.about(line.topic()));
          return 0;
        }
        case SAMPLES -> {
          out.print(Samples.list());
          return 0;
        }
        case COMPLETION -> {
          out.print(ShellCompletion.of(line.topic()));
          return 0;
        }
        case VERSION -> {
          String version = MpirunMain.class.getPackage().getImplementationVersion();
          out.println("ffmpi " + (version == null ? "(development)" : version) + ", Java " + Runtime.version());
          return 0;
        }
        case ALGORITHMS -> {
          out.println(new Selector(Settings.of(line.settings())).table());
          return 0;
        }
        case PREPARE -> {
          // The launcher's own cache, which this run makes, is to hold all of a usual run.
          request(CommandLine.parse(USUAL));
          return Training.ofLibrary();
        }
        case TRAIN -> {
          return Training.ofProgram(request(line));
        }
        default -> {
          return runJob(request(line));
        }
      }
    } catch (UsageException e) {
      complain(e.getMessage());
      return BAD_USAGE;
    } catch (WrongCommand e) {
      complain(JobIo.textOf(e));
      return BAD_USAGE;
    } catch (MpiException e) {
      complain(JobIo.textOf(e));
      return 1;
    }
  }

  /** Runs the job; returns the exit code. */
  private static int runJob(JobRequest request) throws UsageException {
    int code = 1;
    if (!RunSettings.RECORD.get(request.settings()).isEmpty()) {
      RecordedRun.begin();
    }
    try {
      if (LaunchSettings.usesMpiexec(request.settings())) {
        MpiexecJob job = MpiexecJob.start(request);
        code = job.supervise();
        mayHalt = !job.isSignalled();
      } else {
        refuseHosts(request.settings());
        refuseNodes(request.settings(), request.ranks());
        Training.ofDialect(request);
        code = ForegroundJob.run(new JobStarter(request).start(), request.settings());
        mayHalt = !ForegroundJob.isSignalled();
      }
    } catch (WrongCommand e) {
      complain(JobIo.textOf(e));
      code = BAD_USAGE;
    } catch (MpiException e) {
      complain(JobIo.textOf(e));
    } catch (OutOfMemoryError e) { // no thread, or no memory for one
      complain("the job could not be started: " + StartFailure.reason(e, request.ranks()));
    }
    if (code != 0 && !ForegroundJob.isSignalled()) {
      String hint = DialectHint.of(request.programs(), request.settings());
      if (hint != null) {
        complain(hint);
      }
      String recorded = RecordedRun.hint(request.settings());
      if (recorded != null) {
        complain(recorded);
      }
    }
    return code;
  }

  /** Refuses options for hosts: ranks of this launcher run on this machine. */
  private static void refuseHosts(Settings settings) throws UsageException {
    for (Setting<String> some : List.of(
        LaunchSettings.HOST, LaunchSettings.HOSTFILE, LaunchSettings.MPI_LAUNCHER, LaunchSettings.MPI_OPTIONS)) {
      if (settings.toPassOn().containsKey(some.name())) {
        throw new UsageException(
            some.flag() + " needs --engine mpi: without it all ranks run on this machine, which needs no other MPI");
      }
    }
  }

  /**
   * Refuses nodes: processes of this launcher share one memory; a division into nodes that has no effect would go
   * unnoticed.
   */
  private static void refuseNodes(Settings settings, int ranks) throws UsageException {
    int[] nodeOf = NodeSetting.nodes(settings, ranks);
    if (nodeOf != null && nodeOf[ranks - 1] > 0) {
      throw new UsageException(
          NodeSetting.NODE.flag() + " " + NodeSetting.NODE.get(settings) + " needs --engine mpi: without it these "
              + ranks + " ranks are processes of one node; ranks in threads can be divided (Mpi.runThreads)");
    }
  }

  private static JobRequest request(CommandLine line) {
    Settings settings = Settings.of(line.settings());
    boolean sameTarget = Terminal.joinsOutputAndErrors();
    JobIo io =
        new JobIo(
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err),
            sameTarget,
            LaunchSettings.TAG_OUTPUT.get(settings),
            true,
            LaunchSettings.PROGRESS_DISPLAY.get(settings) ? Terminal.errorColumns() : 0);
    int seconds = LaunchSettings.TIMEOUT.get(settings);
    return new JobRequest(
        line.programs(), settings, Libraries.ofMpirun(), io, seconds == 0 ? null : Duration.ofSeconds(seconds),
        Terminal.columns(), line.rankOptions(), null);
  }

  private static void complain(String sentence) {
    System.err.println("mpirun: " + sentence);
  }
}
