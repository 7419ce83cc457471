// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Invocation;
import org.ffmpi.launcher.command.JavaOptions;
import org.ffmpi.launcher.command.Program;

/**
 * The command line of {@code mpirun}: options of the launcher, options of the java command, then what to run, once per
 * program. It is parsed by hand because that happens before the first rank starts.
 */
public final class CommandLine {
  /** The action that the command line requests. */
  public enum Action {
    /** Run the programs. */
    RUN,
    /** Run them and make a start-up cache of it. */
    TRAIN,
    /** Make the start-up caches of ffmpi itself. */
    PREPARE,
    /** Explain the options. */
    HELP,
    /** Print the version. */
    VERSION,
    /** Print which algorithms serve which collective calls. */
    ALGORITHMS,
    /** List the programs that come with ffmpi. */
    SAMPLES,
    /** Print the script that completes options in a shell. */
    COMPLETION
  }

  private final List<Program> programs = new ArrayList<>();
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<RankOptions> rankOptions = new ArrayList<>();
  private final List<String> needless = new ArrayList<>();
  private Action action = Action.RUN;
  private String topic = "";

  private CommandLine() {}

  /** Returns the requested action. */
  public Action action() {
    return action;
  }

  /** Returns what the help is wanted about, or the shell of the completion; empty when nothing is named. */
  public String topic() {
    return topic;
  }

  /** Returns the programs in the order of their ranks. */
  public List<Program> programs() {
    return programs;
  }

  /** Returns the settings of the whole job, by name. */
  public Map<String, String> settings() {
    return settings;
  }

  /** Returns the options of the JVMs of some ranks. */
  public List<RankOptions> rankOptions() {
    return rankOptions;
  }

  /**
   * Reads a command line.
   *
   * @param arguments what follows {@code mpirun}
   * @return the command line, with at least one program if something is to be run
   * @throws UsageException when it makes no sense
   */
  public static CommandLine parse(String[] arguments) throws UsageException {
    CommandLine line = new CommandLine();
    List<String> all = Arrays.asList(arguments);
    int from = 0;
    while (from <= all.size()) {
      List<String> rest = all.subList(from, all.size());
      int colon = rest.indexOf(":");
      List<String> section = colon < 0 ? rest : rest.subList(0, colon);
      new Section(line, line.programs.isEmpty()).read(section);
      if (line.action != Action.RUN && line.action != Action.TRAIN) {
        return line;
      }
      from += section.size() + 1;
      if (colon < 0) {
        break;
      }
    }
    if (!line.needless.isEmpty() && LaunchSettings.usesMpiexec(Settings.of(line.settings))) {
      String option = line.needless.getFirst();
      throw new UsageException(
          option + " is for the launcher of --engine mpi: write " + LaunchSettings.MPI_OPTIONS.flag() + " " + option);
    }
    return line;
  }

  /**
   * Reads one program as the java command would.
   *
   * @param ranks how many ranks run it
   * @param words options of the java command, what to run, its arguments
   * @return the program
   * @throws UsageException when nothing to run is named
   */
  public static Program program(int ranks, List<String> words) throws UsageException {
    Section section = new Section(null, false);
    section.ranks = ranks;
    return section.readProgram(new ArrayList<>(words));
  }

  /** The part of a command line that describes one program. */
  private static final class Section {
    private final CommandLine line;
    private final boolean first;
    private final List<String> javaOptions = new ArrayList<>();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private String classPath = System.getenv("CLASSPATH");
    private boolean hasClassPath;
    private int ranks = -1;

    Section(CommandLine line, boolean first) {
      this.line = line;
      this.first = first;
    }

    void read(List<String> words) throws UsageException {
      Program program = readProgram(new ArrayList<>(words));
      if (program != null) {
        line.programs.add(program);
      }
    }

