// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Machines that tests do not run on, as recorded from {@code /sys}, with one line of {@code path:content} for each
 * file, as {@code grep -r ''} prints it.
 */
final class RecordedMachine {
  private RecordedMachine() {}

  /** Writes the files of a recorded machine into a folder and returns a reader of it. */
  static MachineReader reader(String name, Path folder) throws IOException {
    for (String line : Files.readAllLines(Path.of("src/test/resources/machines", name + ".txt"))) {
      if (!line.startsWith("#")) {
        int colon = line.indexOf(':');
        Path file = folder.resolve(line.substring(0, colon));
        Files.createDirectories(file.getParent());
        Files.writeString(file, line.substring(colon + 1) + "\n");
      }
    }
    return new MachineReader(folder);
  }

  static Machine read(String name, Path folder) throws IOException {
    return reader(name, folder).read();
  }
}
