// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A hello from start to exit, as the shell sees it: milliseconds from starting the launcher to its end. Trained cases
 * run with an AOT cache that {@code scripts/mpirun --train} has written, with the same flags, before the first round.
 */
final class StartupSuite implements Suite {
  private static final Implementation.Program HELLO =
      new Implementation.Program("hello", "org.ffmpi.bench.rank.Hello");

  private final Path caches;

  /** Keeps its start-up caches in a folder of its own, away from the user's. */
  StartupSuite(Path root) {
    caches = root.resolve("jmh/target/aot");
  }

  @Override
  public String name() {
    return "startup";
  }

  @Override
  public String summary() {
    return "hello from start to exit";
  }

  @Override
  public List<String> benches() {
    return List.of("startup");
  }

  @Override
  public List<String> cases() {
    return List.of("plain", "trained", "vector", "trained-vector");
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return "plain";
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(1, 2, 4, 8);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return List.of(0L);
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return List.of(0L);
  }

  @Override
  public String refuses(int ranks) {
    return null;
  }

  @Override
  public List<String> cPrograms() {
    return List.of(HELLO.c());
  }

  @Override
  public void prepare(Implementation implementation, List<Point> points, BenchOptions o)
      throws IOException, InterruptedException {
    if (implementation instanceof Implementation.Ffmpi) {
      for (Point p : points) {
        if (p.name().startsWith("trained")) {
          List<String> options = new ArrayList<>(options(implementation, p, o));
          options.add("--train");
          hello(implementation, p, options, o);
        }
      }
    }
    // The first start of anything pays for reading it from disk.
    for (Point p : points) {
      hello(implementation, p, options(implementation, p, o), o);
    }
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions o) {
    List<Job> jobs = new ArrayList<>();
    for (Point p : points) {
      jobs.add(sink -> run(implementation, p, o, sink));
    }
    return jobs;
  }

  private void run(Implementation implementation, Point p, BenchOptions o, Consumer<Sample> sink)
      throws IOException, InterruptedException {
    CpuAccount account = new CpuAccount();
    CpuAccount.Reading from = account.read();
    double[] values = new double[o.reps];
    for (int r = 0; r < values.length; r++) {
      values[r] = hello(implementation, p, options(implementation, p, o), o);
    }
    CpuAccount.Reading to = account.read();
    sink.accept(new Sample(p, "ms", values, 0, CpuAccount.foreignPercent(from, to),
        CpuAccount.within(from, to, o.maxForeign)));
  }

  private List<String> options(Implementation implementation, Point p, BenchOptions o) {
    List<String> options = new ArrayList<>(o.mpirun);
    options.add("--vector");
    options.add(p.name().endsWith("vector") ? "on" : "off");
    options.add("--aot");
    options.add(p.name().startsWith("trained") ? "auto" : "off");
    options.add("--aot-folder");
    options.add(caches.resolve(implementation.id()).toString());
    return options;
  }

  private static double hello(Implementation implementation, Point p, List<String> options, BenchOptions o)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(implementation.command(HELLO, p.ranks(), options, List.of()));
    builder.environment().putAll(implementation.environment());
    int[] hellos = new int[1];
    long start = System.nanoTime();
    Run.start(builder, o.timeout, line -> {
      if (line.startsWith("hello from rank ")) {
        hellos[0]++;
      }
    });
    double milliseconds = (System.nanoTime() - start) * 1e-6;
    if (hellos[0] != p.ranks()) {
      throw new IOException(implementation.id() + ": " + hellos[0] + " of " + p.ranks() + " ranks said hello");
    }
    return milliseconds;
  }
}
