// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
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

  /** Returns the C peers' case that a case of ffmpi is compared with; those are the cases the peers run. */
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
