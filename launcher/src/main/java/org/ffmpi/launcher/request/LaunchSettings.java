// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;

/** The launcher's own settings, and the way to those of all other modules. */
public final class LaunchSettings {
  /** No dialect: the program uses ffmpi's own API, or has the jars of its dialect on its class path. */
  public static final String NO_DIALECT = "none";

  public static final String OPENMPI = "openmpi";
  public static final String MPIJAVA = "mpijava";

  /** mpiJava as MPJ Express starts it: rank, number of ranks and device come before the program's arguments. */
  public static final String MPJ = "mpj";

  /** Value of the setting of listeners that leaves the agent out. */
  public static final String NO_PROFILE = "off";

  /** Value of the option for listeners when none is given. */
  public static final String PROFILE_SUMMARY = "summary";

  /** The port of rank 0 where none is given, which is what IDEs offer. */
  public static final int USUAL_DEBUG_PORT = 5005;

  /** The name of the setting for MBeans, and the port of rank 0 where none is given. */
  public static final String JMX_SETTING = "ffmpi.jmx";

  public static final int USUAL_JMX_PORT = 9010;

  public static final Setting<String> VECTOR =
      Setting.ofChoice(
          "ffmpi.vector", "auto", List.of("auto", "on", "off"), Setting.Scope.LAUNCHER,
          "whether ranks may use the Vector API; auto: where a start-up cache trained with it makes it cheap");

  public static final Setting<Boolean> CHRONICLE =
      Setting.ofBoolean(
          "ffmpi.chronicle", false, Setting.Scope.LAUNCHER,
          "whether ranks are started with the JVM options that Chronicle Bytes needs");

  public static final Setting<String> DIALECT =
      Setting.ofChoice(
          "ffmpi.dialect", NO_DIALECT, List.of(NO_DIALECT, OPENMPI, MPIJAVA, MPJ), Setting.Scope.LAUNCHER,
          "for programs that import package mpi: openmpi, mpijava, or mpj, which is mpijava with rank, number of"
              + " ranks and device as first arguments");

  public static final Setting<String> PROFILE =
      Setting.ofString(
          "ffmpi.profile", NO_PROFILE, Setting.Scope.LAUNCHER,
          "listeners to the calls of ranks: off, summary (where the time went, and a table of all calls, at the end of"
              + " the job), names of CallListener classes separated by commas, or on, for listeners that programs"
              + " install");

  public static final Setting<Integer> DEBUG =
      Setting.ofInt(
          "ffmpi.debug", 0, 0, 65535, Setting.Scope.LAUNCHER,
          "port at which a debugger attaches to rank 0, the ones after it for the other ranks; --debug alone: "
              + USUAL_DEBUG_PORT + "; 0: none");

  public static final Setting<String> DEBUG_SUSPEND =
      Setting.ofString(
          "ffmpi.debug.suspend", "", Setting.Scope.LAUNCHER,
          "ranks that wait for a debugger before they begin: one, several as in 0,2 or 4-7, or all; implies --debug");

  public static final Setting<String> AOT =
      Setting.ofChoice(
          "ffmpi.aot", "auto", List.of("auto", "off"), Setting.Scope.LAUNCHER,
          "whether ranks start from a start-up cache (see --train) if there is one, and programs compiled from source"
              + " files are kept");

  public static final Setting<String> AOT_FOLDER =
      Setting.ofPath(
          "ffmpi.aot.folder", "", Setting.Scope.LAUNCHER,
          "where start-up caches and compiled programs lie; empty: $XDG_CACHE_HOME/ffmpi or ~/.cache/ffmpi");

  public static final Setting<Boolean> TAG_OUTPUT =
      Setting.ofBoolean(
          "ffmpi.tag.output", false, Setting.Scope.LAUNCHER, "whether each line of output begins with its rank");

  public static final Setting<Boolean> PROGRESS_DISPLAY =
      Setting.ofBoolean(
          "ffmpi.progress.display", false, Setting.Scope.LAUNCHER,
          "whether one line shows how far programs are that call Mpi.progress, with rate and time left; --progress"
              + " alone: true");

  public static final Setting<Integer> TIMEOUT =
      Setting.ofInt(
          "ffmpi.timeout", 0, 0, Integer.MAX_VALUE, Setting.Scope.LAUNCHER,
          "seconds after which the job is ended, and what the ranks wait for and their stacks are shown; 0: never");

  public static final Setting<String> HOST =
      Setting.ofString(
          "ffmpi.host", "", Setting.Scope.LAUNCHER,
          "with --engine mpi: hosts to run on, separated by commas, each perhaps with its number of ranks, as in"
              + " n1:4,n2:4; empty: the allocation of a scheduler, or this machine");

