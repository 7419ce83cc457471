// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

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
import org.ffmpi.launcher.cache.CacheFolder;
import org.ffmpi.launcher.cache.StartupCache;
import org.ffmpi.launcher.command.Libraries;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.command.ProgramCheck;
import org.ffmpi.launcher.command.RankCommand;
import org.ffmpi.launcher.dialect.Dialect;
import org.ffmpi.launcher.request.JobRequest;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.launcher.request.RankOptions;
import org.ffmpi.launcher.request.Recording;
import org.ffmpi.launcher.source.CompiledPrograms;
import org.ffmpi.launcher.watch.JobSupervisor;
import org.ffmpi.launcher.watch.RankPlan;
import org.ffmpi.launcher.watch.RankStates;
import org.ffmpi.launcher.watch.Watchdog;
import org.ffmpi.spi.RunSettings;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;

/** The start of a job: from its options to running ranks. */
public final class JobStarter {
  /** Above this many ranks the check whether they fit into memory is worth its time. */
  private static final int MANY = 32;

  private static final String TASKSET = "taskset";

  /**
   * The classes that implement the API's ports, so that ranks need not search every jar of their class path for them.
   * Modules keep their providers to themselves; there services are found without a search.
   */
  private static final String PROVIDERS =
      "org.ffmpi.shm.engine.ShmProvider,org.ffmpi.collectives.ScheduledCollectives";

  private final Dialect dialect;
  private final JobRequest request;
  private final int ranks;
  private final int ranksOfNode;
  private final List<Integer> cores;
  private final String taskset;
  private final CacheFolder cacheFolder;
  private final CompiledPrograms compiled;
  private final Debugging debugging;

  /** Null without ports for JMX clients. */
  private final Monitoring monitoring;

  private final Universe universe;

  /** Null for most jobs, which are not recorded. */
  private final JobTrace trace;

  /** Null for the first job of a launcher. */
  private JobSupervisor spawner;

  private int number;
  private List<Program> checked;

  /**
   * Prepares the start of a job on this machine.
   *
   * @param request the options of the job
   */
  public JobStarter(JobRequest request) {
    this(request, request.ranks());
  }

  /**
   * Prepares the start of a job.
   *
   * @param request the options of the job
   * @param ranksOfNode how many ranks share the cores of a machine like this one
   */
  public JobStarter(JobRequest request, int ranksOfNode) {
    this(request, ranksOfNode, new Universe(request.ranks()));
  }

  /** Prepares a job that another one spawns. */
  JobStarter(JobRequest request, Universe universe, JobSupervisor spawner, int number) {
    this(request, request.ranks(), universe);
    this.spawner = spawner;
    this.number = number;
  }

