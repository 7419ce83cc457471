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
 */
final class Libraries {
  private static final String API_ANCHOR = "org.ffmpi.spi.RunSettings";

  /** A class of each module that a rank needs, in the order the modules build on each other. */
  private static final String[] ANCHORS = {
    "org.ffmpi.base.MpiException",
    "org.ffmpi.datatype.Datatype",
    API_ANCHOR,
    "org.ffmpi.collectives.select.CollectiveSettings",
    "org.ffmpi.shm.segment.JobSegment",
    "org.ffmpi.launcher.Libraries",
  };

  private Libraries() {}

  /** Returns the jar or folder that holds the API. */
  static Path api() {
    return Path.of(locate(API_ANCHOR));
  }

  /**
   * Finds the library by its classes.
   *
   * @return paths of jars or folders of classes
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
      return source == null ? null : Path.of(source.getLocation().toURI()).toString();
    } catch (ClassNotFoundException | URISyntaxException e) {
      return null;
    }
  }

  /**
   * Takes this JVM's own class path for the library: so it is when {@code scripts/mpirun} has started it.
   *
   * @return its entries
   */
  static List<String> ownClassPath() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
  }
}
