// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.util.Collection;
import org.ffmpi.base.Setting;
import org.ffmpi.launcher.command.Invocation;

/** The text of {@code mpirun --help}. */
public final class Help {
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
                        lets listeners see every MPI call; without a class, prints how often and how long each rank
                        was in which call
        --vmargs-rank RANKS:OPTIONS
                        options of the java command, separated by spaces, for some ranks: 3, 0,2, 4-7 or all; %r in them
                        stands for the rank
        --debug[=PORT]  lets debuggers attach, to rank 0 at PORT (5005), to rank 1 at the next, and so on;
                        --debug-suspend=RANKS has ranks wait for one
        --train         runs the program once and keeps a start-up cache of it (jars or a source file): later runs with
                        the same options and class path start faster
        --prepare       makes the start-up caches of ffmpi itself, once for each user and version, where they are not
                        made on first use: ranks then start in half the time
        --algorithms    prints which algorithms serve which collective calls, as the settings given make it
        --help          prints this text
        --version       prints the version

      Rank 0 reads the standard input. Output is passed on in whole lines. The exit code is 0 when every rank ended
      well, otherwise that of the first rank that failed; 124 after a time-out. SIGINT, SIGTERM and SIGHUP end all
      ranks.

      Settings, each as an option here, an environment variable, or a system property of the program (-Dffmpi.x=y):
      """;

  private Help() {}

  /** Returns the text, with every setting there is. */
  public static String text() {
    LaunchSettings.loadAll();
    StringBuilder text = new StringBuilder(USAGE.replace("mpirun -n", Invocation.command() + " -n"));
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
