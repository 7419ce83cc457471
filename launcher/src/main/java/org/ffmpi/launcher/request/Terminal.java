// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The terminal or file behind standard output and standard error of this process. */
public final class Terminal {
  /** Width of the terminal that standard output is, 0 for none, as the script {@code mpirun} passes it. */
  static final String COLUMNS_PROPERTY = "mpirun.columns";

  private static final int USUAL_COLUMNS = 80;

  private Terminal() {}

  /** Returns the width of the terminal that standard output is, 0 for other outputs. */
  public static int columns() {
    Integer known = Integer.getInteger(COLUMNS_PROPERTY);
    if (known != null) {
      return Math.max(0, known);
    }
    return isTerminal(targetOf(1)) ? USUAL_COLUMNS : 0;
  }

  /**
   * Returns the width of the terminal that standard error is, on which a line can be written again; 0 when it goes
   * elsewhere.
   */
  public static int errorColumns() {
    if (!isTerminal(targetOf(2)) || "dumb".equals(System.getenv("TERM"))) {
      return 0;
    }
    int columns = columns();
    return columns > 0 ? columns : USUAL_COLUMNS;
  }

  private static boolean isTerminal(String target) {
    return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
  }

  /** Returns whether standard output and standard error show up in one place. */
  public static boolean joinsOutputAndErrors() {
    String out = targetOf(1);
    return !out.isEmpty() && out.equals(targetOf(2));
  }

  private static String targetOf(int descriptor) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
