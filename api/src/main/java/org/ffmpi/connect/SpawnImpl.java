// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.Info;
import org.ffmpi.Spawn;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.InfoAccess;

/**
 * The description of processes to spawn.
 *
 * @param kind what {@code target} names
 * @param target class, jar, source file or program
 * @param arguments the program's arguments
 * @param processes how many
 * @param info the hints
 * @param javaOptions further options of their JVMs
 * @param environment further variables of their environment
 * @param settings further settings
 * @param classPath null for that of the parents
 * @param directory null for that of the parents
 * @param body the program of threads; null for processes
 */
public record SpawnImpl(
    Kind kind, String target, List<String> arguments, int processes, Map<String, String> info,
    List<String> javaOptions, Map<String, String> environment, Map<String, String> settings, String classPath,
    String directory, Program body) implements Spawn {
  /** The program of a thread, which initializes MPI. */
  @FunctionalInterface
  public interface Program {
    /** Runs it to its end. */
    void run() throws Exception;
  }

  /** The kinds of things to run. */
  public enum Kind {
    /** A class with a main method. */
    CLASS,
    /** An executable jar. */
    JAR,
    /** A source file. */
    SOURCE,
    /** A program that starts a JVM in the end, or the java command. */
    COMMAND,
    /** A body, in threads. */
    BODY
  }

  /** Describes one process. */
  public static SpawnImpl of(Kind kind, String target, Program body, String... arguments) {
    if (target == null || arguments == null) {
      throw MpiException.argument(ErrorClass.ERR_SPAWN, "what to spawn", target, "names and arguments, none null");
    }
    for (String argument : arguments) {
      if (argument == null) {
        throw MpiException.argument(ErrorClass.ERR_SPAWN, "argument of " + target, null, "texts");
      }
    }
    return new SpawnImpl(
        kind, target, List.of(arguments), 1, Map.of(), List.of(), Map.of(), Map.of(), null, null, body);
  }

  @Override
  public SpawnImpl processes(int number) {
    if (number < 1) {
      throw MpiException.argument(ErrorClass.ERR_SPAWN, "number of processes", number, "1 or more");
    }
    return new SpawnImpl(
        kind, target, arguments, number, info, javaOptions, environment, settings, classPath, directory, body);
  }

  @Override
  public SpawnImpl info(Info hints) {
    return withInfo(InfoAccess.entries(hints));
  }

  SpawnImpl withInfo(Map<String, String> hints) {
    return new SpawnImpl(
        kind, target, arguments, processes, hints, javaOptions, environment, settings, classPath, directory, body);
  }

  @Override
  public SpawnImpl javaOptions(String... options) {
    List<String> all = new ArrayList<>(javaOptions);
    for (String option : given("options", options)) {
      all.add(given("option", option));
    }
    return new SpawnImpl(
        kind, target, arguments, processes, info, List.copyOf(all), environment, settings, classPath, directory, body);
  }

  @Override
  public SpawnImpl environment(String name, String value) {
    return new SpawnImpl(
        kind, target, arguments, processes, info, javaOptions, plus(environment, name, value), settings, classPath,
        directory, body);
  }

  @Override
  public SpawnImpl setting(String name, String value) {
    return new SpawnImpl(
        kind, target, arguments, processes, info, javaOptions, environment, plus(settings, name, value), classPath,
        directory, body);
  }

  @Override
  public SpawnImpl classPath(String path) {
    return new SpawnImpl(
        kind, target, arguments, processes, info, javaOptions, environment, settings,
        given("path", path), directory, body);
  }

  @Override
  public SpawnImpl directory(Path folder) {
    return new SpawnImpl(
        kind, target, arguments, processes, info, javaOptions, environment, settings, classPath,
        given("folder", given("folder", folder).toAbsolutePath()).toString(), body);
  }

  SpawnImpl withTarget(String found) {
    return new SpawnImpl(
        kind, found, arguments, processes, info, javaOptions, environment, settings, classPath, directory, body);
  }

  private static <T> T given(String name, T value) {
    if (value == null) {
      throw MpiException.argument(ErrorClass.ERR_SPAWN, name, null, "anything but null");
    }
    return value;
  }

  private static Map<String, String> plus(Map<String, String> map, String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(map);
    more.put(given("name", name), given("value of " + name, value));
    return Collections.unmodifiableMap(more);
  }

  @Override
  public String toString() {
    return "Spawn[" + processes + " of " + target + "]";
  }
}
