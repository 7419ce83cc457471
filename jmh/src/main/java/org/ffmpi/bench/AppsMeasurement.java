// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measurement of small real programs from start to exit, as the shell sees them. The size of a point is the time, in
 * milliseconds, that two ranks of C take for about so many steps; the size of {@code step} is the first of a range of
 * steps. A round runs each program once; all implementations must come to the same result.
 */
final class AppsMeasurement implements Measurement {
  private static final String WALL = "wall";
  private static final String INSIDE = "inside";
  /** What is left without the calls: a program cannot take less, however fast they are. */
  private static final String OUTSIDE = "outside";
  private static final String CPU = "cpu";
  private static final String STEP = "step";
  private static final String COMPILE = "compile";

  /** The first steps of the ranges whose medians make the curve, as in {@code app.h}. */
  private static final List<Long> RANGES = List.of(0L, 10L, 30L, 100L, 300L, 1000L, 3000L, 10000L);

  private static final List<Long> SIZES = List.of(300L, 1000L, 4000L, 16000L);
  private static final long QUICK_SIZE = 1000;

  /** Order of operations is the same, but C may contract a product and a sum. */
  private static final double TOLERANCE = 1e-6;

  private final Map<String, Double> checks = new HashMap<>();

  /**
   * One of the programs.
   *
   * @param program in both languages
   * @param stepsPerSecond of two ranks in C, once MPI is up
   */
  private record App(Implementation.Program program, int stepsPerSecond) {
    int steps(long milliseconds) {
      return (int) Math.max(1, milliseconds * stepsPerSecond / 1000);
    }
  }

  private static final Map<String, App> APPS = new LinkedHashMap<>();

  static {
    app("jacobi", "Jacobi", 5000);
    app("gradient", "Gradient", 180);
    app("sort", "SampleSort", 370);
    app("bodies", "Bodies", 480);
    app("fourier", "Fourier", 170);
  }

  private static void app(String name, String type, int stepsPerSecond) {
    APPS.put(name,
        new App(new Implementation.Program("app_" + name, "org.ffmpi.bench.app." + type), stepsPerSecond));
  }

  /** Returns the suite. */
  static Suite suite() {
    return new Suite("apps", "small real programs from start to exit; sizes are milliseconds of C",
        new AppsMeasurement())
        .benches(WALL, OUTSIDE, INSIDE, CPU, STEP)
        .controls(COMPILE)
        .own(COMPILE)
        .cases(List.copyOf(APPS.keySet()))
        .ranks(1, 2, 4)
        .refusal(n -> Integer.bitCount(n) == 1 && n <= 32 ? null : "numbers of ranks are powers of two up to 32")
        .sizes(SIZES)
        .quickSizes(QUICK_SIZE)
        .sizeRule(AppsMeasurement::sizesOf);
  }

  private static List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    if (!bench.equals(STEP)) {
      return Suites.positive(sizes);
    }
    int steps = APPS.get(name).steps(sizes.stream().mapToLong(ms -> ms).max().orElse(1));
    return RANGES.stream().filter(from -> from < steps).toList();
  }

  @Override
  public List<String> cPrograms() {
    return APPS.values().stream().map(app -> app.program().c()).toList();
  }

  /** One run answers all points of a program and size; the longest run gives the curve. */
  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions o) {
    Map<String, Map<Long, List<Point>>> runs = new LinkedHashMap<>();
    for (Point p : points) {
      if (!p.bench().equals(STEP)) {
        runs.computeIfAbsent(p.name(), k -> new LinkedHashMap<>()).computeIfAbsent(p.bytes(), k -> new ArrayList<>())
            .add(p);
      }
    }
    for (Point p : points) {
      if (p.bench().equals(STEP)) {
        Map<Long, List<Point>> ofApp = runs.computeIfAbsent(p.name(), k -> new LinkedHashMap<>());
        List<Long> sizes = !o.sizes.isEmpty() ? o.sizes : o.quick ? List.of(QUICK_SIZE) : SIZES;
        long longest = sizes.stream().mapToLong(n -> n).max().orElseThrow();
        ofApp.computeIfAbsent(longest, k -> new ArrayList<>()).add(p);
      }
    }
    List<Job> jobs = new ArrayList<>();
    runs.forEach((name, sizes) -> sizes.forEach(
        (milliseconds, wanted) -> jobs.add(sink -> run(implementation, name, milliseconds, wanted, o, sink))));
    return jobs;
  }

  private void run(Implementation implementation, String name, long milliseconds, List<Point> wanted, BenchOptions o,
      Consumer<Sample> sink) throws IOException, InterruptedException {
    App app = APPS.get(name);
    int ranks = wanted.getFirst().ranks();
    int steps = app.steps(milliseconds);
    List<String> options = new ArrayList<>(o.mpirun);
    boolean compile = wanted.stream().anyMatch(p -> p.bench().equals(COMPILE));
    if (compile) {
      options.add("-Dffmpi.bench.compile=true");
    }
    ProcessBuilder builder =
        implementation.process(app.program(), ranks, options, List.of(Integer.toString(steps)));
    CpuAccount account = new CpuAccount();
    CpuAccount.Reading from = account.read();
    long start = System.nanoTime();
    Map<String, Double> answers = Answers.facts(builder, o.timeout);
    answers.put(WALL, (System.nanoTime() - start) * 1e-9);
    Double inside = answers.get(INSIDE);
    if (inside != null) {
      answers.put(OUTSIDE, answers.get(WALL) - inside);
    }
    CpuAccount.Reading to = account.read();
    check(implementation, name + " with " + ranks + " ranks, " + steps + " steps", answers.get("check"));
    for (Point p : wanted) {
      boolean isStep = p.bench().equals(STEP);
      Double value = isStep ? stepsFrom(p.bytes(), answers) : answers.get(p.bench());
      if (value != null) {
        sink.accept(Sample.between(from, to, o, p, isStep ? "us" : "s", 0, value));
      }
    }
  }

  private static Double stepsFrom(long first, Map<String, Double> answers) {
    return answers.entrySet().stream().filter(e -> e.getKey().startsWith("steps," + first + ","))
        .map(Map.Entry::getValue).findFirst().orElse(null);
  }

  /** Compares a result with that of the first run. */
  private void check(Implementation implementation, String what, Double result) throws IOException {
    if (result == null) {
      throw new IOException(implementation.id() + ": " + what + " printed no result");
    }
    double first = checks.computeIfAbsent(what, k -> result);
    if (!(Math.abs(result - first) <= TOLERANCE * Math.abs(first))) {
      throw new IOException(implementation.id() + ": " + what + " came to " + result + ", another run to " + first);
    }
  }
}
