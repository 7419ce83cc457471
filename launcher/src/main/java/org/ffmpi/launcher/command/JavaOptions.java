// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The options of the java command, as far as the launcher needs them to find their end. */
public final class JavaOptions {
  private static final String SOURCE = "--source";

  /** Options whose value is the next argument, or follows an equals sign where the option begins with two dashes. */
  private static final Set<String> WITH_VALUE =
      Set.of(
          "-p", "--module-path", "--upgrade-module-path", "--add-modules", "--limit-modules", "--add-reads",
          "--add-exports", "--add-opens", "--patch-module", "--enable-native-access", SOURCE, "-d",
          "--describe-module");

  /** Options of two dashes that stand alone or carry their value after an equals sign. */
  private static final Set<String> ALONE =
      Set.of(
          "--enable-preview", "--illegal-native-access", "--illegal-final-field-mutation",
          "--enable-final-field-mutation", "--finalization", "--sun-misc-unsafe-memory-access",
          "--show-module-resolution", "--disable-@files", "--validate-modules", "--list-modules", "--dry-run");

  /** The beginnings of options of one dash, old ones that the java command still understands included. */
  private static final List<String> SHORT =
      List.of(
          "-X", "-D", "-ea", "-da", "-esa", "-dsa", "-enable", "-disable", "-agentlib:", "-agentpath:", "-javaagent:",
          "-verbose", "-splash:", "-showversion", "-fullversion", "-server", "-client", "-zero", "-minimal", "-verify",
          "-noverify", "-noclassgc", "-ms", "-mx", "-ss");

  private JavaOptions() {}

  /** Returns whether the option takes the following argument as its value. */
  public static boolean hasValueNext(String option) {
    return WITH_VALUE.contains(option);
  }

  /**
   * Returns whether the java command knows an option that begins with two dashes.
   *
   * @param option the option, with its value if it carries one after an equals sign
   */
  public static boolean isLongOption(String option) {
    int equals = option.indexOf('=');
    String name = equals < 0 ? option : option.substring(0, equals);
    return ALONE.contains(name) || WITH_VALUE.contains(name);
  }

  /** Returns whether the java command may know an option that begins with one dash. */
  public static boolean isShortOption(String option) {
    return SHORT.stream().anyMatch(option::startsWith);
  }

  /**
   * Returns the options that Chronicle Bytes needs. They export the JDK's classes that map files and free direct
   * buffers, open the flag by which it makes everything else accessible to itself, and allow without a warning its use
   * of {@code sun.misc.Unsafe}, on which all of it stands.
   *
   * @param modulePath whether the ranks' code comes from a module path, and Chronicle's with it
   */
  static List<String> chronicle(boolean modulePath) {
    String who = modulePath ? "chronicle.core,ALL-UNNAMED" : "ALL-UNNAMED";
    return List.of(
        "--add-exports=java.base/sun.nio.ch=" + who,
        "--add-exports=java.base/jdk.internal.ref=" + who,
        "--add-opens=java.base/java.lang.reflect=" + who,
        "--sun-misc-unsafe-memory-access=allow");
  }

  /** Returns the module path that the options give, as one text; empty when they give none. */
  static String modulePath(List<String> options) {
    String path = "";
    for (int i = 0; i < options.size(); i++) {
      String option = options.get(i);
      if (option.startsWith("--module-path=")) {
        path = option.substring(option.indexOf('=') + 1);
      } else if ((option.equals("-p") || option.equals("--module-path")) && i + 1 < options.size()) {
        path = options.get(i + 1);
      }
    }
    return path;
  }

  /**
   * Returns whether the options name the version of a source file, as which the java command then reads the program.
   */
  public static boolean nameSource(List<String> options) {
    return options.stream().anyMatch(option -> option.equals(SOURCE) || option.startsWith(SOURCE + "="));
  }

  /** Returns the options without that of the source's version, which would make the JVM compile. */
  public static List<String> withoutSource(List<String> options) {
    List<String> result = new ArrayList<>();
    for (int i = 0; i < options.size(); i++) {
      if (options.get(i).equals(SOURCE)) {
        i++;
      } else if (!options.get(i).startsWith(SOURCE + "=")) {
        result.add(options.get(i));
      }
    }
    return result;
  }