  public static final Setting<String> HOSTFILE =
      Setting.ofPath(
          "ffmpi.hostfile", "", Setting.Scope.LAUNCHER,
          "with --engine mpi: file with the hosts to run on, in the format of the launcher of the C library");

  public static final Setting<String> MPI_LAUNCHER =
      Setting.ofString(
          "ffmpi.mpi.launcher", "", Setting.Scope.LAUNCHER,
          "with --engine mpi: the launcher of the C library, a path or a name; empty: mpiexec or mpirun on the PATH, or"
              + " srun");

  public static final Setting<String> MPI_OPTIONS =
      Setting.ofString(
          "ffmpi.mpi.options", "", Setting.Scope.LAUNCHER,
          "with --engine mpi: further options of that launcher, separated by spaces");

  /**
   * Classes of other modules that hold settings. They are loaded only when a setting is looked for by name, which keeps
   * them out of the launcher's way to the ranks; a test holds this list against what the modules contain.
   */
  static final List<String> HOLDERS =
      List.of(
          "org.ffmpi.spi.RunSettings",
          "org.ffmpi.spi.ProgramFacts",
          "org.ffmpi.process.ThreadSettings",
          "org.ffmpi.object.ObjectSettings",
          "org.ffmpi.collectives.select.CollectiveSettings",
          "org.ffmpi.connect.ConnectSettings",
          "org.ffmpi.datatype.plan.kernel.PlanSettings",
          "org.ffmpi.mpi.binding.MpiSettings",
          "org.ffmpi.shm.diagnosis.Standstill",
          "org.ffmpi.shm.engine.RankSettings",
          "org.ffmpi.shm.progress.WaitOptions",
          "org.ffmpi.shm.protocol.ProtocolOptions",
          "org.ffmpi.shm.segment.JobOptions",
          "org.ffmpi.shm.segment.NodeSetting",
          "org.ffmpi.trace.TraceSettings");

  /** The setting whose flag, without one of its values, stands for {@link #PROGRESS_DISPLAY}. */
  static final String PROGRESS_SETTING = "ffmpi.progress";

  /** The engine over a C library, and the setting that chooses it. */
  public static final String ENGINE_MPI = "mpi";

  public static final String ENGINE_SETTING = "ffmpi.engine";

  /** The values that the launcher gives each rank; not for a command line. */
  private static final Set<String> NOT_FOR_USERS =
      Set.of(
          "ffmpi.rank", "ffmpi.size", "ffmpi.segment", "ffmpi.program", "ffmpi.program.command",
          "ffmpi.program.arguments", "ffmpi.program.ranks", "ffmpi.parent", "ffmpi.trace.folder");

  private static boolean allLoaded;

  private LaunchSettings() {}

  /** Returns a setting's text without loading its class, which a usual start does not need; null when it is not set. */
  public static String text(Settings settings, String name) {
    String explicit = settings.toPassOn().get(name);
    return explicit != null ? explicit : System.getenv(environmentVariable(name));
  }

  /** Returns whether a job's ranks are started by the launcher of a C library. */
  public static boolean usesMpiexec(Settings settings) {
    return ENGINE_MPI.equals(text(settings, ENGINE_SETTING));
  }

  /** Loads every setting there is, so that {@link Setting#all} is complete. */
  public static synchronized void loadAll() {
    if (!allLoaded) {
      for (String holder : HOLDERS) {
        try {
          Class.forName(holder, true, LaunchSettings.class.getClassLoader());
        } catch (ClassNotFoundException e) {
          // A module that is absent has no settings to offer.
        }
      }
      allLoaded = true;
    }
  }

  /**
   * Finds a setting that users may set.
   *
   * @param named its flag, its name, also with two dashes in front, or its environment variable
   */
  public static Optional<Setting<?>> find(String named) {
    String spelling = named.startsWith("--ffmpi.") ? named.substring(2) : named;
    Optional<Setting<?>> found = Setting.find(spelling);
    if (found.isEmpty()) {
      loadAll();
      found = Setting.find(spelling);
    }
    return found.filter(LaunchSettings::isForUsers);
  }

  /** Returns whether users, and not only the launcher, may set it. */
  static boolean isForUsers(Setting<?> setting) {
    return !NOT_FOR_USERS.contains(setting.name());
  }

  /** Spells the name of a setting as its environment variable. */
  public static String environmentVariable(String name) {
    return name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }
}
