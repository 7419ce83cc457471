// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** Measurement of the first calls of fresh jobs. Each case has a job of its own in each round. */
final class ColdMeasurement implements Measurement {
  private static final Implementation.Program PROGRAM = Implementation.Program.ofRanks("cold", "Cold");

  /** The processor time of rank 0's compilers from its start to the k-th call; C has none. */
  private static final String COMPILERS = "compilers";

  /** Returns the suite, in which the size of a point is k. */
  static Suite suite() {
    return new Suite("cold", "the k-th call in a fresh job, and the sum up to it; sizes are k", new ColdMeasurement())
        .benches(Answers.CALL, Answers.SUM, COMPILERS)
        .cases(
            "pingpong-8", "pingpong-64k", "nonblocking-8", "halo", "allreduce-8", "alltoallv-1k", "fence-8",
            "derived-8k", "object-string", "object-record", "object-class")
        .own(COMPILERS, "object-string", "object-record", "object-class")
        .refusal(n -> n == 1 || n % 2 == 0 ? null : "numbers of ranks are 1 and even ones")
        .sizes(1L, 10L, 100L, 1000L, 20_000L)
        .sizeRule((bench, name, sizes) -> Suites.positive(sizes));
  }

  @Override
  public List<String> cPrograms() {
    return List.of(PROGRAM.c());
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions o) {
    return points.stream().collect(Collectors.groupingBy(Point::name, LinkedHashMap::new, Collectors.toList()))
        .values().stream().map(ofCase -> job(implementation, ofCase, o)).toList();
  }

  private static Job job(Implementation implementation, List<Point> points, BenchOptions o) {
    List<String> arguments = new ArrayList<>();
    arguments.add(points.getFirst().name());
    points.stream().map(Point::bytes).distinct().sorted().forEach(k -> arguments.add(Long.toString(k)));
    ProcessBuilder builder = implementation.process(PROGRAM, points.getFirst().ranks(), o.mpirun, arguments);
    return sink -> Answers.firstCalls(
        implementation, points, o, () -> Answers.facts(builder, o.timeout), sink);
  }
}