  /**
   * Returns javac's options for a program that the java command would compile, as its source mode derives them from
   * those of the JVM.
   *
   * @param options options of the JVM, without the class path
   * @return a list to add to; null when the compiler would need more than the class path
   */
  public static List<String> forCompiler(List<String> options) {
    List<String> result = new ArrayList<>();
    String release = null;
    boolean preview = false;
    for (int i = 0; i < options.size(); i++) {
      String option = options.get(i);
      int equals = option.startsWith("--") ? option.indexOf('=') : -1;
      String name = equals < 0 ? option : option.substring(0, equals);
      String value = equals < 0 ? null : option.substring(equals + 1);
      if (value == null && hasValueNext(name) && i + 1 < options.size()) {
        value = options.get(++i);
      }
      switch (name) {
        case "-p", "--module-path", "--patch-module", "--upgrade-module-path" -> {
          return null;
        }
        case "--add-exports", "--limit-modules" -> result.addAll(List.of(name, value));
        case "--add-modules" -> {
          List<String> modules = new ArrayList<>(List.of(value.split(",")));
          modules.removeAll(List.of("ALL-DEFAULT", "ALL-SYSTEM", "ALL-MODULE-PATH"));
          if (!modules.isEmpty()) {
            result.addAll(List.of(name, String.join(",", modules)));
          }
        }
        case SOURCE -> release = value;
        case "--enable-preview" -> preview = true;
        default -> {
          if (option.startsWith("-agentlib:jdwp=") || option.startsWith("-Xrunjdwp:")) {
            result.add("-g");
          }
        }
      }
    }
    if (preview) {
      result.add("--enable-preview");
      release = release == null ? Integer.toString(Runtime.version().feature()) : release;
    }
    if (release != null) {
      result.addAll(List.of("--release", release));
    }
    return result;
  }

  /** Returns whether the option gives the class path, as the next argument. */
  public static boolean isClassPath(String option) {
    return option.equals("-cp") || option.equals("-classpath") || option.equals("--class-path");
  }

  /**
   * Returns whether a start-up cache stays valid with this option: its code does not depend on it.
   *
   * @param option a JVM option
   */
  public static boolean leavesCacheValid(String option) {
    return option.startsWith("-D")
        || option.startsWith("-ea")
        || option.startsWith("-da")
        || option.startsWith("-enableassertions")
        || option.startsWith("-disableassertions")
        || option.startsWith("-Xss")
        || option.startsWith("-Xm")
        || option.startsWith("-Xlog")
        || option.startsWith("-verbose")
        || option.equals("-XX:+UseSerialGC")
        || option.equals("-XX:+UseParallelGC")
        || option.equals("-XX:+UseG1GC")
        || option.startsWith("-XX:HeapDump")
        || option.startsWith("-XX:+HeapDump")
        || option.startsWith("-XX:ErrorFile")
        || option.startsWith("-XX:+Print")
        || option.endsWith("UsePerfData")
        || option.endsWith("AOTReplayTraining")
        || option.startsWith("-XX:ArchiveRelocationMode")
        || option.startsWith("-XX:TieredStopAtLevel")
        || option.startsWith("-XX:Tier3")
        || option.startsWith("-XX:Tier4")
        || option.equals("-XX:+UnlockDiagnosticVMOptions");
  }

  /**
   * Returns whether a JVM with these options uses compressed pointers, which caches depend on: it does while its heap
   * cannot grow to 32 GiB. Without {@code -Xmx} that is the same as in this JVM.
   *
   * @param options options of a JVM
   */
  public static boolean compressesPointers(List<String> options) {
    long most = Runtime.getRuntime().maxMemory();
    for (String option : options) {
      if (option.startsWith("-Xmx")) {
        most = bytes(option.substring(4));
      }
    }
    return most < 32L << 30;
  }

  private static long bytes(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > 12) {
      return 0;
    }
    long number = Long.parseLong(text.substring(0, digits));
    return switch (text.substring(digits).toLowerCase(Locale.ROOT)) {
      case "k" -> number << 10;
      case "m" -> number << 20;
      case "g" -> number << 30;
      case "t" -> number << 40;
      default -> number;
    };
  }

  /** Returns whether the option adds or changes classes, from somewhere else than the class path. */
  public static boolean bringsCode(String option) {
    return option.startsWith("-Xbootclasspath")
        || option.startsWith("-javaagent")
        || option.startsWith("-agent")
        || option.startsWith("--patch-module")
        || option.startsWith("--upgrade-module-path")
        || option.startsWith("--module-path")
        || option.equals("-p");
  }

  /** Returns whether the option chooses a garbage collector. */
  static boolean choosesCollector(String option) {
    return option.startsWith("-XX:+Use") && option.endsWith("GC");
  }

  /** Returns whether the option is about a start-up cache, so that the launcher adds none of its own. */
  static boolean isAboutCaches(String option) {
    return option.startsWith("-XX:AOT")
        || option.startsWith("-XX:SharedArchiveFile")
        || option.startsWith("-XX:ArchiveClassesAtExit")
        || option.startsWith("-Xshare:");
  }
}
