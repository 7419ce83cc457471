// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A suite whose points are measured by rank programs, many points in one run. */
abstract class RankSuite implements Suite {
  private static final int HOP_BYTES = 4096;

  private final Implementation.Program program;

  RankSuite(Implementation.Program program) {
    this.program = program;
  }

  /** Returns options of scripts/mpirun for ffmpi; those of the command line come after them and win. */
  List<String> launcherOptions() {
    return List.of();
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
          .values().forEach(ofOneCase -> jobs.add(sink -> run(implementation, ofOneCase, options, List.of(), sink)));
    } else {
      jobs.add(sink -> run(implementation, points, options, List.of(), sink));
    }
    return jobs;
  }

  /**
   * Measures points in one job.
   *
   * @param implementation who does it
   * @param points what, all with the same number of ranks
   * @param o the command line
   * @param further options of scripts/mpirun for this job
   * @param sink takes a sample for each point
   */
  final void run(Implementation implementation, List<Point> points, BenchOptions o, List<String> further,
      Consumer<Sample> sink) throws IOException, InterruptedException {
    int ranks = points.getFirst().ranks();
    List<String> arguments = new ArrayList<>(Answers.options(o));
    if ((o.isolated || o.brief) && implementation instanceof Implementation.Ffmpi) {
      arguments.addAll(List.of("--profile", "isolated"));
    }
    boolean crowded = ranks > Runtime.getRuntime().availableProcessors();
    Path hop = crowded ? null : hopFile();
    if (hop != null) {
      arguments.addAll(List.of("--hop", hop.toString()));
    }
    arguments.addAll(Answers.work(points));
    try {
      List<String> options = new ArrayList<>(launcherOptions());
      options.addAll(further);
      options.addAll(o.mpirun);
      ProcessBuilder builder = new ProcessBuilder(implementation.command(program, ranks, options, arguments));
      builder.environment().putAll(implementation.environment());
      Answers.collect(builder, ranks, o, sink);
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
    file.toFile().deleteOnExit(); // also when the campaign is ended by a signal
    Files.write(file, new byte[HOP_BYTES]);
    return file;
  }
}
