// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Libraries;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.job.JobStarter;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.JobIo;
import org.ffmpi.launcher.request.JobRequest;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.launcher.request.RankOptions;
import org.ffmpi.launcher.request.RankSet;
import org.ffmpi.launcher.request.UsageException;
import org.ffmpi.launcher.watch.JobSupervisor;

/**
 * Starts jobs from Java, as {@code mpirun} does from the shell: for tests, tools and IDEs.
 *
 * {@snippet :
 * int code = Launcher.of(4)
 *     .classPath("app.jar")
 *     .main("org.example.Solver", "--size", "1024")
 *     .setting("ffmpi.ring.slots", "64")
 *     .timeout(Duration.ofSeconds(30))
 *     .run();
 * }
 *
 * <p>Without a class path the ranks get this JVM's own. Output goes to {@link System#out} and {@link System#err} unless
 * redirected; ranks read an empty standard input unless {@link #inheritInput} was called. A launcher is used by one
 * thread; the jobs it starts are independent of it and of each other.
 */
public final class Launcher {
  private final List<Part> parts = new ArrayList<>();
  private final Map<String, String> settings = new HashMap<>();
  private final List<RankOptions> rankOptions = new ArrayList<>();
  private Duration timeout;
  private boolean tagged;
  private boolean inheritsInput;
  private OutputStream out = System.out;
  private OutputStream err = System.err;

  /** One program as it is being described. */
  private static final class Part {
    final int ranks;
    final List<String> javaOptions = new ArrayList<>();
    final Map<String, String> environment = new HashMap<>();
    String classPath = System.getProperty("java.class.path");
    Program.Kind kind;
    String target;
    List<String> arguments = List.of();
    Program command;

    Part(int ranks) {
      this.ranks = ranks;
    }

    Program program() {
      if (command != null) {
        return command;
      }
      if (kind == null) {
        throw new MpiException(ErrorClass.ERR_ARG, "main: no class, jar or module was given for " + ranks + " ranks");
      }
      return new Program(
          ranks, List.copyOf(javaOptions), classPath, kind, target, arguments, Map.of(), Map.copyOf(environment));
    }
  }

  private Launcher() {}

  /**
   * Begins a job.
   *
   * @param ranks number of ranks of the first program, at least 1
   * @return a launcher to describe the job with
   * @throws MpiException ERR_ARG when {@code ranks} is less than 1
   */
  public static Launcher of(int ranks) {
    return new Launcher().and(ranks);
  }

