// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Measurement of nonblocking collectives beside computation. Cases with a progress thread have jobs of their own. */
final class OverlapMeasurement extends RankMeasurement {
  private static final List<String> NAMES = List.of(
      "bcast", "gather", "scatter", "allgather", "alltoall", "reduce", "allreduce", "reduce_scatter_block");

  private static final String PLAIN = "|plain";
  private static final String TESTS = "|tests";
  private static final String THREAD = "|thread";

  private OverlapMeasurement() {
    super(Implementation.Program.ofRanks("overlap", "Overlap"));
  }

  /**
   * Returns the suite: how long the collectives take alone, how much of that is left beside a computation of that
   * length, and how much is not, in per cent.
   */
  static Suite suite() {
    return new Suite("overlap",
        "nonblocking collectives beside computation, with and without calls, or with a progress thread",
        new OverlapMeasurement())
        .benches("alone", "left", "overlap")
        .cases(NAMES.stream().flatMap(name -> Stream.of(PLAIN, TESTS, THREAD)
            .flatMap(use -> Stream.of(name + "|native" + use, name + "|shared" + use))).toList())
        // C has no such thread: its computation makes no call either.
        .peerCase(name -> Suites.firstPart(name) + (name.endsWith(TESTS) ? TESTS : PLAIN))
        .refusal(Suites.from(2, "one rank has nothing to wait for"))
        .sizes(64L << 10, 1L << 20)
        .sizeRule((bench, name, sizes) -> Suites.doubles(sizes));
  }

  /** The progress thread is the job's. */
  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions options) {
    Map<String, List<Point>> groups = new LinkedHashMap<>();
    for (Point p : points) {
      String group = options.isolated && implementation.isOurs() ? p.name() : p.name().endsWith(THREAD) ? THREAD : "";
      groups.computeIfAbsent(group, k -> new ArrayList<>()).add(p);
    }
    List<Job> jobs = new ArrayList<>();
    groups.forEach((group, ofGroup) -> {
      List<String> further = group.endsWith(THREAD) ? List.of("--progress", "thread") : List.of();
      jobs.add(sink -> run(implementation, ofGroup, options, further, sink));
    });
    return jobs;
  }
}
