// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One program of a job: its command, arguments and ranks.
 *
 * @param ranks how many ranks run it
 * @param javaOptions options of the JVM, without class path and main class
 * @param classPath entries separated by colons; null when none was given, for modules and source files alone
 * @param kind what {@code target} names
 * @param target class, jar, module or source file to run
 * @param arguments the program's own arguments
 * @param settings settings for these ranks alone, by property name
 * @param environment further variables of these ranks' environment
 * @param directory the folder that these ranks begin in; null for the launcher's own
 */
public record Program(
    int ranks,
    List<String> javaOptions,
    String classPath,
    Kind kind,
    String target,
    List<String> arguments,
    Map<String, String> settings,
    Map<String, String> environment,
    String directory) {

  /** Describes a program whose ranks begin in the launcher's own folder. */
  public Program(
      int ranks, List<String> javaOptions, String classPath, Kind kind, String target, List<String> arguments,
      Map<String, String> settings, Map<String, String> environment) {
    this(ranks, javaOptions, classPath, kind, target, arguments, settings, environment, null);
  }

  /** Returns a program of the launcher's own. */
  public static Program of(Kind kind, int ranks, String classPath, String target) {
    return new Program(ranks, List.of(), classPath, kind, target, List.of(), Map.of(), Map.of());
  }

  /** Returns the same program with an option of the JVM in front of its own. */
  public Program withJavaOption(String option) {
    List<String> options = new ArrayList<>(List.of(option));
    options.addAll(javaOptions);
    return withOptions(options);
  }

  /** Returns the same program with options of the JVM behind its own. */
  public Program withFurther(List<String> more) {
    List<String> options = new ArrayList<>(javaOptions);
    options.addAll(more);
    return withOptions(options);
  }

  /** Returns the same program with these options of the JVM. */
  public Program withOptions(List<String> options) {
    return new Program(ranks, options, classPath, kind, target, arguments, settings, environment, directory);
  }

  /** Returns the same program with another class path. */
  public Program withClassPath(String path) {
    return new Program(ranks, javaOptions, path, kind, target, arguments, settings, environment, directory);
  }

  /** Returns the program as a class on a class path, with the same arguments. */
  public Program asClass(String path, String mainClass) {
    return new Program(ranks, javaOptions, path, Kind.CLASS, mainClass, arguments, settings, environment, directory);
  }

  /** Returns the program as another main class runs it, which gets the program's class as its first argument. */
  public Program runBy(Class<?> mainClass) {
    List<String> words = new ArrayList<>(List.of(target));
    words.addAll(arguments);
    return new Program(
        ranks, javaOptions, classPath, kind, mainClass.getName(), words, settings, environment, directory);
  }

  /** Returns the same program with more settings. */
  public Program withSettings(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(more);
    return new Program(
        ranks, javaOptions, classPath, kind, target, arguments, Map.copyOf(all), environment, directory);
  }

  /** Returns the same program with more variables of its environment, in another folder unless that is null. */
  public Program within(Map<String, String> variables, String folder) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(variables);
    return new Program(
        ranks, javaOptions, classPath, kind, target, arguments, settings, Map.copyOf(all),
        folder == null ? directory : folder);
  }

  /** The way in which a program is started. */
  public enum Kind {
    /** A class on the class path. */
    CLASS,
    /** An executable jar. */
    JAR,
    /** A module, or a module and one of its classes, on the module path. */
    MODULE,
    /** A source file: compiled by the launcher, or else by the JVM of each rank. */
    SOURCE,
    /** A program that starts a JVM in the end. */
    COMMAND
  }
}