    /** Returns the program; null when the action of the line is another than running one. */
    Program readProgram(List<String> words) throws UsageException {
      for (int i = 0; i < words.size(); i++) {
        String word = words.get(i);
        List<String> rest = words.subList(i + 1, words.size());
        if (word.startsWith("@") && word.length() > 1) {
          words.remove(i);
          words.addAll(i, ArgumentFile.read(Path.of(word.substring(1))));
          i--;
        } else if (JavaOptions.isClassPath(word)) {
          classPath = value(word, rest);
          hasClassPath = true;
          i++;
        } else if (word.startsWith("--class-path=")) {
          classPath = word.substring(word.indexOf('=') + 1);
          hasClassPath = true;
        } else if (word.equals("-jar")) {
          return program(Program.Kind.JAR, value(word, rest), tail(rest));
        } else if (word.equals("-m") || word.equals("--module")) {
          return program(Program.Kind.MODULE, value(word, rest), tail(rest));
        } else if (word.startsWith("--module=")) {
          return program(Program.Kind.MODULE, word.substring(word.indexOf('=') + 1), rest);
        } else if (!word.startsWith("-")) {
          boolean source = (word.endsWith(".java") || JavaOptions.nameSource(javaOptions)) && new File(word).isFile();
          return program(source ? Program.Kind.SOURCE : Program.Kind.CLASS, word, rest);
        } else if (JavaOptions.hasValueNext(word)) {
          javaOptions.add(word);
          javaOptions.add(value(word, rest));
          i++;
        } else if (word.startsWith("-J")) {
          javaOptions.add(word.substring(2));
        } else if (line == null) {
          javaOptions.add(word);
        } else if (word.equals("--sample") && rest.isEmpty()) {
          line.action = Action.SAMPLES;
          return null;
        } else if (word.equals("--sample")) {
          classPath = Samples.classPath();
          hasClassPath = true;
          return program(Program.Kind.CLASS, Samples.mainClass(value(word, rest)), tail(rest));
        } else {
          ForeignOption foreign = ForeignOption.of(word, rest);
          int used = foreign == null ? launcherOption(word, rest) : 0;
          if (used < 0) {
            return null;
          }
          i += used;
          if (foreign != null) {
            replace(words, i, foreign);
            i--;
          }
        }
      }
      if (line != null && line.action == Action.ALGORITHMS) {
        return null;
      }
      throw new UsageException(
          "nothing to run is named: say " + Invocation.command()
              + " -n N [java options] -cp PATH MainClass [arguments]");
    }

    /** Puts the words that an option of another launcher means here in its place. */
    private void replace(List<String> words, int at, ForeignOption foreign) {
      if (foreign.isNeedless()) {
        line.needless.add(words.get(at));
      }
      environment.putAll(foreign.variables());
      words.subList(at, at + 1 + foreign.used()).clear();
      words.addAll(at, foreign.here());
    }

    /** Reads an option of the launcher; returns how many further words it consumes, -1 when it ends the reading. */
    private int launcherOption(String word, List<String> rest) throws UsageException {
      switch (word) {
        case "-n", "-np" -> {
          ranks = ranks(value(word, rest), word);
          return 1;
        }
        case "--help", "-h", "-?", "-help" -> {
          line.action = Action.HELP;
          line.topic = rest.isEmpty() ? "" : rest.getFirst();
          return -1;
        }
        case "--version", "-version" -> {
          line.action = Action.VERSION;
          return -1;
        }
        case "--completion" -> {
          line.action = Action.COMPLETION;
          line.topic = value(word, rest);
          return -1;
        }
        case "--prepare" -> {
          line.action = Action.PREPARE;
          return -1;
        }
        case "--algorithms" -> {
          line.action = Action.ALGORITHMS; // as the settings make them, those that follow included
          return 0;
        }
        case "--train" -> {
          line.action = Action.TRAIN;
          return 0;
        }
        case RankOptions.FLAG -> {
          line.rankOptions.add(RankOptions.parse(value(word, rest)));
          return 1;
        }
        default -> { }
      }
      if (word.startsWith(RankOptions.FLAG + "=")) {
        line.rankOptions.add(RankOptions.parse(word.substring(word.indexOf('=') + 1)));
        return 0;
      }
      if (word.startsWith("--") ? JavaOptions.isLongOption(word) : JavaOptions.isShortOption(word)) {
        javaOptions.add(word);
        return 0;
      }
      return setting(word, rest);
    }

