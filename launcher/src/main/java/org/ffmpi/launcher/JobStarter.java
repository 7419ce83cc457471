// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;

/** Turns a request into running ranks. */
final class JobStarter {
  /** Above this many ranks it is worth the time to ask whether they fit into memory. */
  private static final int MANY = 32;

  private static final String TASKSET = "taskset";

  /**
   * Who implements the API's ports, so that ranks need not look through every jar of their class path for them. Modules
   * keep their providers to themselves; there services are found without looking.
   */
  private static final String PROVIDERS =
      "org.ffmpi.shm.engine.ShmProvider,org.ffmpi.collectives.ScheduledCollectives";

  private final Dialect dialect;
  private final JobRequest request;
  private final int ranks;
  private final int ranksOfNode;
  private final List<Integer> cores;
  private final String taskset;
  private final Path cacheFolder;
  private final CompiledPrograms compiled;
  private final Debugging debugging;
  private List<Program> checked;

  /**
   * Prepares the start of a job on this machine.
   *
   * @param request what is asked for
   */
  JobStarter(JobRequest request) {
    this(request, request.ranks());
  }

  /**
   * Prepares the start of a job.
   *
   * @param request what is asked for
   * @param ranksOfNode how many ranks share the cores of a machine like this one
   */
  JobStarter(JobRequest request, int ranksOfNode) {
    this.request = request;
    this.ranksOfNode = ranksOfNode;
    this.ranks = request.ranks();
    this.dialect = Dialect.of(request.settings());
    this.debugging = Debugging.of(request.settings(), ranks);
    for (RankOptions some : request.rankOptions()) {
      some.ranks().check(RankOptions.FLAG, ranks);
    }
    this.cores = cores();
    this.taskset = bindsProcesses() ? taskset() : null;
    boolean keeps = !LaunchSettings.AOT.get(request.settings()).equals("off");
    this.cacheFolder = cacheFolder(request, keeps);
    this.compiled = new CompiledPrograms(cacheFolder, keeps, request.io().err());
  }

  /**
   * Starts the job.
   *
   * @return the job, which somebody has to supervise
   * @throws MpiException ERR_SPAWN or ERR_NO_MEM when it cannot be started
   */
  Job start() {
    try {
      return startNow();
    } catch (RuntimeException | Error e) {
      discard();
      throw e;
    }
  }

  /**
   * Returns the java command of each program, for a launcher that is not ours.
   *
   * @throws MpiException ERR_SPAWN when something to run is missing
   */
  List<List<String>> commands() {
    checkVector();
    return programs().stream().map(this::command).toList();
  }

  private void checkVector() {
    if (LaunchSettings.VECTOR.get(request.settings()).equals("on")) {
      ProgramCheck.checkRuntime(LaunchSettings.VECTOR.flag(), RankCommand.VECTOR_MODULE);
    }
  }

  private Job startNow() {
    checkMemory();
    if (debugging != null) {
      ProgramCheck.checkRuntime(LaunchSettings.DEBUG.flag(), "jdk.jdwp.agent");
      debugging.checkPorts();
    }
    checkVector();
    List<Program> programs = programs();
    SegmentMaker maker = new SegmentMaker(new JobOptions(ranks, true, request.settings()));
    maker.start();
    List<Prepared> prepared = new ArrayList<>();
    try {
      for (Program program : programs) {
        boolean recorded = request.recording() != null && prepared.isEmpty();
        List<String> command = command(program);
        prepared.add(new Prepared(program, recorded ? recordedCommand(program) : command, command));
      }
      // Looks for loggers in every jar, once in a JVM, and does so at the first start of a process if not before.
      System.LoggerFinder.getLoggerFinder();
    } catch (RuntimeException e) {
      maker.discard();
      throw e;
    }
    JobSegment segment = maker.segment();
    if (debugging != null) {
      request.io().say(debugging.line());
    }
    return Job.start(
        plans(prepared, segment.nameForRanks()), new RankStates.OfSegment(segment, compiled), request.io(),
        debugging == null ? request.limit() : null, debugging == null ? Watchdog.of(request.settings()) : null);
  }

  /** Returns the programs as they are started: checked, and compiled where they were given as source files. */
  List<Program> programs() {
    if (checked == null) {
      List<Program> result = new ArrayList<>();
      for (Program asked : request.programs()) {
        Program program = dialect.onClassPath(ProgramCheck.checked(asked, request.libraries()));
        if (program.kind() == Program.Kind.SOURCE) {
          boolean vector = LaunchSettings.VECTOR.get(request.settings()).equals("on");
          Program asDebugged = debugging == null ? program : program.withFurther(List.of(Debugging.AGENT));
          program = compiled.compiled(program, commandOf(asDebugged), vector);
        }
        result.add(program);
      }
      checked = result;
    }
    return checked;
  }

