// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measurement of a hello from start to exit, as the shell sees it, in milliseconds from the start of the launcher to
 * its end. In the case {@code default} ranks start as users' do, from the library's start-up cache; {@code plain}
 * switches caches off. Trained cases run with a cache that {@code scripts/mpirun --train} has written, with the same
 * flags, before the first round. In the cases {@code source} and {@code source-first} the program is a source file,
 * compiled before or in that start.
 */
final class StartupMeasurement implements Measurement {
  private static final Implementation.Program HELLO = Implementation.Program.ofRanks("hello", "Hello");

  /** The only case of ranks that a C library's launcher starts. */
  static final String PLAIN = "plain";

  private static final String DEFAULT = "default";
  private static final String SOURCE = "source";
  private static final String SOURCE_FIRST = "source-first";

  private final Path caches;
  private final Path source;

  private StartupMeasurement(Path root) {
    caches = root.resolve("jmh/target/aot");
    source = root.resolve("jmh/src/main/java/" + HELLO.java().replace('.', '/') + ".java");
  }

  /** Returns the suite, whose start-up caches are in a folder of their own, away from the user's. */
  static Suite suite(Path root) {
    return new Suite("startup", "hello from start to exit", new StartupMeasurement(root))
        .benches("startup")
        .cases(DEFAULT, SOURCE, SOURCE_FIRST, PLAIN, "trained", "vector", "trained-vector")
        .peerCase(name -> PLAIN)
        .ranks(1, 2, 4, 8)
        .sizeRule((bench, name, sizes) -> List.of(0L));
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
    sink.accept(Sample.between(from, to, o, p, "ms", 0, values));
  }

  private List<String> options(Implementation implementation, Point p, BenchOptions o) {
    List<String> options = new ArrayList<>(o.mpirun);
    if (implementation instanceof Implementation.OverMpi) {
      return options; // there is no launcher of ours that would keep caches
    }
    options.add("--vector");
    options.add(p.name().endsWith("vector") ? "on" : "off");
    options.add("--aot");
    boolean trained = p.name().startsWith("trained");
    boolean usual = List.of(DEFAULT, SOURCE, SOURCE_FIRST).contains(p.name());
    options.add(trained || usual ? "auto" : "off");
    options.add("--aot-folder");
    options.add(folder(implementation, trained ? "trained" : p.name()).toString());
    return options;
  }

  private Path folder(Implementation implementation, String name) {
    return caches.resolve(implementation.id()).resolve(name);
  }

  private List<String> command(Implementation implementation, Point p, List<String> options) {
    if (implementation instanceof Implementation.Ffmpi ours && p.name().startsWith(SOURCE)) {
      List<String> command = new ArrayList<>();
      command.add(ours.root().resolve("scripts/mpirun").toString());
      command.addAll(List.of("-n", Integer.toString(p.ranks())));
      command.addAll(options);
      command.add(source.toString());
      return command;
    }
    return implementation.command(HELLO, p.ranks(), options, List.of());
  }

  private double hello(Implementation implementation, Point p, List<String> options, BenchOptions o)
      throws IOException, InterruptedException {
    if (p.name().equals(SOURCE_FIRST)) {
      deleteFiles(folder(implementation, SOURCE_FIRST).resolve("from-source"));
    }
    ProcessBuilder builder = new ProcessBuilder(command(implementation, p, options));
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

  /** Deletes the files of a compiled program. */
  private static void deleteFiles(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
    }
  }
}
