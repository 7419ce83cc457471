// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The java command of a program's ranks: the launcher's defaults first, so that the user's own options, which
 * follow, win.
 */
public final class RankCommand {
  /** The module of the Vector API. */
  public static final String VECTOR_MODULE = "jdk.incubator.vector";

  /** The JVM reports problems with a cache on standard output; a cache must never do more than save time. */
  private static final String QUIET_CACHES = "-Xlog:aot*=off";

  /**
   * Has the compilers wait for four and eight times as many calls as usual. Where a rank has no core to spare, each
   * millisecond of compiling is one in which all ranks wait: methods that are called a few hundred times while a
   * program starts need not be compiled at all, and the optimizing compiler can leave methods that are merely called
   * often, such as those of this library, to the first one until they have run for a while. Loops are compiled as early
   * as ever.
   */
  private static final List<String> LATE_COMPILATION =
      List.of(
          "-XX:Tier3InvocationThreshold=800", "-XX:Tier3MinInvocationThreshold=400", "-XX:Tier3CompileThreshold=8000",
          "-XX:Tier4InvocationThreshold=40000", "-XX:Tier4CompileThreshold=120000");

  private final Program program;
  private final List<String> libraries;
  private final boolean fewCores;
  private final boolean chronicle;

  /**
   * Prepares the commands of a program.
   *
   * @param program the program to run
   * @param libraries where ffmpi lies; none when it is part of the run-time image
   * @param fewCores whether a rank has less than two cores for itself
   * @param chronicle whether the program uses Chronicle Bytes
   */
  public RankCommand(Program program, List<String> libraries, boolean fewCores, boolean chronicle) {
    this.program = program;
    this.libraries = libraries;
    this.fewCores = fewCores;
    this.chronicle = chronicle;
  }

  /**
   * Returns the JVM's options, without class path and without start-up cache.
   *
   * @param vector whether the Vector API is switched on
   */
  public List<String> javaOptions(boolean vector) {
    List<String> options = new ArrayList<>();
    // Performance data is a file in /tmp that the JVM writes at safepoints: it costs start-up and, at times, latency.
    options.add("-XX:-UsePerfData");
    options.add("-XX:+UnlockDiagnosticVMOptions");
    // Class data where it was made for, so that its pages need not be rewritten: a tenth of the time a JVM takes to
    // start.
    options.add("-XX:ArchiveRelocationMode=0");
    if (fewCores) {
      // Compiling hot methods of the training at once would take the core from the rank that is about to start.
      options.add("-XX:-AOTReplayTraining");
      options.addAll(LATE_COMPILATION);
      if (!collectorIsChosen()) {
        // The JVM's own choice on one core: helpers of a parallel collector would only take time.
        options.add("-XX:+UseSerialGC");
      }
    }
    options.add("--enable-native-access=" + nativeModules());
    if (vector && !addsVector()) {
      options.add("--add-modules=" + VECTOR_MODULE);
    }
    if (chronicle) {
      options.addAll(JavaOptions.chronicle(usesModulePath()));
    }
    options.addAll(usesModulePath() ? withLibrariesOnModulePath() : program.javaOptions());
    return options;
  }

  /**
   * Returns the modules that may call native code: the library, and the program where both are on the class path or may
   * be.
   */
  private String nativeModules() {
    String modules = Libraries.nativeModules();
    if (usesModulePath()) {
      return modules;
    }
    return libraries.isEmpty() ? modules + ",ALL-UNNAMED" : "ALL-UNNAMED";
  }

  /** Returns the class path of the ranks: the library first, then the program; empty on the module path. */
  public String classPath() {
    String own = program.classPath();
    if (own == null) {
      return usesModulePath() ? "" : String.join(File.pathSeparator, libraries);
    }
    StringBuilder path = new StringBuilder();
    List<String> given = List.of(own.split(File.pathSeparator));
    if (!usesModulePath()) {
      for (String library : libraries) {
        if (!given.contains(library)) {
          path.append(library).append(File.pathSeparatorChar);
        }
      }
    }
    return path.append(own).toString();
  }

  /**
   * Returns the whole command.
   *
   * @param cacheOptions options that use or make a start-up cache; may be empty
   * @param vector whether the Vector API is switched on
   */
  public List<String> command(List<String> cacheOptions, boolean vector) {
    if (program.kind() == Program.Kind.COMMAND) {
      List<String> words = new ArrayList<>(List.of(program.target()));
      words.addAll(program.arguments());
      return words;
    }
    List<String> command = start(cacheOptions, vector);
    switch (program.kind()) {
      case JAR -> command.add("-jar");
      case MODULE -> command.add("-m");
      default -> { }
    }
    command.add(program.target());
    command.addAll(program.arguments());
    return command;
  }

  /**
   * Returns the command up to the program, without it.
   *
   * @param cacheOptions options that use or make a start-up cache; may be empty
   * @param vector whether the Vector API is switched on
   */
  public List<String> start(List<String> cacheOptions, boolean vector) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (!cacheOptions.isEmpty()) {
      command.add(QUIET_CACHES);
      command.addAll(cacheOptions);
    }
    command.addAll(javaOptions(vector));
    String classPath = classPath();
    if (!classPath.isEmpty() && program.kind() != Program.Kind.JAR) {
      command.add("-cp");
      command.add(classPath);
    }
    return command;
  }

  /** Returns the program's part of the command. */
  public String target() {
    return program.target();
  }

  /** Returns whether each rank compiles the program by itself. */
  public boolean isFromSource() {
    return program.kind() == Program.Kind.SOURCE;
  }

  /** Returns whether the program's own options add the Vector API. */
  boolean addsVector() {
    List<String> given = program.javaOptions();
    for (int i = 0; i < given.size(); i++) {
      if (given.get(i).startsWith("--add-modules")) {
        String value = given.get(i).indexOf('=') > 0 || i + 1 == given.size() ? given.get(i) : given.get(i + 1);
        if (value.contains(VECTOR_MODULE)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether the program brings a start-up cache of its own. */
  public boolean hasOwnCache() {
    return program.kind() == Program.Kind.COMMAND
        || program.javaOptions().stream().anyMatch(JavaOptions::isAboutCaches);
  }

  private boolean usesModulePath() {
    return program.kind() == Program.Kind.MODULE;
  }

  private boolean collectorIsChosen() {
    for (String option : program.javaOptions()) {
      if (JavaOptions.choosesCollector(option)) {
        return true;
      }
    }
    return environmentChoosesCollector();
  }

  /** Returns whether every JVM that is started from here has its garbage collector chosen already. */
  public static boolean environmentChoosesCollector() {
    return choosesCollector("JAVA_TOOL_OPTIONS") || choosesCollector("JDK_JAVA_OPTIONS");
  }

  private static boolean choosesCollector(String variable) {
    String value = System.getenv(variable);
    return value != null && value.contains("-XX:+Use") && value.contains("GC");
  }

  private List<String> withLibrariesOnModulePath() {
    List<String> options = new ArrayList<>(program.javaOptions());
    if (libraries.isEmpty()) {
      return options;
    }
    String more = File.pathSeparator + String.join(File.pathSeparator, libraries);
    for (int i = options.size() - 1; i >= 0; i--) {
      String option = options.get(i);
      if ((option.equals("-p") || option.equals("--module-path")) && i + 1 < options.size()) {
        options.set(i + 1, options.get(i + 1) + more);
        return options;
      }
      if (option.startsWith("--module-path=")) {
        options.set(i, option + more);
        return options;
      }
    }
    options.add("--module-path=" + more.substring(1));
    return options;
  }
}
