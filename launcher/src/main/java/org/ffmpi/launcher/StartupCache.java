// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Names of start-up caches (the JVM's AOT caches) in the user's cache folder. A name consists of two hashes: of what a
 * cache is for (options, class path, program) and of the state that it was made from (JVM, sizes and times of the
 * jars). A cache whose state has changed is therefore not found, and making a new one replaces it.
 *
 * <p>The name has to be right: the JVM rejects a cache of another JVM or with other options, but JDK 25.0.3 takes
 * classes out of a cache even when the jar they came from has changed since.
 */
final class StartupCache {
  /** Where the cache of the library itself lies, as the script {@code mpirun} says: beside what it was made from. */
  static final String LIBRARY_FOLDER_PROPERTY = "mpirun.caches";

  private static final String SUFFIX = ".aot";

  private final Path folder;
  private final String purpose;
  private final String state;

  private StartupCache(Path folder, String purpose, String state) {
    this.folder = folder;
    this.purpose = purpose;
    this.state = state;
  }

  /**
   * Names the cache for something.
   *
   * @param folder where caches lie; null: nowhere
   * @param javaOptions options of the JVM; those that no cache depends on are left out of the name
   * @param classPath entries separated by colons
   * @param program what runs; empty for a cache that serves all programs whose class path begins with this one
   */
  static StartupCache named(Path folder, List<String> javaOptions, String classPath, String program) {
    long purpose = Fnv.with(Fnv.of(CompiledPrograms.withoutStates(classPath)), program);
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
   * Returns the folder for caches: that of the setting, or else the one the desktop's rules give.
   *
   * @param setting value of the setting, may be empty
   * @return an absolute path; null for a user without a home, who has no caches
   */
  static Path folder(String setting) {
    if (!setting.isEmpty()) {
      return Path.of(setting).toAbsolutePath();
    }
    String xdg = System.getenv("XDG_CACHE_HOME");
    if (xdg != null && xdg.startsWith("/")) {
      return Path.of(xdg, "ffmpi");
    }
    Path home = Path.of(System.getProperty("user.home"));
    return home.isAbsolute() ? home.resolve(Path.of(".cache", "ffmpi")) : null;
  }

  /**
   * Returns the folder for the library's own cache.
   *
   * @param users the folder for other caches, which serves where no script has named one; may be null
   * @return the folder, or null
   */
  static Path libraryFolder(Path users) {
    String named = System.getProperty(LIBRARY_FOLDER_PROPERTY);
    return named == null ? users : Path.of(named);
  }

  /** Returns where this cache lies, or will. */
  Path file() {
    return folder.resolve(purpose + "-" + state + SUFFIX);
  }

  /** Returns whether this cache has been made, by somebody whose code this user may run. */
  boolean exists() {
    if (folder == null || !new File(folder.toString(), purpose + "-" + state + SUFFIX).exists()) {
      return false;
    }
    String libraries = System.getProperty(LIBRARY_FOLDER_PROPERTY);
    boolean isLibrarys = libraries != null && folder.equals(Path.of(libraries));
    return Trust.mayRun(file(), isLibrarys ? Libraries.launcher() : null);
  }

  /** Notes that this cache cannot be made, so that no later start tries again. */
  void refuse() throws IOException {
    Files.deleteIfExists(refusal());
    Files.createFile(refusal());
  }

  /** Returns whether making this cache has failed before. */
  boolean isRefused() {
    return Files.exists(refusal());
  }

  private Path refusal() {
    return folder.resolve(purpose + "-" + state + ".none");
  }

  /** Deletes caches for the same purpose that were made from another state. */
  void deletePredecessors() throws IOException {
    try (DirectoryStream<Path> old = Files.newDirectoryStream(folder, purpose + "-*" + SUFFIX)) {
      for (Path p : old) {
        if (!p.equals(file())) {
          Files.deleteIfExists(p);
        }
      }
    }
  }

  private static String environment(String name) {
    String value = System.getenv(name);
    return value == null ? "" : value;
  }
}
