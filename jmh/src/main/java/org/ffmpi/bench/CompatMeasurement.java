// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measurement of the dialects of Java MPI beside ffmpi's own API, with the same program in each. Cases are the kind of
 * memory. Each job measures beside its own calls those of the own API with buffers made once, so that both see the same
 * cores; for the own API, the job's own calls make a buffer each. Another job measures the k-th round trip of a fresh
 * job, the sum of all up to it, and the job from start to exit; there the size is k.
 */
final class CompatMeasurement extends RankMeasurement {
  static final List<String> WARM = List.of("pingpong", "allreduce", "allgatherv");
  static final String PROGRAM = "program";

  /** Behind the name of a bench: bytes allocated in one iteration. */
  static final String ALLOCATED = "-allocated";

  /** The times of the own API with buffers made once, in the same job. */
  static final String BUFFERS_ONCE = "-once";

  /** Times by those of the own API with buffers made once. */
  static final String RATIO = "-ratio";

  static final List<String> MEMORIES = List.of("array", "direct");

  /** Cold programs use arrays, as most programs of the dialects do. */
  static final String COLD_MEMORY = MEMORIES.getFirst();

  private static final Implementation.Program COMPAT = Implementation.Program.ofRanks(null, "Compat");
  private static final List<String> DIALECTS = List.of("openmpi", "mpijava");
  private static final List<Long> CALLS = List.of(1L, 10L, 100L, 1000L);

  private CompatMeasurement() {
    super(COMPAT);
  }

  /** Returns the suite. */
  static Suite suite() {
    return new Suite("compat", "the dialects of Java MPI against ffmpi's own API: three calls, first calls, a program",
        new CompatMeasurement())
        .benches(Stream.concat(WARM.stream(), Stream.of(Answers.CALL, Answers.SUM, PROGRAM)).toArray(String[]::new))
        .cases(MEMORIES)
        .peers(DIALECTS.toArray(String[]::new))
        .only(2, "compat is between 2 ranks")
        .sizes(8L, 64L, 1L << 10, 4L << 10, 64L << 10, 1L << 20)
        .quickSizes(8L, 4L << 10, 64L << 10, 1L << 20)
        .sizeRule(CompatMeasurement::sizesOf);
  }

  private static List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    if (WARM.contains(bench)) {
      return Suites.doubles(sizes);
    } else if (!name.equals(COLD_MEMORY)) {
      return List.of();
    }
    return bench.equals(PROGRAM) ? List.of(CALLS.getLast()) : CALLS;
  }

  @Override
  public Implementation peer(String id, Path root, String classPath) {
    if (!DIALECTS.contains(id)) {
      throw new BenchOptions.UsageException(
          "--vs " + id + ": known are " + String.join(", ", DIALECTS) + " and none");
    }
    return new Implementation.InDialect(id, root, classPath);
  }

  /** Runs the program once, which compiles it. */
  @Override
  public void prepare(Implementation implementation, List<Point> points, BenchOptions o)
      throws IOException, InterruptedException {
    if (!points.isEmpty()) {
      cold(implementation, points.getFirst().ranks(), o);
    }
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions o) {
    List<Point> warm = points.stream().filter(p -> WARM.contains(p.bench())).toList();
    List<Point> cold = points.stream().filter(p -> !WARM.contains(p.bench())).toList();
    List<Job> jobs = new ArrayList<>();
    if (!warm.isEmpty()) {
      jobs.addAll(super.jobs(implementation, warm, o));
    }
    if (!cold.isEmpty()) {
      jobs.add(sink -> Answers.firstCalls(
          implementation, cold, o, () -> cold(implementation, cold.getFirst().ranks(), o), sink));
    }
    return jobs;
  }

  private static Map<String, Double> cold(Implementation implementation, int ranks, BenchOptions o)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("cold"));
    CALLS.forEach(k -> arguments.add(Long.toString(k)));
    ProcessBuilder builder = implementation.process(COMPAT, ranks, o.mpirun, arguments);
    long start = System.nanoTime();
    Map<String, Double> answers = new LinkedHashMap<>(Answers.facts(builder, o.timeout));
    answers.put(PROGRAM + "," + CALLS.getLast(), (System.nanoTime() - start) * 1e-6);
    return answers;
  }

  @Override
  public String tables(Report report, Results results) {
    return new CompatTable(results, DIALECTS).toString();
  }
}
