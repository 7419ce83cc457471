// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.mpiexec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.ffmpi.base.Setting;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.job.JobStarter;
import org.ffmpi.launcher.request.ArgumentFile;
import org.ffmpi.launcher.request.JobRequest;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.launcher.request.UsageException;

/**
 * The command line of a C launcher that starts the ranks of a job: its own options, then the java command of each
 * program. Settings become system properties of the ranks, which every launcher passes on to every node; variables of
 * the environment that are ours or the JVM's are named where a launcher needs that.
 */
final class MpiexecCommand {
  /** The classes that implement the API's ports there; see {@link JobStarter}. */
  private static final String PROVIDERS =
      "org.ffmpi.mpi.engine.MpiProvider,org.ffmpi.collectives.ScheduledCollectives";

  /** The variable with the width of the terminal, for programs. */
  static final String TERMINAL = "FFMPI_TERMINAL";

  private static final String OWN_PREFIX = "FFMPI_";

  /** Variables that JVMs and the dynamic linker read. */
  private static final List<String> PASSED_ON = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "LD_LIBRARY_PATH");

  private final Mpiexec launcher;
  private final JobRequest request;
  private final List<Hosts.Share> shares;
  private final String hostfile;

  private MpiexecCommand(Mpiexec launcher, JobRequest request, List<Hosts.Share> shares, String hostfile) {
    this.launcher = launcher;
    this.request = request;
    this.shares = shares;
    this.hostfile = hostfile;
  }

  /**
   * Prepares the command of a job.
   *
   * @param launcher the C launcher
   * @param request the options of the job
   * @return the command, without its programs
   * @throws UsageException when hosts are wrong, or the launcher lacks an option
   */
  static MpiexecCommand of(Mpiexec launcher, JobRequest request) throws UsageException {
    String hosts = LaunchSettings.HOST.get(request.settings());
    String hostfile = LaunchSettings.HOSTFILE.get(request.settings());
    if (!hosts.isEmpty() && !hostfile.isEmpty()) {
      throw new UsageException(
          LaunchSettings.HOST.flag() + " and " + LaunchSettings.HOSTFILE.flag() + " both name the hosts: give one");
    }
    if (request.programs().size() > 1 && !launcher.kind().runsSeveralPrograms()) {
      throw new UsageException(
          launcher.program() + " starts one program: start several with mpiexec, which "
              + LaunchSettings.MPI_LAUNCHER.flag() + " names");
    }
    List<Hosts.Share> shares = hosts.isEmpty() ? List.of() : Hosts.spread(hosts, request.ranks());
    return new MpiexecCommand(launcher, request, shares, hostfile);
  }

  /**
   * Returns how many ranks a node has at most, as far as that is known here.
   *
   * @param request the job
   * @param environment the variables of this process
   */
  static int ranksOfNode(JobRequest request, Map<String, String> environment) throws UsageException {
    int ranks = request.ranks();
    String hosts = LaunchSettings.HOST.get(request.settings());
    if (!hosts.isEmpty()) {
      return Hosts.spread(hosts, ranks).stream().mapToInt(Hosts.Share::ranks).max().orElse(ranks);
    }
    String nodes = environment.getOrDefault("SLURM_JOB_NUM_NODES", "1");
    int count = nodes.matches("[1-9][0-9]{0,6}") ? Integer.parseInt(nodes) : 1;
    return Math.ceilDiv(ranks, count);
  }

  /**
   * Builds the command.
   *
   * @param commands the java command of each program
   * @param programs the programs as they are started
   * @param environment the variables that the launcher inherits
   */
  List<String> words(List<List<String>> commands, List<Program> programs, Map<String, String> environment) {
    MpiexecKind kind = launcher.kind();
    List<String> words = new ArrayList<>(List.of(launcher.program().toString()));
    if (LaunchSettings.TAG_OUTPUT.get(request.settings())) {
      words.addAll(kind.tagOutput(launcher.version()));
    }
    if (!hostfile.isEmpty()) {
      words.addAll(kind.hostfile(hostfile));
    }
    if (kind.sharesHosts() && !shares.isEmpty()) {
      words.addAll(kind.hosts(shares));
    }
    words.addAll(ArgumentFile.split(LaunchSettings.MPI_OPTIONS.get(request.settings())));
    List<String> variables = kind.variables(passedOn(environment));
    int from = 0;
    for (int number = 0; number < commands.size(); number++) {
      Program program = programs.get(number);
      if (number > 0) {
        words.add(":");
      }
      if (!kind.sharesHosts() && !shares.isEmpty()) {
        words.addAll(kind.hosts(Hosts.slice(shares, from, from + program.ranks())));
      }
      words.addAll(variables);
      program.environment().forEach((name, value) -> words.addAll(kind.variable(name, value)));
      words.add("-n");
      words.add(Integer.toString(program.ranks()));
      List<String> command = new ArrayList<>(commands.get(number));
      command.addAll(1, properties(number, program));
      words.addAll(command);
      from += program.ranks();
    }
    return words;
  }

  /** Returns the settings of a program's ranks as options of the JVM, before those that the user gives. */
  private List<String> properties(int number, Program program) {
    Map<String, String> texts = new LinkedHashMap<>(request.settings().toPassOn());
    texts.putAll(program.settings());
    texts.keySet().removeIf(
        name -> LaunchSettings.find(name).filter(s -> s.scope() == Setting.Scope.LAUNCHER).isPresent());
    texts.put(LaunchSettings.ENGINE_SETTING, LaunchSettings.ENGINE_MPI);
    texts.putAll(JobStarter.facts(number, request.programs().get(number), program));
    if (program.kind() != Program.Kind.MODULE && !request.libraries().isEmpty()) {
      texts.putIfAbsent("ffmpi.providers", PROVIDERS);
    }
    List<String> options = new ArrayList<>();
    texts.forEach((name, text) -> options.add("-D" + name + "=" + text));
    return options;
  }

  private static List<String> passedOn(Map<String, String> environment) {
    TreeSet<String> names = new TreeSet<>();
    for (String name : environment.keySet()) {
      if (name.startsWith(OWN_PREFIX) || PASSED_ON.contains(name)) {
        names.add(name);
      }
    }
    return List.copyOf(names);
  }
}
