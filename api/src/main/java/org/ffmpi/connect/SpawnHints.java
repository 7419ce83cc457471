// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.ProcessFacts;

/** Applies the hints of a spawn (MPI-4.1 §11.8.4). Unknown keys are ignored. */
public final class SpawnHints {
  private static final List<String> INTEL = List.of("amd64", "x86_64", "x86-64");
  private static final List<String> ARM = List.of("aarch64", "arm64");

  private SpawnHints() {}

  /**
   * Applies the hints of a description to it.
   *
   * @throws MpiException ERR_SPAWN when a hint cannot be kept
   */
  public static SpawnImpl applied(SpawnImpl given) {
    Map<String, String> hints = withFile(given.info());
    SpawnImpl result = given.withInfo(hints);
    requireHost(hints.get("host"));
    requireArch(hints.get("arch"));
    if (hints.containsKey("wdir")) {
      Path directory = Path.of(hints.get("wdir"));
      if (!Files.isDirectory(directory)) {
        throw MpiException.argument(ErrorClass.ERR_SPAWN, "info key wdir", directory, "folders that are there");
      }
      result = result.directory(directory);
    }
    if (hints.containsKey("path")) {
      result = lookedUp(result, hints.get("path"));
    }
    if (hints.containsKey("ffmpi_java_options")) {
      result = result.javaOptions(hints.get("ffmpi_java_options").strip().split("\\s+"));
    }
    if (hints.containsKey("ffmpi_class_path")) {
      result = result.classPath(hints.get("ffmpi_class_path"));
    }
    if (hints.containsKey("ffmpi_environment")) {
      for (String line : hints.get("ffmpi_environment").lines().toList()) {
        int equals = line.indexOf('=');
        if (equals < 1) {
          throw MpiException.argument(
              ErrorClass.ERR_SPAWN, "info key ffmpi_environment", line, "lines of the form NAME=value");
        }
        result = result.environment(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return result;
  }

  /** Adds the keys of a file, which has lines of the form key=value. */
  private static Map<String, String> withFile(Map<String, String> hints) {
    String file = hints.get("file");
    if (file == null) {
      return hints;
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(file))) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new MpiException(ErrorClass.ERR_SPAWN, "info key file: " + file + " cannot be read: " + e, e);
    }
    Map<String, String> all = new LinkedHashMap<>();
    properties.forEach((key, value) -> all.put(key.toString(), value.toString()));
    all.putAll(hints);
    return all;
  }

  private static void requireHost(String host) {
    String own = ProcessFacts.processorName();
    if (host != null && !host.equals("localhost") && !host.equals(own) && !own.startsWith(host + ".")) {
      throw MpiException.argument(
          ErrorClass.ERR_SPAWN, "info key host", host, "this machine: localhost or " + own);
    }
  }

  private static void requireArch(String arch) {
    String own = System.getProperty("os.arch");
    boolean fits = arch == null || arch.equals(own) || INTEL.contains(arch) && INTEL.contains(own)
        || ARM.contains(arch) && ARM.contains(own);
    if (!fits) {
      throw MpiException.argument(ErrorClass.ERR_SPAWN, "info key arch", arch, own);
    }
  }

  /** Finds a file in the folders of the key path; classes are found there by their class path. */
  private static SpawnImpl lookedUp(SpawnImpl given, String folders) {
    if (given.kind() == SpawnImpl.Kind.CLASS) {
      String before = given.classPath() == null ? System.getProperty("java.class.path") : given.classPath();
      return given.classPath(before.isEmpty() ? folders : before + ":" + folders);
    }
    for (String folder : folders.split(":")) {
      Path file = Path.of(folder, given.target());
      if (Files.isRegularFile(file)) {
        return given.withTarget(file.toString());
      }
    }
    return given;
  }

  /**
   * Returns how many processes are allowed: the number that is asked for, and those of the key soft, in ascending
   * order.
   */
  public static TreeSet<Integer> allowed(SpawnImpl given) {
    TreeSet<Integer> allowed = new TreeSet<>(List.of(given.processes()));
    String soft = given.info().get("soft");
    if (soft == null) {
      return allowed;
    }
    for (String part : soft.split(",")) {
      String[] words = part.strip().split(":");
      try {
        int first = Integer.parseInt(words[0]);
        int last = words.length > 1 ? Integer.parseInt(words[1]) : first;
        int step = words.length > 2 ? Integer.parseInt(words[2]) : 1;
        if (step == 0 || words.length > 3) {
          throw new NumberFormatException();
        }
        for (int n = first; step > 0 ? n <= last : n >= last; n += step) {
          if (n >= 0 && n <= given.processes()) {
            allowed.add(n);
          }
        }
      } catch (NumberFormatException e) {
        throw MpiException.argument(
            ErrorClass.ERR_SPAWN, "info key soft", soft, "numbers and ranges first:last:step, separated by commas");
      }
    }
    return allowed;
  }
}
