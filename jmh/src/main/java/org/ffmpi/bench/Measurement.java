// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** The part of a suite that starts its programs and collects their answers. */
interface Measurement {
  /** Returns the C programs to be compiled. */
  default List<String> cPrograms() {
    return List.of();
  }

  /**
   * Returns one revision of ffmpi as the suite runs it.
   *
   * @param id its name in tables and CSV
   * @param root where that revision lies
   * @param classPath class path of its programs
   */
  default Implementation ours(String id, Path root, String classPath) {
    return new Implementation.Ffmpi(id, root, classPath);
  }

  /** Returns a peer, of which a usage exception reports that there is no such peer, or not on this machine. */
  default Implementation peer(String id, Path root, String classPath) {
    Implementation.CPeer.Kind kind = Implementation.CPeer.Kind.installed(id);
    return new Implementation.CPeer(kind, root.resolve("jmh/target/c/" + id));
  }

  /** Runs once, before the first round; does the work that must not be timed. */
  default void prepare(Implementation implementation, List<Point> points, BenchOptions options)
      throws IOException, InterruptedException {}

  /**
   * Returns the work of one implementation in one round.
   *
   * @param implementation the one whose turn it is
   * @param points the points to be measured, all with the same number of ranks
   * @param options the command line
   */
  List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions options);

  /** Puts results into tables. */
  default String tables(Report report, Results results) {
    return report.tables();
  }

  /** Work that is done without another implementation in between. */
  interface Job {
    /** Does it, and hands over a sample for each point as it becomes known. */
    void run(Consumer<Sample> sink) throws IOException, InterruptedException;
  }
}