  /**
   * Begins a further program of the same job, which gets the next ranks; what follows describes that one.
   *
   * @param ranks number of its ranks, at least 1
   * @return this
   * @throws MpiException ERR_ARG when {@code ranks} is less than 1
   */
  public Launcher and(int ranks) {
    if (ranks < 1) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "ranks", ranks, "whole numbers from 1 up");
    }
    parts.add(new Part(ranks));
    return this;
  }

  /**
   * Adds options of the ranks' JVM.
   *
   * @param options each as one argument of the java command
   * @return this
   */
  public Launcher javaOptions(String... options) {
    part().javaOptions.addAll(List.of(options));
    return this;
  }

  /**
   * Adds options of one rank's JVM, whatever program it runs; they follow those of all ranks.
   *
   * @param rank its rank in the job
   * @param options each as one argument of the java command
   * @return this
   */
  public Launcher rankOptions(int rank, String... options) {
    if (rank < 0) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "rank", rank, "ranks of the job, from 0 up");
    }
    rankOptions.add(new RankOptions(RankSet.parse(Integer.toString(rank)), List.of(options)));
    return this;
  }

  /**
   * Sets the ranks' class path. The library itself need not be on it.
   *
   * @param path entries separated by colons
   * @return this
   */
  public Launcher classPath(String path) {
    part().classPath = Objects.requireNonNull(path, "path");
    return this;
  }

  /**
   * Runs a class.
   *
   * @param className its binary name
   * @param arguments the program's arguments
   * @return this
   */
  public Launcher main(String className, String... arguments) {
    return run(Program.Kind.CLASS, className, arguments);
  }

  /**
   * Runs an executable jar.
   *
   * @param jar the file
   * @param arguments the program's arguments
   * @return this
   */
  public Launcher jar(Path jar, String... arguments) {
    return run(Program.Kind.JAR, jar.toString(), arguments);
  }

  /**
   * Runs a module; {@link #javaOptions} has to give the module path.
   *
   * @param module its name, or name and class: {@code org.example/org.example.Main}
   * @param arguments the program's arguments
   * @return this
   */
  public Launcher module(String module, String... arguments) {
    part().classPath = null;
    return run(Program.Kind.MODULE, module, arguments);
  }

  /**
   * Runs a command line of the java command.
   *
   * @param words options, class path, what to run, its arguments
   * @return this
   * @throws MpiException ERR_ARG when nothing to run is named
   */
  public Launcher command(List<String> words) {
    try {
      part().command = CommandLine.program(part().ranks, words);
      return this;
    } catch (UsageException e) {
      throw new MpiException(ErrorClass.ERR_ARG, "words: " + e.getMessage(), e);
    }
  }

  private Launcher run(Program.Kind kind, String target, String... arguments) {
    Part part = part();
    part.kind = kind;
    part.target = Objects.requireNonNull(target, "what to run");
    part.arguments = List.of(arguments);
    return this;
  }

  /**
   * Sets a variable of the ranks' environment, on top of this process's own.
   *
   * @param name its name
   * @param value its value
   * @return this
   */
  public Launcher environment(String name, String value) {
    part().environment.put(name, value);
    return this;
  }

  /**
   * Sets a setting, for the launcher or for all ranks of the job.
   *
   * @param name its name, such as {@code ffmpi.ring.slots}
   * @param value its value as text
   * @return this
   * @throws MpiException ERR_ARG when there is no such setting or it does not allow the value
   */
  public Launcher setting(String name, String value) {
    Setting<?> setting =
        LaunchSettings.find(name)
            .orElseThrow(
                () -> MpiException.argument(
                    ErrorClass.ERR_ARG, "name", name, "settings, which mpirun --help all lists"));
    setting.parse(value, "the launcher");
    settings.put(setting.name(), value);
    return this;
  }

  /**
   * Limits the job's time: after it the stacks of all ranks go to the errors and the job ends with
   * {@link Job#TIMED_OUT}.
   *
   * @param limit more than zero
   * @return this
   */
  public Launcher timeout(Duration limit) {
    if (!limit.isPositive()) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "limit", limit, "times above zero");
    }
    timeout = limit;
    return this;
  }

  /**
   * Begins each line of output with its rank.
   *
   * @return this
   */
  public Launcher tagOutput() {
    tagged = true;
    return this;
  }

  /**
   * Lets rank 0 read this process's standard input.
   *
   * @return this
   */
  public Launcher inheritInput() {
    inheritsInput = true;
    return this;
  }

  /**
   * Redirects what ranks write to standard output. The stream is written to, one line or more at a time, by threads of
   * the launcher, never by two at once, and is not closed.
   *
   * @param stream where it goes
   * @return this
   */
  public Launcher output(OutputStream stream) {
    out = Objects.requireNonNull(stream, "stream");
    return this;
  }

  /**
   * Redirects what ranks write to standard error, and the launcher's own sentences.
   *
   * @param stream where it goes; as for {@link #output}
   * @return this
   */
  public Launcher errors(OutputStream stream) {
    err = Objects.requireNonNull(stream, "stream");
    return this;
  }

  /**
   * Starts the job. Returns as soon as its processes have been started; a thread of the launcher watches them.
   *
   * @return the running job
   * @throws MpiException ERR_SPAWN when something to run is missing or processes cannot be started, ERR_NO_MEM when the
   *     ranks do not fit into memory or shared memory, ERR_UNSUPPORTED_OPERATION for the engine of several machines
   */
  public Job start() {
    if (LaunchSettings.usesMpiexec(Settings.of(settings))) {
      throw new MpiException(
          ErrorClass.ERR_UNSUPPORTED_OPERATION,
          "jobs that are started from Java run on this machine, with its shared memory: "
              + LaunchSettings.ENGINE_SETTING + " = " + LaunchSettings.ENGINE_MPI
              + " needs mpirun, or the launcher of the C library");
    }
    JobSupervisor supervisor = new JobStarter(request()).start();
    Thread.ofPlatform().name("ffmpi-job").start(supervisor::supervise);
    return new Job(supervisor);
  }

  /**
   * Runs the job to its end.
   *
   * @return its exit code, as {@link Job#await()} has it
   * @throws InterruptedException when the calling thread is interrupted; the job is ended first
   * @throws MpiException as {@link #start}
   */
  public int run() throws InterruptedException {
    try (Job job = start()) {
      return job.await();
    }
  }

  private JobRequest request() {
    List<Program> programs = new ArrayList<>();
    for (Part part : parts) {
      programs.add(part.program());
    }
    JobIo io = new JobIo(out, err, out == err, tagged, inheritsInput);
    return new JobRequest(
        programs, Settings.of(settings), Libraries.located(), io, timeout, 0, List.copyOf(rankOptions), null);
  }

  private Part part() {
    return parts.getLast();
  }
}
