// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;

/**
 * Makes a start-up cache (JEP 514): a run of the job in which rank 0 records what it loads and links, and a JVM that
 * turns the record into a cache. Both have the options of an ordinary run, since a cache made with others is not used.
 */
final class Training {
  private final Path folder;
  private final Path recording;
  private final boolean vector;

  /**
   * Prepares a training.
   *
   * @param settings the job's settings
   * @param ofLibrary whether the cache is that of the library itself
   */
  Training(Settings settings, boolean ofLibrary) {
    Path users = StartupCache.folder(LaunchSettings.AOT_FOLDER.get(settings));
    folder = ofLibrary ? StartupCache.libraryFolder(users) : users;
    String complaint =
        folder == null ? "there is no home folder" : folder.equals(users) ? Trust.complaint(folder) : null;
    if (complaint != null) {
      throw new MpiException(
          ErrorClass.ERR_IO,
          "start-up caches cannot be kept (setting " + LaunchSettings.AOT_FOLDER.name() + "): " + complaint);
    }
    recording = folder.resolve("recording-" + ProcessHandle.current().pid() + ".conf");
    vector = LaunchSettings.VECTOR.get(settings).equals("on");
  }

  /**
   * Returns why no cache can be made for a program; null when one can. All inputs of a cache must be part of its
   * name, or a later run would get classes that have been changed since.
   *
   * @param command how the program is started
   */
  static String refusal(RankCommand command) {
    if (command.isFromSource()) {
      return "--train cannot keep what each rank compiles by itself: " + command.target()
          + " uses modules, or finds other source files by name";
    }
    if (command.classPath().isEmpty()) {
      return "--train needs a class path; this program comes from a module path";
    }
    for (String option : command.javaOptions(false)) {
      if (JavaOptions.bringsCode(option)) {
        return "--train knows code on the class path only: " + option + " brings more";
      }
    }
    for (String entry : command.classPath().split(File.pathSeparator)) {
      File file = new File(entry.isEmpty() ? "." : entry);
      if (!file.isFile()) {
        String what = file.isDirectory() ? " is a folder" : " does not exist";
        return "--train needs a class path of jars: " + file + what;
      }
      if (ProgramCheck.leadsAway(file, command.classPath())) {
        return "--train needs every jar on the class path: the manifest of " + entry + " names others (Class-Path)";
      }
    }
    return null;
  }

  /**
   * Makes the folder for caches.
   *
   * @return the file for the record
   */
  Path recording() {
    try {
      Trust.makeFolder(folder);
      return recording;
    } catch (IOException e) {
      throw new MpiException(
          ErrorClass.ERR_IO,
          "start-up caches cannot be kept in " + folder + " (setting " + LaunchSettings.AOT_FOLDER.name() + "): " + e,
          e);
    }
  }

  /** Deletes the record of a run that failed. */
  void forget() {
    recording.toFile().delete();
  }

  /**
   * Turns the record into a cache.
   *
   * @param command the command whose run was recorded
   * @param program the program of the cache; empty for all programs whose class path begins with this one
   * @return where the cache lies now
   */
  Path assemble(RankCommand command, String program) {
    StartupCache cache = StartupCache.named(folder, command.javaOptions(vector), command.classPath(), program);
    Path made = folder.resolve("making-" + ProcessHandle.current().pid() + ".aot");
    List<String> make = List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + recording, "-XX:AOTCache=" + made);
    try {
      Process process =
          new ProcessBuilder(command.start(make, vector))
              .redirectErrorStream(true)
              .redirectInput(new File("/dev/null"))
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0 || !Files.exists(made)) {
        throw new MpiException(
            ErrorClass.ERR_OTHER, "java made no start-up cache (exit code " + code + "): " + said.strip());
      }
      Files.move(made, cache.file(), StandardCopyOption.ATOMIC_MOVE);
      cache.deletePredecessors();
      return cache.file();
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_IO, "the start-up cache cannot be written to " + folder + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MpiException(ErrorClass.ERR_OTHER, "interrupted while java made the start-up cache", e);
    } finally {
      forget();
      made.toFile().delete();
    }
  }
}