  private JobStarter(JobRequest request, int ranksOfNode, Universe universe) {
    this.universe = universe;
    this.trace = JobTrace.isWanted(request.settings()) ? JobTrace.of(request) : null;
    this.request = trace == null ? request : trace.applied(request);
    this.ranksOfNode = ranksOfNode;
    this.ranks = request.ranks();
    this.dialect = Dialect.of(request.settings());
    this.debugging = Debugging.of(request.settings(), ranks);
    this.monitoring = Monitoring.of(request.settings(), ranks);
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
   * @return the job, which a thread has to supervise
   * @throws MpiException ERR_SPAWN or ERR_NO_MEM when it cannot be started
   */
  public JobSupervisor start() {
    try {
      return startNow();
    } catch (RuntimeException | Error e) {
      if (trace != null) {
        trace.abandon();
      }
      discard();
      throw e;
    }
  }

  /**
   * Returns the java command of each program, for a launcher that is not ours.
   *
   * @throws MpiException ERR_SPAWN when something to run is missing
   */
  public List<List<String>> commands() {
    checkVector();
    return programs().stream().map(this::command).toList();
  }

  private void checkVector() {
    if (LaunchSettings.VECTOR.get(request.settings()).equals("on")) {
      ProgramCheck.checkRuntime(LaunchSettings.VECTOR.flag(), RankCommand.VECTOR_MODULE);
    }
  }

  private JobSupervisor startNow() {
    checkMemory();
    if (debugging != null) {
      ProgramCheck.checkRuntime(LaunchSettings.DEBUG.flag(), "jdk.jdwp.agent");
      debugging.checkPorts();
    }
    if (monitoring != null) {
      ProgramCheck.checkRuntime(Monitoring.FLAG, Monitoring.MODULE);
      monitoring.checkPorts();
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
      // Searches every jar for loggers, once in a JVM: at the first start of a process if not before.
      System.LoggerFinder.getLoggerFinder();
    } catch (RuntimeException e) {
      maker.discard();
      throw e;
    }
    JobSegment segment = maker.segment();
    boolean showsWork = spawner == null && LaunchSettings.PROGRESS_DISPLAY.get(request.settings());
    if (showsWork) {
      segment.setWorkShown();
    }
    if (debugging != null) {
      request.io().print(debugging.description());
    }
    if (monitoring != null) {
      request.io().print(monitoring.description());
    }
    List<RankPlan> plans = plans(prepared, segment.nameForRanks());
    RankStates states = new RankStates(segment, this::discard);
    JobSupervisor job = spawner != null
        ? spawner.startSpawned(plans, states, number)
        : JobSupervisor.start(
            plans, states, request.io(), debugging == null ? request.limit() : null,
            debugging == null ? Watchdog.of(request.settings(), request.columns() > 0) : null);
    if (showsWork) {
      job.showWork(request.io().errorColumns());
    }
    job.setSpawner(new SpawnedJobs(request, programs, job, universe));
    return job;
  }

  /** Returns the programs as they are started: checked, and compiled where they were given as source files. */
  public List<Program> programs() {
    if (checked == null) {
      List<Program> result = new ArrayList<>();
      for (Program named : request.programs()) {
        Program program = dialect.onClassPath(ProgramCheck.checked(named, request.libraries()));
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
        Map<String, String> variables = environment(rank, segment, number, p.program);
        plans.add(new RankPlan(rank, command, variables, p.program.directory(), unwanted));
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
    if (monitoring != null) {
      own.addAll(monitoring.options(rank));
    }
    return own;
  }

  /** The JVM's message at the end of a recording. */
  private String recordingLine() {
    return request.recording() == null ? null : " AOTConfiguration recorded: " + request.recording().file();
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
    public void discard() {
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
    List<Integer> allowed = MachineResources.allowedProcessors();
    int paid = Runtime.getRuntime().availableProcessors();
    return paid < allowed.size() ? allowed.subList(0, paid) : allowed;
  }

  private void checkMemory() {
    if (ranks > MANY) {
      long available = MachineResources.availableMemory();
      if (ranks > available / MachineResources.BYTES_PER_RANK) {
        throw new MpiException(
            ErrorClass.ERR_NO_MEM,
            ranks + " ranks need at least " + megabytes(ranks * MachineResources.BYTES_PER_RANK) + " of memory ("
                + megabytes(MachineResources.BYTES_PER_RANK) + " each); " + megabytes(available) + " are available");
      }
    }
  }

  private static String megabytes(long bytes) {
    return (bytes >> 20) + " MB";
  }

  /** Builds the command of a program's ranks, with the best start-up cache that has been made for it. */
  private List<String> command(Program program) {
    RankCommand command = commandOf(dialect.asRun(program));
    String vector = LaunchSettings.VECTOR.get(request.settings());
    if (command.hasOwnCache() || LaunchSettings.AOT.get(request.settings()).equals("off")) {
      return command.command(List.of(), vector.equals("on"));
    }
    if (!vector.equals("off")) {
      List<String> cache = cacheOptions(program, command, true);
      if (!cache.isEmpty() || vector.equals("on")) {
        return command.command(cache, true);
      }
    }
    return command.command(cacheOptions(program, command, false), false);
  }

  /** Builds the command of the rank that is recorded for a start-up cache. */
  private List<String> recordedCommand(Program program) {
    Recording recording = request.recording();
    Program run = dialect.asRun(program);
    boolean runsByMain = recording.main() != null && run.kind() == Program.Kind.CLASS;
    return commandOf(runsByMain ? run.runBy(recording.main()) : run)
        .command(recording.options(), LaunchSettings.VECTOR.get(request.settings()).equals("on"));
  }

  /** Returns the options of the job, with those that its recordings need. */
  public JobRequest request() {
    return request;
  }

  /** Returns how the ranks of the first program are started. */
  public RankCommand firstCommand() {
    return commandOf(dialect.asRun(programs().getFirst()));
  }

  /** Returns whether a program is deleted with the job, so that no cache of it can be kept. */
  public boolean hasTemporaries() {
    return compiled.hasTemporaries();
  }

  /** Discards the files of a job that has ended, or is not started, and shows the recordings of its ranks. */
  public void discard() {
    compiled.discard();
    if (trace != null) {
      trace.finish();
    }
  }

  private RankCommand commandOf(Program program) {
    String listeners = JobTrace.listeners(LaunchSettings.PROFILE.get(request.settings()));
    Program watched =
        listeners.isEmpty()
            ? program
            : program.withJavaOption(CallAgentOption.of(Libraries.api(), cacheFolder, listeners));
    boolean races = RunSettings.CHECK.get(request.settings()) == RunSettings.Check.RACES;
    Program followed =
        races ? watched.withJavaOption(CallAgentOption.ofRaces(Libraries.api(), cacheFolder)) : watched;
    return new RankCommand(
        followed, request.libraries(), ranksOfNode * 2 > cores.size(),
        LaunchSettings.CHRONICLE.get(request.settings()));
  }

  /**
   * Returns the options for the cache of this very program, or else of its dialect or the library; none without one.
   */
  private List<String> cacheOptions(Program program, RankCommand command, boolean vector) {
    List<String> options = command.javaOptions(vector);
    List<String> found = StartupCache.named(cacheFolder, options, command.classPath(), program.target()).options();
    CacheFolder general = CacheFolder.ofLibrary(cacheFolder);
    for (List<String> path : List.of(dialect.classPathAfter(request.libraries()), request.libraries())) {
      if (found.isEmpty()) {
        found = StartupCache.named(general, options, String.join(File.pathSeparator, path), "").options();
      }
    }
    return found;
  }

  /** Returns the user's folder for caches; null where there is none, or none whose content may be run. */
  private static CacheFolder cacheFolder(JobRequest request, boolean isUsed) {
    CacheFolder folder = CacheFolder.ofUser(request.settings());
    String complaint = folder == null ? null : folder.complaint();
    if (complaint == null) {
      return folder;
    }
    if (isUsed) {
      request.io().print(
          "start-up caches and compiled programs in " + folder.path() + " are not used (setting "
              + LaunchSettings.AOT_FOLDER.name() + "): " + complaint);
    }
    return null;
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
    // A line that is rewritten leaves no room for those of programs.
    variables.put("FFMPI_TERMINAL", Integer.toString(request.io().errorColumns() > 0 ? 0 : request.columns()));
    return variables;
  }

  /** Returns the facts that ranks get about their program, by name of the setting. */
  public static Map<String, String> facts(int number, Program named, Program program) {
    Map<String, String> facts = new TreeMap<>();
    facts.put("ffmpi.program", Integer.toString(number));
    facts.put("ffmpi.program.command", cut(named.target()));
    facts.put("ffmpi.program.arguments", cut(String.join(" ", program.arguments())));
    facts.put("ffmpi.program.ranks", Integer.toString(program.ranks()));
    return facts;
  }

  /** Cuts a fact to the length that an info can hold: a kernel refuses variables that are much longer. */
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
