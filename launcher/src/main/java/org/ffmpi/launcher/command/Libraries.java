// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The jars or folders of ffmpi itself. The ranks get these entries first on their class path: launcher and ranks share
 * memory whose layout is private to a version, so they must be of one version; and a start-up cache of the library then
 * serves every program, because a cache made for a class path serves all that begin with it.
 *
 * <p>There are no entries where ffmpi is part of the run-time image that {@code jlink} has made: the ranks run on the
 * same image.
 */
public final class Libraries {
  private static final String API_ANCHOR = "org.ffmpi.Mpi";
  private static final String LAUNCHER_ANCHOR = "org.ffmpi.launcher.command.Libraries";

  /** A class beside those that touch raw memory, and one of a module that calls the C library. */
  private static final String RAW_ANCHOR = "org.ffmpi.base.MpiException";

  private static final String NATIVE_ANCHOR = "org.ffmpi.shm.segment.JobSegment";

  /** Name of the module that holds all of ffmpi. */
  private static final String WHOLE = "org.ffmpi";

  /** A class of each module that a rank needs, in the order the modules build on each other. */
  private static final String[] ANCHORS = {
    RAW_ANCHOR,
    "org.ffmpi.datatype.Datatype",
    "org.ffmpi.spi.RunSettings",
    API_ANCHOR,
    "org.ffmpi.window.WinImpl",
    "org.ffmpi.file.RankFiles",
    "org.ffmpi.object.ObjectSettings",
    "org.ffmpi.tool.ToolException",
    "org.ffmpi.check.CheckLayer",
    "org.ffmpi.collectives.select.CollectiveSettings",
    "org.ffmpi.replay.RecordReplayLayer",
    NATIVE_ANCHOR,
    "org.ffmpi.mpi.binding.MpiSettings",
    LAUNCHER_ANCHOR,
  };

  private Libraries() {}

  /** Returns the jar or folder that holds the API; null when the run-time image does. */
  public static Path api() {
    String path = locate(API_ANCHOR);
    return path == null ? null : Path.of(path);
  }

  /** Returns the jar or folder that holds the launcher; null when the run-time image does. */
  public static Path launcher() {
    String path = locate(LAUNCHER_ANCHOR);
    return path == null ? null : Path.of(path);
  }

  /**
   * Finds the library by its classes.
   *
   * @return paths of jars or folders of classes; none when the library is part of the run-time image
   */
  public static List<String> located() {
    List<String> result = new ArrayList<>();
    for (String name : ANCHORS) {
      String path = locate(name);
      if (path != null && !result.contains(path)) {
        result.add(path);
      }
    }
    return result;
  }

  /**
   * Names the modules that need native access where the library is on the module path, or in the image.
   *
   * @return names separated by commas, for {@code --enable-native-access}
   */
  static String nativeModules() {
    Module own = Libraries.class.getModule();
    boolean whole = own.isNamed()
        ? own.getName().equals(WHOLE)
        : Objects.equals(locate(RAW_ANCHOR), locate(NATIVE_ANCHOR));
    return whole ? WHOLE : "org.ffmpi.base,org.ffmpi.shm,org.ffmpi.mpi";
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
   * Returns the library of the program {@code mpirun}. A class path of one jar is that, as the script and {@code java
   * -jar} have started it; otherwise the library is found by its classes, which takes longer.
   *
   * @return paths of jars or folders of classes; none when the library is part of the run-time image
   */
  public static List<String> ofMpirun() {
    String path = System.getProperty("java.class.path", "");
    return Libraries.class.getModule().isNamed() || path.isEmpty() || path.indexOf(File.pathSeparatorChar) >= 0
        ? located()
        : List.of(Path.of(path).toAbsolutePath().toString());
  }
}
