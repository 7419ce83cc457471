// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One program of a job, as it was asked for.
 *
 * @param ranks how many ranks run it
 * @param javaOptions options of the JVM, without class path and main class
 * @param classPath entries separated by colons; null when none was given, for modules and source files alone
 * @param kind what {@code target} names
 * @param target class, jar, module or source file to run
 * @param arguments the program's own arguments
 * @param settings settings for these ranks alone, by property name
 * @param environment further variables of these ranks' environment
 */
record Program(
    int ranks,
    List<String> javaOptions,
    String classPath,
    Kind kind,
    String target,
    List<String> arguments,
    Map<String, String> settings,
    Map<String, String> environment) {

  /** Returns the same program with an option of the JVM in front of its own. */
  Program withJavaOption(String option) {
    List<String> options = new ArrayList<>(List.of(option));
    options.addAll(javaOptions);
    return new Program(ranks, options, classPath, kind, target, arguments, settings, environment);
  }

  /** Returns the same program with options of the JVM behind its own. */
  Program withFurther(List<String> more) {
    List<String> options = new ArrayList<>(javaOptions);
    options.addAll(more);
    return new Program(ranks, options, classPath, kind, target, arguments, settings, environment);
  }

  /** The way in which a program is started. */
  enum Kind {
    /** A class on the class path. */
    CLASS,
    /** An executable jar. */
    JAR,
    /** A module, or a module and one of its classes, on the module path. */
    MODULE,
    /** A source file: compiled by the launcher, or else by the JVM of each rank. */
    SOURCE
  }
}
