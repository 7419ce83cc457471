// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What standard output and standard error of this process are. */
final class Terminal {
  /** Width of the terminal that standard output is, 0 for none, as the script {@code mpirun} has found out. */
  static final String COLUMNS_PROPERTY = "mpirun.columns";

  private static final int USUAL_COLUMNS = 80;

  private Terminal() {}

  /** Returns the width of the terminal that standard output is, 0 when it is none. */
  static int columns() {
    Integer known = Integer.getInteger(COLUMNS_PROPERTY);
    if (known != null) {
      return Math.max(0, known);
    }
    String target = targetOf(1);
    return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") ? USUAL_COLUMNS : 0;
  }

  /** Returns whether standard output and standard error show up in one place. */
  static boolean outputIsErrors() {
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
