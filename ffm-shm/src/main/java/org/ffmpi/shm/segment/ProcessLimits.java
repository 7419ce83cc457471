// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The limits of this process, read from /proc when something has failed because of one. */
public final class ProcessLimits {
  /** The size of a file in bytes: {@code ulimit -f}, which counts in units of 1024. */
  public static final String FILE_SIZE = "Max file size";

  /** The number of open files: {@code ulimit -n}. */
  public static final String OPEN_FILES = "Max open files";

  /** The number of processes and threads of the user: {@code ulimit -u}. */
  public static final String PROCESSES = "Max processes";

  /** The value of a limit that is not set, or not known. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private ProcessLimits() {}

  /**
   * Returns a limit.
   *
   * @param name its name in /proc/self/limits
   * @return the limit that holds, {@link #UNLIMITED} when there is none
   */
  public static long of(String name) {
    try {
      return in(Files.readAllLines(Path.of("/proc/self/limits"), StandardCharsets.ISO_8859_1), name);
    } catch (IOException e) {
      return UNLIMITED;
    }
  }

  /** Finds a limit among the lines of the file. */
  static long in(List<String> lines, String name) {
    for (String line : lines) {
      String[] words = line.startsWith(name + " ") ? line.substring(name.length()).trim().split(" +") : new String[0];
      if (words.length > 0 && words[0].matches("\\d{1,18}")) {
        return Long.parseLong(words[0]);
      }
    }
    return UNLIMITED;
  }
}
