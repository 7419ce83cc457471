// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Where ffmpi itself lies. The ranks get these entries first on their class path: launcher and ranks share memory whose
 * layout is no one else's business, so they must be of one version; and a start-up cache of the library then serves
 * every program, because a cache made for a class path serves all that begin with it.
 *
 * <p>There are no entries where ffmpi is part of the run-time image that {@code jlink} has made: the ranks run on the
 * same image.
 */
final class Libraries {
  private static final String API_ANCHOR = "org.ffmpi.spi.RunSettings";
  private static final String LAUNCHER_ANCHOR = "org.ffmpi.launcher.Libraries";

  /** A class of each module that a rank needs, in the order the modules build on each other. */
  private static final String[] ANCHORS = {
    "org.ffmpi.base.MpiException",
    "org.ffmpi.datatype.Datatype",
    API_ANCHOR,
    "org.ffmpi.collectives.select.CollectiveSettings",
    "org.ffmpi.shm.segment.JobSegment",
    LAUNCHER_ANCHOR,
  };

  private Libraries() {}

  /** Returns the jar or folder that holds the API; null when the run-time image does. */
  static Path api() {
    String path = locate(API_ANCHOR);
    return path == null ? null : Path.of(path);
  }

  /** Returns the jar or folder that holds the launcher; null when the run-time image does. */
  static Path launcher() {
    String path = locate(LAUNCHER_ANCHOR);
    return path == null ? null : Path.of(path);
  }

  /**
   * Finds the library by its classes.
   *
   * @return paths of jars or folders of classes; none when the library is part of the run-time image
   */
  static List<String> located() {
    List<String> result = new ArrayList<>();
    for (String name : ANCHORS) {
      String path = locate(name);
      if (path != null && !result.contains(path)) {
        result.add(path);
      }
    }
    return result;
  }

  private static String locate(String className) {
    try {
      Class<?> anchor = Class.forName(className, false, Libraries.class.getClassLoader());
      CodeSource source = anchor.getProtectionDomain().getCodeSource();
      return source == null || !source.getLocation().getProtocol().equals("file")
          ? null
          : Path.of(source.getLocation().toURI()).toString();
    } catch (ClassNotFoundException | URISyntaxException e) {
      return null;
    }
  }

  /**
   * Returns the library of the program {@code mpirun}. This JVM's own class path is that, as {@code scripts/mpirun} has
   * started it; where the launcher is a module, its library is found by its classes.
   *
   * @return paths of jars or folders of classes; none when the library is part of the run-time image
   */
  static List<String> ofMpirun() {
    return Libraries.class.getModule().isNamed()
        ? located()
        : List.of(System.getProperty("java.class.path").split(File.pathSeparator));
  }
}
