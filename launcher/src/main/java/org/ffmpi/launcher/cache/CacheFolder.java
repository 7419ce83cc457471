// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.cache;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Libraries;
import org.ffmpi.launcher.request.LaunchSettings;

/**
 * A folder of files whose code is run: start-up caches, compiled programs. One rule holds for all of them. A name
 * begins with a hash of the file's purpose, followed by one of the state it was made from, so that the file of another
 * state is not found and a new one replaces it. A file is written aside and moved, so that other launchers see all of
 * it or nothing. A file that another user may have changed is not found. The leftovers of launchers that died are
 * deleted when a new file replaces another.
 */
public final class CacheFolder {
  /** The folder for the caches of the library itself, which the script {@code mpirun} names: beside the jar. */
  public static final String LIBRARY_PROPERTY = "mpirun.caches";

  private static final String ASIDE = "making-";

  private final Path path;
  private final boolean isLibrarys;

  private CacheFolder(Path path, boolean isLibrarys) {
    this.path = path;
    this.isLibrarys = isLibrarys;
  }

  /** Returns a folder of this user's; it need not exist. */
  public static CacheFolder at(Path path) {
    return new CacheFolder(path, false);
  }

  /**
   * Returns the user's folder for caches: that of the setting, or else the one of the desktop's rules.
   *
   * @return null for a user without a home, who has no caches
   */
  public static CacheFolder ofUser(Settings settings) {
    String setting = LaunchSettings.AOT_FOLDER.get(settings);
    if (!setting.isEmpty()) {
      return at(Path.of(setting).toAbsolutePath());
    }
    String xdg = System.getenv("XDG_CACHE_HOME");
    if (xdg != null && xdg.startsWith("/")) {
      return at(Path.of(xdg, "ffmpi"));
    }
    Path home = Path.of(System.getProperty("user.home"));
    return home.isAbsolute() ? at(home.resolve(Path.of(".cache", "ffmpi"))) : null;
  }

  /**
   * Returns the folder for the library's own caches.
   *
   * @param users the folder for other caches, which serves where no script has named one; may be null
   */
  public static CacheFolder ofLibrary(CacheFolder users) {
    String named = System.getProperty(LIBRARY_PROPERTY);
    return named == null ? users : new CacheFolder(Path.of(named), true);
  }

  /** Returns a folder in this one. */
  public CacheFolder below(String name) {
    return new CacheFolder(path.resolve(name), isLibrarys);
  }

  public Path path() {
    return path;
  }

  /**
   * Returns why the files must not be run: one sentence without its end; null when they may be. The library's folder is
   * as safe as the library.
   */
  public String complaint() {
    return isLibrarys ? null : FileTrust.complaint(path);
  }

  /** Makes the folder, for this user alone, if it is missing. */
  public void make() throws IOException {
    FileTrust.makeFolder(path);
  }

  /** Returns whether there is a file of this name that may be run. */
  public boolean holds(String name) {
    File file = new File(path.toString(), name);
    return file.exists() && FileTrust.mayRun(file.toPath(), isLibrarys ? Libraries.launcher() : null);
  }

  /** Returns a path for a file, or a folder, in the making. */
  public Path aside(String suffix) {
    return path.resolve(ASIDE + ProcessHandle.current().pid() + "-" + System.nanoTime() + suffix);
  }

  /** Publishes a file that was written aside under its name. */
  public Path publish(Path made, String name) throws IOException {
    return Files.move(made, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Keeps bytes as a file. */
  public Path keep(String name, byte[] bytes) throws IOException {
    make();
    Path aside = aside("");
    try {
      Files.write(aside, bytes);
      return publish(aside, name);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  /**
   * Deletes files for the same purpose that were made from another state, and the leftovers of dead launchers.
   *
   * @param purpose beginning of the name
   * @param suffix end of the name
   * @param current name of the file that stays
   * @param graceMillis how long other files stay that another launcher may be about to use
   */
  public void deleteOutdated(String purpose, String suffix, String current, long graceMillis) {
    long youngest = System.currentTimeMillis() - graceMillis;
    for (String name : names()) {
      boolean isOutdated = name.startsWith(purpose + "-") && name.endsWith(suffix) && !name.equals(current)
          && new File(path.toString(), name).lastModified() <= youngest;
      if (isOutdated || isLeftover(name)) {
        delete(name);
      }
    }
  }

  /** Returns whether a file is named after a process that is gone; earlier versions named recordings so. */
  public static boolean isLeftover(String name) {
    Matcher matcher = Pattern.compile("(?:making|recording|ffmpi-program)-(\\d{1,18})\\b.*").matcher(name);
    return matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty();
  }

  /** Returns the names of the files; none where the folder cannot be read. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(path)) {
      all.forEach(file -> names.add(file.getFileName().toString()));
    } catch (IOException | DirectoryIteratorException e) {
      // Files that cannot be seen stay.
    }
    return names;
  }

  /** Deletes a file if that is possible. */
  public void delete(String name) {
    new File(path.toString(), name).delete();
  }
}
