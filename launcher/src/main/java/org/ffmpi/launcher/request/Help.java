// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.ffmpi.base.Setting;
import org.ffmpi.launcher.command.Invocation;

/** The texts of {@code mpirun --help}, of {@code --help all}, and of {@code --help NAME}. */
public final class Help {
  private static final String ALL = "all";

  /** One screen: at most 24 lines of 80 columns. */
  private static final String SHORT =
      """
      Runs a Java program on several ranks, each a JVM of its own.

      usage: mpirun -n N [options] [java options] -cp PATH MainClass [arguments]
             mpirun -n N [options] File.java | -jar APP.jar | -m MODULE/CLASS
             mpirun -n A PROGRAM ... : -n B OTHER ...     several programs in a job

        --check full    compare types and arguments of the ranks: for new programs
        --timeout S     end the job after S seconds and say what the ranks wait for
        --watchdog S    say it when nothing has moved for S seconds
        --tag-output    begin each line of output with its rank
        --trace F.html  make a page that shows all calls of all ranks
        --profile       say where the time went, and print a table of all calls
        --debug[=PORT]  let debuggers attach: rank 0 at PORT (5005), rank 1 the next
        --bind WHAT     bind a thread or a process to a core, or none
        --progress      show how far programs are that say so
        --survive       go on when a rank dies
        --engine mpi    start by the mpiexec of an installed MPI, on --host a,b
        --train         run once and keep a start-up cache: later runs start faster
        --sample [NAME] run a program that comes with ffmpi; without NAME list them

      --help all lists every option and setting, --help NAME explains one of them.
      eval "$(mpirun --completion bash)" completes them in the shell; also for zsh.
      """;

  private static final String USAGE =
      """
      Runs a Java program on several ranks, each a JVM of its own.

      usage: mpirun -n N [options] [java options] MainClass | File.java [arguments]
             mpirun -n N [options] [java options] -jar APP.jar [arguments]
             mpirun -n N [options] [java options] -m MODULE[/CLASS] [arguments]
             mpirun -n N [options] --sample NAME [arguments]
             mpirun -n A PROGRAM ... : -n B OTHER ...       several programs in one job

        -n N            number of ranks; N JVMs are started on this machine
        --engine mpi    starts them with the launcher of an installed MPI instead, on the hosts of --host a,b or
                        --hostfile FILE, or of the scheduler's allocation; nodes are joined by that MPI
        --report        each rank prints where it runs, and which others it reaches by which way
        -cp PATH ...    options of the java command; ffmpi itself need not be on the path
        -JOPTION        hands OPTION to java unread
        --sample NAME   runs a program that comes with ffmpi: hello, ring, heat, ...
        --profile[=CLASS,...]
                        lets listeners see every MPI call; without a class, says at the end where the time went, and
                        prints a table of all calls with their places in the program
        --progress      shows in one line how far programs are that call Mpi.progress, with rate and time left; with
                        calls or thread behind it, it is the setting below
        --vmargs-rank RANKS:OPTIONS
                        options of the java command, separated by spaces, for some ranks: 3, 0,2, 4-7 or all; %r in them
                        stands for the rank
        --debug[=PORT]  lets debuggers attach, to rank 0 at PORT (5005), to rank 1 at the next, and so on;
                        --debug-suspend=RANKS has ranks wait for one
        --jmx[=PORT]    gives each rank an MBean of what it counts, and lets JMX clients connect: to rank 0 at PORT
                        (9010), to rank 1 at the next, and so on
        --record DIR    records the order in which messages come, and what other choices give, in files of DIR;
                        --replay DIR instead of it gives the same order again
        --train         runs the program once and keeps a start-up cache of it (jars or a source file): later runs with
                        the same options and class path start faster
        --prepare       makes the start-up caches of ffmpi itself, once for each user and version, where they are not
                        made on first use: ranks then start in half the time
        --algorithms    prints which algorithms serve which collective calls, as the settings given make it
        --sample        without a name lists these programs
        --completion bash|zsh
                        prints a script that completes options in a shell: eval "$(mpirun --completion bash)"
        --help          prints one screen; --help all prints this text, --help NAME what it says of one name
        --version       prints the version

      Rank 0 reads the standard input. Output is passed on in whole lines. The exit code is 0 when every rank ended
      well, otherwise that of the first rank that failed; 2 for a wrong command line, 124 after a time-out. SIGINT,
      SIGTERM and SIGHUP end all ranks.

      Settings, each as an option here, an environment variable, or a system property of the program (-Dffmpi.x=y):
      """;

  private Help() {}

  /**
   * Returns the help about something.
   *
   * @param topic empty for one screen, {@code all}, or the name of an option or setting in any spelling
   * @throws UsageException when nothing has that name
   */
  public static String about(String topic) throws UsageException {
    if (topic.isEmpty()) {
      return named(SHORT);
    }
    if (topic.equals(ALL)) {
      return text();
    }
    StringBuilder found = new StringBuilder(optionNamed(topic));
    for (String spelling : List.of(topic, "--" + topic, "ffmpi." + topic)) {
      Optional<Setting<?>> setting = LaunchSettings.find(spelling);
      if (setting.isPresent()) {
        append(found, setting.get());
        break;
      }
    }
    String foreign = ForeignOption.describe(topic);
    if (foreign != null) {
      found.append("  ").append(foreign).append('\n');
    }
    if (found.isEmpty()) {
      String flag = topic.startsWith("-") ? topic : "--" + topic;
      throw new UsageException(
          "--help " + topic + ": there is no such option" + OptionSuggestion.hint(flag) + "; --help all lists them");
    }
    return found.toString().replaceFirst("^\n", "");
  }

  /** Returns the paragraphs of the usage about an option of the launcher, or an empty text. */
  private static String optionNamed(String topic) {
    StringBuilder found = new StringBuilder();
    boolean inside = false;
    for (String line : named(USAGE).lines().toList()) {
      if (line.startsWith("  -")) {
        String option = line.strip().split("[\\s=\\[]")[0];
        inside = option.equals(topic) || option.equals("--" + topic) || option.equals("-" + topic);
      } else if (!line.startsWith("   ")) {
        inside = false;
      }
      if (inside) {
        found.append(line).append('\n');
      }
    }
    return found.toString();
  }

  private static String named(String text) {
    return text.replace("mpirun -n", Invocation.command() + " -n");
  }

  /** Returns the text, with every setting there is. */
  private static String text() {
    LaunchSettings.loadAll();
    StringBuilder text = new StringBuilder(named(USAGE));
    Collection<Setting<?>> all = Setting.all();
    for (Setting<?> setting : all) {
      if (LaunchSettings.isForUsers(setting)) {
        append(text, setting);
      }
    }
    return text.toString();
  }

  private static <T> void append(StringBuilder text, Setting<T> setting) {
    String standard = setting.format(setting.defaultValue());
    text.append('\n').append("  ").append(setting.flag()).append("   ").append(setting.environmentVariable());
    text.append("   ").append(setting.name()).append('\n');
    text.append("      ").append(setting.description()).append('\n');
    text.append("      ").append(setting.allowed()).append("; default ");
    text.append(standard.isEmpty() ? "empty" : standard);
    text.append("; ").append(
        switch (setting.scope()) {
          case JOB -> "one value for the job";
          case RANK -> "may differ between programs";
          case LAUNCHER -> "for the launcher";
        }).append('\n');
  }
}
