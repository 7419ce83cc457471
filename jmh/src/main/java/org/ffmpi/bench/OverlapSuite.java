// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Nonblocking collectives beside computation: how long they take alone, how much of that is left when a computation of
 * that length goes on, and how much is not, in per cent.
 */
final class OverlapSuite extends RankSuite {
  private static final List<String> NAMES = List.of(
      "bcast", "gather", "scatter", "allgather", "alltoall", "reduce", "allreduce", "reduce_scatter_block");

  private static final String PLAIN = "|plain";
  private static final String TESTS = "|tests";
  private static final String THREAD = "|thread";

  private static final List<Long> SIZES = List.of(64L << 10, 1L << 20);

  OverlapSuite() {
    super(new Implementation.Program("overlap", "org.ffmpi.bench.rank.Overlap"));
  }

  @Override
  public String name() {
    return "overlap";
  }

  @Override
  public String summary() {
    return "nonblocking collectives beside computation, with and without calls, or with a progress thread";
  }

  @Override
  public List<String> benches() {
    return List.of("alone", "left", "overlap");
  }

  @Override
  public List<String> cases() {
    return NAMES.stream().flatMap(name -> Stream.of(PLAIN, TESTS, THREAD)
        .flatMap(use -> Stream.of(name + "|native" + use, name + "|shared" + use))).toList();
  }

  /** C has no such thread: its computation makes no call either. */
  @Override
  public String peerCase(String ffmpiCase) {
    String name = ffmpiCase.substring(0, ffmpiCase.indexOf('|'));
    return name + (ffmpiCase.endsWith(TESTS) ? TESTS : PLAIN);
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return SIZES;
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return sizes.stream().filter(n -> n > 0 && n % Double.BYTES == 0).toList();
  }

  @Override
  public String refuses(int ranks) {
    return ranks < 2 ? "one rank has nothing to wait for" : null;
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
