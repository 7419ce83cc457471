// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs a suite, in rounds in which each implementation has its turn, then in extra rounds for disturbed points. */
final class Campaign {
  /** The time for which the cores must be idle to count as quiet. */
  private static final int QUIET_MILLIS = 300;

  private final Suite suite;
  private final List<Implementation> implementations;
  private final BenchOptions options;
  private final Results results;

  Campaign(Suite suite, List<Implementation> implementations, BenchOptions options) {
    this(suite, implementations, options, new Results(options.rounds, options.cores));
  }

  /** Makes a campaign that adds to results which other campaigns share. */
  Campaign(Suite suite, List<Implementation> implementations, BenchOptions options, Results results) {
    this.suite = suite;
    this.implementations = implementations;
    this.options = options;
    this.results = results;
  }

  /** Returns the points an implementation is to be measured at, in the order of the tables. */
  List<Point> points(Implementation implementation, int ranks) {
    List<String> cases = suite.cases;
    if (!options.cases.isEmpty()) {
      cases = cases.stream()
          .filter(c -> options.cases.stream().anyMatch(word -> suite.selects(word, c))).toList();
    }
    if (!implementation.isOurs()) {
      cases = cases.stream().map(suite::peerCase).distinct().filter(c -> suite.isFor(implementation, c)).toList();
    }
    List<Long> sizes = options.sizes.isEmpty() ? suite.sizes(options.quick) : options.sizes;
    List<Point> points = new ArrayList<>();
    for (String bench : options.benches.isEmpty() ? suite.benches : options.benches) {
      if (!suite.isFor(implementation, bench)) {
        continue;
      }
      for (String name : cases) {
        for (long bytes : suite.sizesOf(bench, name, sizes)) {
          points.add(new Point(bench, name, ranks, bytes));
        }
      }
    }
    return points;
  }

  Results results() {
    return results;
  }

  /**
   * Measures.
   *
   * @param ranks the numbers of ranks
   * @param afterJob runs after each job of an implementation, when there are new results
   */
  void run(List<Integer> ranks, Runnable afterJob) throws IOException, InterruptedException {
    for (int n : ranks) {
      for (Implementation i : implementations) {
        suite.measurement.prepare(i, points(i, n), options);
      }
    }
    for (int round = 1; round <= options.rounds + options.extraRounds; round++) {
      boolean extra = round > options.rounds;
      for (int n : ranks) {
        Map<Implementation, List<Point>> due = new LinkedHashMap<>();
        for (Implementation i : implementations) {
          List<Point> points = points(i, n);
          if (extra) {
            points = points.stream().filter(p -> results.lacks(i.id(), p)).toList();
          }
          due.put(i, points);
        }
        for (Implementation i : implementations) {
          if (!due.get(i).isEmpty()) {
            turn(i, n, due.get(i), (extra ? "extra round " : "round ") + (extra ? round - options.rounds : round)
                + "/" + (extra ? options.extraRounds : options.rounds), sample -> {}, afterJob);
          }
        }
      }
    }
  }

  /**
   * Measures points by one implementation.
   *
   * @param implementation whose turn it is
   * @param ranks the points' number of ranks
   * @param points what to measure
   * @param what name of the turn, for the line that is printed in the end
   * @param also takes each sample too, as soon as it is known
   * @param afterJob runs after each job
   */
  void turn(Implementation implementation, int ranks, List<Point> points, String what, Consumer<Sample> also,
      Runnable afterJob) throws IOException, InterruptedException {
    int[] seen = new int[3];
    for (Measurement.Job job : suite.measurement.jobs(implementation, points, options)) {
      awaitQuiet();
      job.run(sample -> {
        results.add(implementation.id(), sample);
        also.accept(sample);
        seen[0]++;
        seen[1] += sample.quiet() ? 0 : 1;
        seen[2] += results.counts(sample) ? 1 : 0;
      });
      afterJob.run();
    }
    System.err.printf("%s: %s %s with %d ranks, %d points, %d disturbed, %d count%n",
        what, suite.name, implementation.id(), ranks, seen[0], seen[1], seen[2]);
  }

  /** Waits, for a bounded time, until others leave the cores alone. */
  private void awaitQuiet() throws IOException, InterruptedException {
    CpuAccount account = new CpuAccount();
    long deadline = System.nanoTime() + options.settle * 1_000_000_000L;
    while (System.nanoTime() < deadline) {
      CpuAccount.Reading from = account.read();
      Thread.sleep(QUIET_MILLIS);
      if (CpuAccount.within(from, account.read(), options.maxForeign)) {
        return;
      }
    }
  }
}
