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
import org.ffmpi.shm.segment.NodeSetting;

/**
 * The Java half of {@code mpirun}, and the main class of the library's jar and module: reads the command line, starts
 * the ranks, watches them.
 */
public final class MpirunMain {
  /** Exit code for a command line that makes no sense. */
  static final int BAD_USAGE = 2;

  /** How long the orderly end of all ranks may take once a signal has come; on a machine with time it takes less. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(3);

  private static final Duration PREPARE_LIMIT = Duration.ofSeconds(60);

  /** A command line with the kinds of options that are likely. */
  private static final String[] USUAL = {
    "-n", "2", "--vector", "auto", "--aot=auto", "--bind", "thread", "-Xmx1g", "-cp", ".", "Main"
  };

  /** Set once a signal ends this JVM, whose exit code is then that of the signal. */
  private static volatile boolean signalled;

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
          out.print(Help.text());
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
          return prepare();
        }
        case TRAIN -> {
          return train(request(line), false);
        }
        default -> {
          return runJob(request(line));
        }
      }
    } catch (UsageException e) {
      complain(e.getMessage());
      return BAD_USAGE;
    } catch (MpiException e) {
      complain(withoutClass(e));
      return 1;
    }
  }

  /** Runs the job; returns the exit code. */
  private static int runJob(JobRequest request) throws UsageException {
    int code = 1;
    try {
      if (LaunchSettings.startsByMpiexec(request.settings())) {
        MpiexecJob job = MpiexecJob.start(request);
        code = job.supervise();
        mayHalt = !job.isSignalled();
      } else {
        refuseHosts(request.settings());
        refuseNodes(request.settings(), request.ranks());
        new DialectCache(request).prepare();
        code = supervised(new JobStarter(request).start());
        mayHalt = !signalled;
      }
    } catch (MpiException e) {
      complain(withoutClass(e));
    }
    String hint = code == 0 || signalled ? null : DialectHint.of(request.programs(), request.settings());
    if (hint != null) {
      complain(hint);
    }
    return code;
  }

  /** Ranks of this launcher run on this machine. */
  private static void refuseHosts(Settings settings) throws UsageException {
    for (Setting<String> some : List.of(
        LaunchSettings.HOST, LaunchSettings.HOSTFILE, LaunchSettings.MPI_LAUNCHER, LaunchSettings.MPI_OPTIONS)) {
      if (settings.toPassOn().containsKey(some.name())) {
        throw new UsageException(
            some.flag() + " needs --engine mpi: without it all ranks run on this machine, which needs no other MPI");
      }
    }
  }

  /** Processes of this launcher share one memory; a division into nodes that has no effect would go unnoticed. */
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
    boolean onePlace = Terminal.outputIsErrors();
    JobIo io =
        new JobIo(
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err),
            onePlace,
            LaunchSettings.TAG_OUTPUT.get(settings),
            true);
    int seconds = LaunchSettings.TIMEOUT.get(settings);
    return new JobRequest(
        line.programs(), settings, Libraries.ofMpirun(), io, seconds == 0 ? null : Duration.ofSeconds(seconds),
        Terminal.columns(), line.rankOptions(), null);
  }

  /**
   * Watches the job in this thread. A signal that ends this JVM runs the hook, which passes it on: the JVM does not say
   * which signal it was, so that ranks get SIGTERM; those in the foreground of a terminal got its SIGINT already.
   */
  static int supervised(Job job) {
    Thread hook = new Thread(null, () -> passOn(job), "mpirun-signal", 1 << 18);
    Runtime.getRuntime().addShutdownHook(hook);
    return job.supervise().exitCode();
  }

  private static void passOn(Job job) {
    if (job.end() == null) {
      signalled = true;
      job.stop(JobEnd.ofJob(Signals.EXIT_BASE + Signals.TERM, "the job was ended by a signal to mpirun"));
      try {
        job.await(LAST_WORDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        job.killLiving();
      }
    }
  }

  /**
   * Runs the job with its first rank recorded, and makes a start-up cache of the record: the library's or a program's.
   */
  private static int train(JobRequest request, boolean ofLibrary) {
    if (LaunchSettings.startsByMpiexec(request.settings())) {
      complain("--train makes its cache of a run on this machine alone: leave out --engine mpi");
      return BAD_USAGE;
    }
    if (!request.rankOptions().isEmpty() || Debugging.of(request.settings(), request.ranks()) != null) {
      complain(
          "--train makes its cache of a run without " + LaunchSettings.DEBUG.flag() + " and " + RankOptions.FLAG);
      return BAD_USAGE;
    }
    Training training = new Training(request.settings(), ofLibrary);
    JobStarter starter = new JobStarter(request.recordedIn(training.recording()));
    RankCommand command = starter.firstCommand();
    String refusal =
        starter.hasTemporaries()
            ? "--train needs the compiled program kept, in " + LaunchSettings.AOT_FOLDER.flag() + " and without "
                + LaunchSettings.AOT.flag() + " off"
            : Training.refusal(command);
    if (refusal != null) {
      starter.discard();
      complain(refusal);
      return BAD_USAGE;
    }
    int code = supervised(starter.start());
    if (code != 0) {
      training.forget();
      complain("no start-up cache is made of a job that fails");
      return code;
    }
    Path cache = training.assemble(command, ofLibrary ? "" : command.target());
    System.err.println("mpirun: start-up cache: " + cache + " (" + (cache.toFile().length() >> 20) + " MB)");
    return 0;
  }

  /** Makes the cache of the library itself, which serves programs that have none of their own. */
  private static int prepare() throws UsageException {
    request(CommandLine.parse(USUAL)); // the launcher's own cache, which this run makes, is to hold all of a usual run
    List<String> libraries = Libraries.ofMpirun();
    Program program =
        new Program(
            2, List.of(), String.join(File.pathSeparator, libraries), Program.Kind.CLASS,
            TrainingProgram.class.getName(), List.of(), Map.of(), Map.of());
    JobIo io = new JobIo(OutputStream.nullOutputStream(), System.err, false, false, false);
    Settings settings = Settings.of(Map.of(LaunchSettings.VECTOR.name(), "off"));
    try {
      CompilerTraining.run(StartupCache.folder(LaunchSettings.AOT_FOLDER.get(settings)));
    } catch (MpiException e) {
      complain(withoutClass(e)); // a runtime without compiler, perhaps; ranks are more important
    }
    return train(new JobRequest(List.of(program), settings, libraries, io, PREPARE_LIMIT, 0, List.of(), null), true);
  }

  private static void complain(String sentence) {
    System.err.println("mpirun: " + sentence);
  }

  /** Returns the text of an error without the name of its class in front, which is of no use on a command line. */
  static String withoutClass(MpiException e) {
    String prefix = e.errorClass().mpiName() + ": ";
    return e.getMessage().startsWith(prefix) ? e.getMessage().substring(prefix.length()) : e.getMessage();
  }
}
