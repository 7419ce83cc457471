// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What calls take that no loop has warmed up: the k-th call of a fresh job, and the sum of all up to it. Each case has
 * a job of its own in each round. The size of a point is k.
 */
final class ColdSuite implements Suite {
  private static final Implementation.Program PROGRAM =
      new Implementation.Program("cold", "org.ffmpi.bench.rank.Cold");

  private static final String CALL = "call";
  private static final String SUM = "sum";

  @Override
  public String name() {
    return "cold";
  }

  @Override
  public String summary() {
    return "the k-th call in a fresh job, and the sum up to it; sizes are k";
  }

  @Override
  public List<String> benches() {
    return List.of(CALL, SUM);
  }

  @Override
  public List<String> cases() {
    return List.of("pingpong-8", "pingpong-64k", "nonblocking-8", "halo", "allreduce-8", "alltoallv-1k", "derived-8k");
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return ffmpiCase;
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return List.of(1L, 10L, 100L, 1000L, 10000L);
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return sizes.stream().filter(k -> k > 0).toList();
  }

  @Override
  public String refuses(int ranks) {
    return ranks == 1 || ranks % 2 == 0 ? null : "numbers of ranks are 1 and even ones";
  }

  @Override
  public List<String> cPrograms() {
    return List.of(PROGRAM.c());
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions o) {
    Map<String, List<Point>> cases = new LinkedHashMap<>();
    points.forEach(p -> cases.computeIfAbsent(p.name(), k -> new ArrayList<>()).add(p));
    List<Job> jobs = new ArrayList<>();
    cases.forEach((name, wanted) -> jobs.add(sink -> run(implementation, wanted, o, sink)));
    return jobs;
  }

  private static void run(Implementation implementation, List<Point> wanted, BenchOptions o, Consumer<Sample> sink)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(wanted.getFirst().name());
    wanted.stream().map(Point::bytes).distinct().sorted().forEach(k -> arguments.add(Long.toString(k)));
    ProcessBuilder builder = new ProcessBuilder(
        implementation.command(PROGRAM, wanted.getFirst().ranks(), o.mpirun, arguments));
    builder.environment().putAll(implementation.environment());
    CpuAccount account = new CpuAccount();
    CpuAccount.Reading from = account.read();
    Map<String, Double> answers = Answers.facts(builder, o.timeout);
    CpuAccount.Reading to = account.read();
    for (Point p : wanted) {
      Double value = answers.get(p.bench() + "," + p.bytes());
      if (value == null) {
        throw new IOException(implementation.id() + ": " + p.name() + " did not answer for call " + p.bytes());
      }
      sink.accept(new Sample(p, p.bench().equals(CALL) ? "us" : "ms", new double[] {value}, 0,
          CpuAccount.foreignPercent(from, to), CpuAccount.within(from, to, o.maxForeign)));
    }
  }
}