  private List<RankPlan> plans(List<Prepared> prepared, String segment) {
    List<RankPlan> plans = new ArrayList<>(ranks);
    for (int number = 0; number < prepared.size(); number++) {
      Prepared p = prepared.get(number);
      for (int i = 0; i < p.program.ranks(); i++) {
        int rank = plans.size();
        List<String> own = ownOptions(rank);
        List<String> unbound =
            !own.isEmpty() ? command(p.program.withFurther(own)) : i == 0 ? p.first : p.others;
        List<String> command = bound(rank, unbound);
        String unwanted = rank == 0 ? recordingLine() : null;
        plans.add(new RankPlan(rank, command, environment(rank, segment, number, p.program), unwanted));
      }
    }
    return plans;
  }

  /** Returns the options of the JVM that this rank has for itself. */
  private List<String> ownOptions(int rank) {
    List<String> own = RankOptions.of(request.rankOptions(), rank);
    if (debugging != null) {
      own.add(debugging.option(rank));
    }
    return own;
  }

  /** The JVM's message at the end of a recording. */
  private String recordingLine() {
    return request.recording() == null ? null : " AOTConfiguration recorded: " + request.recording();
  }

  /** Makes the segment beside the commands: the cores have nothing else to do before the first rank runs. */
  private static final class SegmentMaker extends Thread {
    private final JobOptions options;
    private JobSegment made;
    private Throwable failure;

    SegmentMaker(JobOptions options) {
      super("ffmpi-segment");
      this.options = options;
    }

    @Override
    public void run() {
      try {
        made = JobSegment.create(options);
      } catch (RuntimeException | Error e) {
        failure = e;
      }
    }

    /** Waits for the segment. */
    JobSegment segment() {
      boolean interrupted = false;
      while (isAlive()) {
        try {
          join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      // Not a switch over types: its machinery, started in every launcher, would take longer than all the rest here.
      if (failure instanceof Error e) {
        throw e;
      }
      if (failure != null) {
        throw (RuntimeException) failure;
      }
      return made;
    }

    /** Closes the segment of a job that is not started after all. */
    void discard() {
      try {
        segment().close();
      } catch (RuntimeException e) {
        // The user gets the first failure.
      }
    }
  }

  /** A checked program, the command of its first rank, and that of all others. */
  private record Prepared(Program program, List<String> first, List<String> others) {}

  /**
   * Returns the cores the job may use: those this process may run on, as many as a control group's quota pays for. The
   * ranks cannot find out by themselves once they are bound.
   */
  private static List<Integer> cores() {
    List<Integer> allowed = Host.allowedProcessors();
    int paid = Runtime.getRuntime().availableProcessors();
    return paid < allowed.size() ? allowed.subList(0, paid) : allowed;
  }

  private void checkMemory() {
    if (ranks > MANY) {
      long available = Host.availableMemory();
      if (ranks > available / Host.BYTES_PER_RANK) {
        throw new MpiException(
            ErrorClass.ERR_NO_MEM,
            ranks + " ranks need at least " + megabytes(ranks * Host.BYTES_PER_RANK) + " of memory ("
                + megabytes(Host.BYTES_PER_RANK) + " each); " + megabytes(available) + " are available");
      }
    }
  }

  private static String megabytes(long bytes) {
    return (bytes >> 20) + " MB";
  }

  /** Builds the command of a program's ranks, with the best start-up cache that has been made for it. */
  private List<String> command(Program program) {
    RankCommand command = commandOf(dialect.started(program));
    String vector = LaunchSettings.VECTOR.get(request.settings());
    if (command.hasOwnCache() || LaunchSettings.AOT.get(request.settings()).equals("off")) {
      return command.command(List.of(), vector.equals("on"));
    }
    if (!vector.equals("off")) {
      Path cache = cache(program, command, true);
      if (cache != null || vector.equals("on")) {
        return command.command(using(cache), true);
      }
    }
    return command.command(using(cache(program, command, false)), false);
  }

  /** Builds the command of the rank that is recorded for a start-up cache. */
  private List<String> recordedCommand(Program program) {
    boolean trainsLibrary = program.target().equals(TrainingProgram.class.getName());
    return commandOf(trainsLibrary ? program : RecordedMain.recording(dialect.started(program)))
        .command(
            List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + request.recording()),
            LaunchSettings.VECTOR.get(request.settings()).equals("on"));
  }

  /** Returns how the ranks of the first program are started. */
  RankCommand firstCommand() {
    return commandOf(dialect.started(programs().getFirst()));
  }

  /** Returns whether a program is gone with the job, so that nothing can be kept that was made from it. */
  boolean hasTemporaries() {
    return compiled.hasTemporaries();
  }

  /** Gives up a job that is not started. */
  void discard() {
    compiled.discard();
  }

