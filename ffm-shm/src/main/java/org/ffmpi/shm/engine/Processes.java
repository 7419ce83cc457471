// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Asks the kernel about processes. A process is named by its number and the time at which it began. */
final class Processes {
  /** Place of the starting time among the words behind the name of the program. */
  private static final int BORN_WORD = 19;

  private Processes() {}

  /** Returns when a process began, in the kernel's ticks; 0 when there is none, or it has ended. */
  static long born(long pid) {
    try {
      String line = new String(Files.readAllBytes(Path.of("/proc/" + pid + "/stat")), StandardCharsets.ISO_8859_1);
      String[] words = line.substring(line.lastIndexOf(')') + 2).split(" ");
      return words[0].equals("Z") || words[0].equals("X") ? 0 : Long.parseLong(words[BORN_WORD]);
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }
}
