// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** A family of benchmarks with one subcommand. */
interface Suite {
  /** Returns the subcommand. */
  String name();

  /** Returns one line of help. */
  String summary();

  /** Returns the benches, in the order of the tables. */
  List<String> benches();

  /** Returns further benches, which run only when they are asked for by name. */
  default List<String> controls() {
    return List.of();
  }

  /** Returns the cases of ffmpi, in the order of the columns. */
  List<String> cases();

  /**
   * Returns whether {@code --cases} with this word selects a case: a word may leave out parts of the case's name.
   *
   * @param word what was given
   * @param ffmpiCase one of {@link #cases}
   */
  default boolean takes(String word, String ffmpiCase) {
    return Arrays.asList(ffmpiCase.split("\\|")).containsAll(Arrays.asList(word.split("\\|")));
  }

  /**
   * Returns a case of ffmpi that the others of the same size are compared with as well, or null.
   */
  default String reference() {
    return null;
  }

  /** Returns the peers there are, by their names for {@code --vs}; all are taken when none are named. */
  default List<String> peers() {
    return List.of("openmpi", "mpich");
  }

  /**
   * Returns what runs the suite's programs.
   *
   * @param id {@code ffmpi}, or a peer's name
   * @param root where the project lies
   * @param classPath of this program
   * @throws BenchOptions.UsageException when there is no such peer, or not on this machine
   */
  default Implementation implementation(String id, Path root, String classPath) {
    if (id.equals(Implementation.OURS)) {
      return ours(id, root, classPath);
    }
    Implementation.CPeer.Kind kind = Implementation.CPeer.Kind.of(id);
    if (kind.missing() != null) {
      throw new BenchOptions.UsageException(kind.missing());
    }
    return new Implementation.CPeer(kind, root.resolve("jmh/target/c/" + id));
  }

  /**
   * Returns what runs the suite's programs of one revision of ffmpi.
   *
   * @param id its name in tables and CSV
   * @param root where that revision lies
   * @param classPath class path of its programs
   */
  default Implementation ours(String id, Path root, String classPath) {
    return new Implementation.Ffmpi(id, root, classPath);
  }

  /** Puts results into tables. */
  default String tables(Report report, Results results) {
    return report.tables();
  }

  /** Returns the C peers' case that a case is compared with, one of theirs with itself; those are what they run. */
  String peerCase(String ffmpiCase);

  /** Returns the numbers of ranks to take when none are given. */
  List<Integer> defaultRanks();

  /** Returns the sizes to take when none are given. */
  List<Long> defaultSizes(boolean quick);

  /**
   * Returns the sizes that make sense for a bench and case; a bandwidth of no bytes, for one, does not.
   *
   * @param bench the bench
   * @param name the case
   * @param sizes what was asked for
   */
  List<Long> sizesOf(String bench, String name, List<Long> sizes);

  /** Returns a sentence when the suite cannot run on so many ranks, else null. */
  String refuses(int ranks);

  /** Returns the C programs to be compiled. */
  List<String> cPrograms();

  /** Does once, before the first round, what must not be timed. */
  default void prepare(Implementation implementation, List<Point> points, BenchOptions options)
      throws IOException, InterruptedException {}

  /**
   * Returns the work of one implementation in one round.
   *
   * @param implementation who does it
   * @param points what is to be measured, all with the same number of ranks
   * @param options the command line
   */
  List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions options);

  /** Work that is done without another implementation in between. */
  interface Job {
    /** Does it, and hands over a sample for each point as it becomes known. */
    void run(Consumer<Sample> sink) throws IOException, InterruptedException;
  }
}
