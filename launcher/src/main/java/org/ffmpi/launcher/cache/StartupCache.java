// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.cache;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.launcher.command.JavaOptions;

/**
 * A start-up cache (the JVM's AOT cache) in a cache folder. Its purpose is made of options, class path and program, its
 * state of the JVM and of sizes and times of the jars.
 *
 * <p>The name has to be right: the JVM rejects a cache of another JVM or with other options, but JDK 25.0.3 loads
 * classes from a cache even when the jar they came from has changed since.
 */
public final class StartupCache {
  /** Folder, in that of a user, for programs that were compiled from source. */
  public static final String PROGRAMS = "from-source";

  private static final String PROGRAMS_IN_PATHS = File.separatorChar + PROGRAMS + File.separatorChar;
  private static final String SUFFIX = ".aot";

  private final CacheFolder folder;
  private final String purpose;
  private final String state;

  private StartupCache(CacheFolder folder, String purpose, String state) {
    this.folder = folder;
    this.purpose = purpose;
    this.state = state;
  }

  /**
   * Names the cache for something.
   *
   * @param folder where it lies; null: nowhere
   * @param javaOptions options of the JVM; those that no cache depends on are left out of the name
   * @param classPath entries separated by colons
   * @param program what runs; empty for a cache that serves all programs whose class path begins with this one
   */
  public static StartupCache named(CacheFolder folder, List<String> javaOptions, String classPath, String program) {
    long purpose = Fnv.with(Fnv.of(withoutStates(classPath)), program);
    for (String option : javaOptions) {
      if (!JavaOptions.leavesCacheValid(option)) {
        purpose = Fnv.with(purpose, option);
      }
    }
    purpose = Fnv.with(purpose, JavaOptions.compressesPointers(javaOptions) ? "compressed" : "full");
    long state = Fnv.with(Fnv.of(System.getProperty("java.home")), System.getProperty("java.vm.version"));
    state = Fnv.with(state, environment("JAVA_TOOL_OPTIONS") + environment("JDK_JAVA_OPTIONS"));
    for (String entry : classPath.split(File.pathSeparator)) {
      File file = new File(entry);
      state = Fnv.with(state, file.length() + "@" + file.lastModified());
    }
    return new StartupCache(folder, Long.toHexString(purpose), Long.toHexString(state));
  }

  /**
   * Returns a class path without the state in the names of compiled programs: a purpose outlives changes of a source.
   */
  private static String withoutStates(String classPath) {
    if (!classPath.contains(PROGRAMS_IN_PATHS)) {
      return classPath;
    }
    List<String> entries = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      boolean isProgram = entry.contains(PROGRAMS_IN_PATHS) && entry.endsWith(".jar") && entry.indexOf('-') >= 0;
      entries.add(isProgram ? entry.substring(0, entry.lastIndexOf('-')) : entry);
    }
    return String.join(File.pathSeparator, entries);
  }

  private String name(String suffix) {
    return purpose + "-" + state + suffix;
  }

  /** Returns the file of this cache, which need not exist. */
  public Path file() {
    return folder.path().resolve(name(SUFFIX));
  }

  /** Returns whether this cache has been made, by a user whose code this user may run. */
  public boolean exists() {
    return folder != null && folder.holds(name(SUFFIX));
  }

  /** Returns the options of a JVM that uses this cache; none where it does not exist. */
  public List<String> options() {
    return exists() ? List.of("-XX:AOTCache=" + file()) : List.of();
  }

  /** Keeps a cache that was written aside, in place of those of earlier states. */
  public void keep(Path made) throws IOException {
    folder.publish(made, name(SUFFIX));
    folder.deleteOutdated(purpose, SUFFIX, name(SUFFIX), 0);
  }

  /** Records that this cache cannot be made, so that no later start tries again. */
  public void refuse() throws IOException {
    folder.keep(name(".none"), new byte[0]);
  }

  /** Returns whether making this cache has failed before. */
  public boolean isRefused() {
    return Files.exists(folder.path().resolve(name(".none")));
  }

  private static String environment(String name) {
    String value = System.getenv(name);
    return value == null ? "" : value;
  }
}