  private RankCommand commandOf(Program program) {
    String listeners = LaunchSettings.PROFILE.get(request.settings());
    Program watched =
        listeners.isEmpty() || listeners.equals(CallAgentOption.OFF)
            ? program
            : program.withJavaOption(CallAgentOption.of(Libraries.api(), cacheFolder, listeners));
    return new RankCommand(
        watched, request.libraries(), ranksOfNode * 2 > cores.size(), LaunchSettings.CHRONICLE.get(request.settings()));
  }

  /** Finds the cache of this very program, or else that of its dialect or the library; null when none has been made. */
  private Path cache(Program program, RankCommand command, boolean vector) {
    Path folder = cacheFolder;
    List<String> options = command.javaOptions(vector);
    StartupCache own = StartupCache.named(folder, options, command.classPath(), program.target());
    if (own.exists()) {
      return own.file();
    }
    for (List<String> path : List.of(dialect.behind(request.libraries()), request.libraries())) {
      StartupCache general =
          StartupCache.named(StartupCache.libraryFolder(folder), options, String.join(File.pathSeparator, path), "");
      if (general.exists()) {
        return general.file();
      }
    }
    return null;
  }

  /** Returns the user's folder for caches; null where there is none, or none whose content may be run. */
  private static Path cacheFolder(JobRequest request, boolean isWanted) {
    Path folder = StartupCache.folder(LaunchSettings.AOT_FOLDER.get(request.settings()));
    String complaint = folder == null ? null : Trust.complaint(folder);
    if (complaint == null) {
      return folder;
    }
    if (isWanted) {
      request.io().say(
          "start-up caches and compiled programs in " + folder + " are not used (setting "
              + LaunchSettings.AOT_FOLDER.name() + "): " + complaint);
    }
    return null;
  }

  private static List<String> using(Path cache) {
    return cache == null ? List.of() : List.of("-XX:AOTCache=" + cache);
  }

  private List<String> bound(int rank, List<String> command) {
    if (taskset == null) {
      return command;
    }
    List<String> result = new ArrayList<>(List.of(taskset, "-c", cores.get(rank % cores.size()).toString()));
    result.addAll(command);
    return result;
  }

  private boolean bindsProcesses() {
    return "process".equalsIgnoreCase(LaunchSettings.text(request.settings(), "ffmpi.bind"));
  }

  private static String taskset() {
    for (String folder : System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":")) {
      Path candidate = Path.of(folder.isEmpty() ? "." : folder, TASKSET);
      if (candidate.toFile().canExecute()) {
        return candidate.toString();
      }
    }
    throw new MpiException(
        ErrorClass.ERR_SPAWN, "--bind process needs the program " + TASKSET + " (package util-linux) on the PATH");
  }

  private Map<String, String> environment(int rank, String segment, int number, Program program) {
    Map<String, String> variables = new HashMap<>(program.environment());
    Map<String, String> settings = new HashMap<>(request.settings().toPassOn());
    settings.putAll(program.settings());
    settings.forEach((name, text) -> variables.put(LaunchSettings.environmentVariable(name), text));
    variables.put("FFMPI_RANK", Integer.toString(rank));
    variables.put("FFMPI_SIZE", Integer.toString(ranks));
    variables.put("FFMPI_SEGMENT", segment);
    facts(number, request.programs().get(number), program)
        .forEach((name, text) -> variables.put(LaunchSettings.environmentVariable(name), text));
    variables.putIfAbsent("FFMPI_CORES", listOf(cores));
    if (program.kind() != Program.Kind.MODULE && !request.libraries().isEmpty()) {
      variables.putIfAbsent("FFMPI_PROVIDERS", PROVIDERS);
    }
    variables.put("FFMPI_TERMINAL", Integer.toString(request.columns()));
    return variables;
  }

  /** Returns what ranks are told about their program, by name of the setting. */
  static Map<String, String> facts(int number, Program asked, Program program) {
    Map<String, String> facts = new TreeMap<>();
    facts.put("ffmpi.program", Integer.toString(number));
    facts.put("ffmpi.program.command", cut(asked.target()));
    facts.put("ffmpi.program.arguments", cut(String.join(" ", program.arguments())));
    facts.put("ffmpi.program.ranks", Integer.toString(program.ranks()));
    return facts;
  }

  /** Keeps to what an info can hold: a kernel refuses variables that are much longer. */
  private static String cut(String fact) {
    return fact.length() < Constants.MAX_INFO_VAL ? fact : fact.substring(0, Constants.MAX_INFO_VAL - 1);
  }

  private static String listOf(List<Integer> numbers) {
    StringBuilder text = new StringBuilder();
    for (int number : numbers) {
      text.append(text.isEmpty() ? "" : ",").append(number);
    }
    return text.toString();
  }
}