    private int setting(String word, List<String> rest) throws UsageException {
      int equals = word.indexOf('=');
      String flag = equals < 0 ? word : word.substring(0, equals);
      Setting<?> setting = LaunchSettings.find(flag).orElse(null);
      if (setting == null) {
        throw new UsageException(
            flag + " is no option of mpirun" + (flag.startsWith("--") ? "" : " or java") + OptionSuggestion.hint(flag)
                + "; --help all lists them, and -J" + word + " hands it to java unread");
      }
      if (equals < 0 && setting.name().equals(LaunchSettings.PROGRESS_SETTING) && !isValue(setting, rest)) {
        setting = LaunchSettings.PROGRESS_DISPLAY;
      }
      String plain = equals < 0 ? plainValue(setting) : null;
      boolean standsAlone = plain != null;
      String text = equals >= 0 ? word.substring(equals + 1) : standsAlone ? plain : value(word, rest);
      try {
        setting.parse(text, flag);
      } catch (MpiException e) {
        throw new UsageException(flag + " " + text + ": allowed are " + setting.allowed());
      }
      if (setting.scope() == Setting.Scope.RANK) {
        settings.put(setting.name(), text);
      } else if (first) {
        line.settings.put(setting.name(), text);
      } else {
        throw new UsageException(flag + " holds for the whole job: give it before the first ':'");
      }
      return equals >= 0 || standsAlone ? 0 : 1;
    }

    /** Returns whether the next word is a value of a setting. */
    private static boolean isValue(Setting<?> setting, List<String> rest) {
      try {
        return !rest.isEmpty() && setting.parse(rest.getFirst(), setting.flag()) != null;
      } catch (MpiException e) {
        return false;
      }
    }

    /** Returns the value of an option that is given without one; null when it needs one. */
    private static String plainValue(Setting<?> setting) {
      if (setting == LaunchSettings.PROFILE) {
        return LaunchSettings.PROFILE_SUMMARY;
      }
      if (setting == LaunchSettings.DEBUG) {
        return Integer.toString(LaunchSettings.USUAL_DEBUG_PORT);
      }
      if (setting.name().equals(LaunchSettings.JMX_SETTING)) {
        return Integer.toString(LaunchSettings.USUAL_JMX_PORT);
      }
      return setting.defaultValue() instanceof Boolean ? "true" : null;
    }

    private Program program(Program.Kind kind, String target, List<String> arguments) throws UsageException {
      if (ranks < 0) {
        throw new UsageException(
            "the number of ranks is not given: say " + Invocation.command() + " -n N ... " + target);
      }
      String path = classPath;
      if (kind == Program.Kind.MODULE && !hasClassPath) {
        path = null;
      } else if (path == null || path.isEmpty() && !hasClassPath) {
        path = kind == Program.Kind.SOURCE ? null : "."; // as the java command has it
      }
      return new Program(ranks, javaOptions, path, kind, target, List.copyOf(arguments), settings, environment);
    }

    private static int ranks(String text, String flag) throws UsageException {
      try {
        int n = Integer.parseInt(text);
        if (n >= 1) {
          return n;
        }
      } catch (NumberFormatException e) {
        // the same sentence
      }
      throw new UsageException(flag + " " + text + ": the number of ranks is a whole number from 1 up");
    }

    private static String value(String option, List<String> rest) throws UsageException {
      if (rest.isEmpty()) {
        throw new UsageException(option + " needs a value");
      }
      return rest.getFirst();
    }

    private static List<String> tail(List<String> words) {
      return words.subList(1, words.size());
    }
  }
}
