// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.nio.file.Path;
import java.util.List;

/**
 * The record that a job's first rank makes for a start-up cache.
 *
 * @param file the record
 * @param main class that runs the program, with the program's class as its first argument; null: the program runs as it
 *     is
 */
public record Recording(Path file, Class<?> main) {
  /** Returns the options of the JVM that records. */
  public List<String> options() {
    return List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + file);
  }
}
