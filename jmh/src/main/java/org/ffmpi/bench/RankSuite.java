// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A suite whose points are measured by rank programs, many points in one run. */
abstract class RankSuite implements Suite {
  private static final int HOP_BYTES = 4096;

  private final Implementation.Program program;

  RankSuite(Implementation.Program program) {
    this.program = program;
  }

  @Override
  public List<String> cPrograms() {
    return List.of(program.c());
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions options) {
    List<Job> jobs = new ArrayList<>();
    if (options.isolated && implementation instanceof Implementation.Ffmpi) {
      points.stream().collect(Collectors.groupingBy(Point::name, LinkedHashMap::new, Collectors.toList()))
          .values().forEach(ofOneCase -> jobs.add(sink -> run(implementation, ofOneCase, options, sink)));
    } else {
      jobs.add(sink -> run(implementation, points, options, sink));
    }
    return jobs;
  }

  /** Writes points as a rank program reads them: sizes of one bench and case share an argument. */
  static List<String> work(List<Point> points) {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (Point p : points) {
      groups.computeIfAbsent(p.bench() + "/" + p.name(), k -> new ArrayList<>()).add(Long.toString(p.bytes()));
    }
    return groups.entrySet().stream().map(e -> e.getKey() + "/" + String.join(",", e.getValue())).toList();
  }

  private void run(Implementation implementation, List<Point> points, BenchOptions o, Consumer<Sample> sink)
      throws IOException, InterruptedException {
    int ranks = points.getFirst().ranks();
    List<String> arguments = new ArrayList<>(List.of(
        "--reps", Integer.toString(o.reps),
        "--seconds", Double.toString(o.seconds),
        "--warmup", Double.toString(o.warmup)));
    if (o.isolated && implementation instanceof Implementation.Ffmpi) {
      arguments.addAll(List.of("--profile", "isolated"));
    }
    boolean crowded = ranks > Runtime.getRuntime().availableProcessors();
    Path hop = crowded ? null : hopFile();
    if (hop != null) {
      arguments.addAll(List.of("--hop", hop.toString()));
    }
    arguments.addAll(work(points));
    try {
      run(implementation, ranks, arguments, o, sink);
    } finally {
      if (hop != null) {
        Files.deleteIfExists(hop);
      }
    }
  }

  /** Makes the page in which ranks 0 and 1 measure how far their cores are apart. */
  private static Path hopFile() throws IOException {
    Path memory = Path.of("/dev/shm");
    Path file = Files.isDirectory(memory)
        ? Files.createTempFile(memory, "ffmpi-bench", ".hop")
        : Files.createTempFile("ffmpi-bench", ".hop");
    Files.write(file, new byte[HOP_BYTES]);
    return file;
  }

  private void run(
      Implementation implementation, int ranks, List<String> arguments, BenchOptions o, Consumer<Sample> sink)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(implementation.command(program, ranks, o.mpirun, arguments));
    builder.environment().putAll(implementation.environment());
    CpuAccount account = new CpuAccount();
    CpuAccount.Reading[] last = {account.read()};
    Run.start(builder, o.timeout, line -> {
      if (line.equals("ready")) {
        account.refresh();
        last[0] = account.read();
      } else if (line.startsWith("point,")) {
        CpuAccount.Reading now = account.read();
        sink.accept(sample(ranks, line, last[0], now, o.maxForeign));
        last[0] = now;
      } else {
        System.err.println(line);
      }
    });
  }

  private static Sample sample(
      int ranks, String line, CpuAccount.Reading from, CpuAccount.Reading to, double maxForeign) {
    String[] f = line.split(",");
    if (f.length < 7) {
      throw new IllegalStateException("not a point: " + line);
    }
    double[] values = Arrays.stream(f, 6, f.length).mapToDouble(Double::parseDouble).toArray();
    return new Sample(new Point(f[1], f[2].toLowerCase(Locale.ROOT), ranks, Long.parseLong(f[3])), f[4], values,
        Double.parseDouble(f[5]), CpuAccount.foreignPercent(from, to), CpuAccount.within(from, to, maxForeign));
  }
}
