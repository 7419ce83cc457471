// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Machines that were recorded for the API's own tests, for the setting {@code ffmpi.machine}. */
final class Machines {
  /** Folder of the machine "four-caches": four processors share a third-level cache, two of these a NUMA node. */
  static final String FOUR_CACHES = "target/machines/four-caches";

  private Machines() {}

  /** Writes the files of a machine; to be called before ranks start. */
  static void unpack() {
    try {
      for (String line : Files.readAllLines(Path.of("../api/src/test/resources/machines/four-caches.txt"))) {
        if (!line.startsWith("#")) {
          int colon = line.indexOf(':');
          Path file = Path.of(FOUR_CACHES).resolve(line.substring(0, colon));
          Files.createDirectories(file.getParent());
          Files.writeString(file, line.substring(colon + 1) + "\n");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
