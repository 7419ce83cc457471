// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The meaning that an option of another launcher, Open MPI's, MPICH's or Slurm's, has here. Users write the command
 * lines that they know. An option without a meaning is an error with the words to write instead.
 *
 * @param used how many words follow the option
 * @param here the words that take their place
 * @param variables variables of the environment that it sets for the program
 * @param isNeedless whether it asks for what is so anyway, and only another launcher needs to be told
 */
record ForeignOption(int used, List<String> here, Map<String, String> variables, boolean isNeedless) {
  private static final String TAG_OUTPUT = LaunchSettings.TAG_OUTPUT.flag();

  /** Options with the name that each has here; a value follows both or neither. */
  private static final Map<String, String> RENAMED =
      Map.ofEntries(
          Map.entry("-l", TAG_OUTPUT),
          Map.entry("--label", TAG_OUTPUT),
          Map.entry("-tag-output", TAG_OUTPUT),
          Map.entry("-prepend-rank", TAG_OUTPUT),
          Map.entry("--report-bindings", "--report"),
          Map.entry("-report-bindings", "--report"),
          Map.entry("-c", "-n"),
          Map.entry("--n", "-n"),
          Map.entry("--np", "-n"),
          Map.entry("--ntasks", "-n"),
          Map.entry("-H", "--host"),
          Map.entry("-host", "--host"),
          Map.entry("-hosts", "--host"),
          Map.entry("-f", "--hostfile"),
          Map.entry("-hostfile", "--hostfile"),
          Map.entry("-machinefile", "--hostfile"),
          Map.entry("--machinefile", "--hostfile"));

  /** Options that ask for what is so anyway. */
  private static final Set<String> NEEDLESS =
      Set.of("--oversubscribe", "-oversubscribe", "--allow-run-as-root", "-allow-run-as-root", "-envall", "-genvall");

  private static final String FOLDER = "ranks have the folder of mpirun: write (cd FOLDER && mpirun ...)";
  private static final String FILES =
      "output is passed on in whole lines: write --tag-output, send it to a file, and select a rank by its tag, as in"
          + " grep '^\\[2\\]'";
  private static final String PLACES =
      "all ranks run on this machine; with --engine mpi its launcher takes the option: write --mpi-options 'OPTION'";
  private static final String PARAMETERS =
      "parameters of Open MPI have no meaning here; --help all lists the settings of ffmpi, and with --engine mpi its"
          + " launcher takes the option: write --mpi-options 'OPTION'";

  /** Options without a meaning here, and what to write. */
  private static final Map<String, String> REFUSED =
      Map.ofEntries(
          Map.entry("-wdir", FOLDER),
          Map.entry("--wdir", FOLDER),
          Map.entry("-wd", FOLDER),
          Map.entry("--chdir", FOLDER),
          Map.entry("--output-filename", FILES),
          Map.entry("-output-filename", FILES),
          Map.entry("-outfile-pattern", FILES),
          Map.entry("-errfile-pattern", FILES),
          Map.entry("--map-by", PLACES),
          Map.entry("-map-by", PLACES),
          Map.entry("--rank-by", PLACES),
          Map.entry("-rank-by", PLACES),
          Map.entry("-N", PLACES),
          Map.entry("-ppn", PLACES),
          Map.entry("-perhost", PLACES),
          Map.entry("-npernode", PLACES),
          Map.entry("--npernode", PLACES),
          Map.entry("--mca", PARAMETERS),
          Map.entry("-mca", PARAMETERS),
          Map.entry("--prtemca", PARAMETERS));

  /**
   * Reads an option.
   *
   * @param word the option
   * @param rest the words behind it
   * @return its meaning; null when no other launcher known here has it
   * @throws UsageException when it has no meaning here
   */
  static ForeignOption of(String word, List<String> rest) throws UsageException {
    int equals = word.startsWith("--") ? word.indexOf('=') : -1;
    String name = equals < 0 ? word : word.substring(0, equals);
    String renamed = RENAMED.get(name);
    if (renamed != null) {
      return new ForeignOption(0, List.of(equals < 0 ? renamed : renamed + word.substring(equals)), Map.of(), false);
    }
    if (NEEDLESS.contains(word)) {
      return new ForeignOption(0, List.of(), Map.of(), true);
    }
    String advice = REFUSED.get(name);
    if (advice != null) {
      throw new UsageException(name + " is an option of other launchers; here " + advice.replace("OPTION", word));
    }
    return switch (name) {
      case "-x" -> variable(value(word, rest, 0));
      case "-env", "-genv" ->
          new ForeignOption(2, List.of(), Map.of(value(word, rest, 0), value(word, rest, 1)), false);
      case "--bind-to", "-bind-to" ->
          equals < 0
              ? new ForeignOption(1, binding(name, value(word, rest, 0)), Map.of(), false)
              : new ForeignOption(0, binding(name, word.substring(equals + 1)), Map.of(), false);
      default -> null;
    };
  }

  /** Returns what an option of other launchers is here, in a sentence for the help; null when none has it. */
  static String describe(String name) {
    if (RENAMED.containsKey(name)) {
      return name + " of other launchers is " + RENAMED.get(name) + " here";
    }
    if (NEEDLESS.contains(name)) {
      return name + " of other launchers is accepted here and not needed";
    }
    if (REFUSED.containsKey(name)) {
      return name + " is an option of other launchers; here " + REFUSED.get(name).replace("OPTION", name);
    }
    return switch (name) {
      case "-x" -> "-x NAME=VALUE sets a variable of the program's environment; -x NAME is not needed on one machine,"
          + " since ranks inherit all variables";
      case "-env", "-genv" -> name + " NAME VALUE sets a variable of the program's environment";
      case "--bind-to", "-bind-to" -> name + " core is --bind process here, and " + name + " none is --bind none";
      default -> null;
    };
  }

  private static ForeignOption variable(String text) {
    int equals = text.indexOf('=');
    String name = equals < 0 ? text : text.substring(0, equals);
    String value = equals < 0 ? System.getenv(name) : text.substring(equals + 1);
    return new ForeignOption(1, List.of(), value == null ? Map.of() : Map.of(name, value), false);
  }

  private static List<String> binding(String name, String to) throws UsageException {
    return switch (to) {
      case "none" -> List.of("--bind", "none");
      case "core", "hwthread", "processor" -> List.of("--bind", "process");
      default ->
          throw new UsageException(
              name + " " + to + ": here a rank is bound to one core or to none; write --bind thread (its first thread,"
                  + " the default), --bind process or --bind none");
    };
  }

  private static String value(String option, List<String> rest, int index) throws UsageException {
    if (index >= rest.size()) {
      throw new UsageException(option + " needs a value");
    }
    return rest.get(index);
  }
}
