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

/** Measurement by a rank program, of many points in one run. */
class RankMeasurement implements Measurement {
  private static final int HOP_BYTES = 4096;

  private final Implementation.Program program;
  private final List<String> launcherOptions;

  /**
   * Measures by a program.
   *
   * @param program in both languages, or in Java alone
   * @param launcherOptions options of scripts/mpirun for ffmpi; those of the command line come after them and win
   */
  RankMeasurement(Implementation.Program program, String... launcherOptions) {
    this.program = program;
    this.launcherOptions = List.of(launcherOptions);
  }

  @Override
  public final List<String> cPrograms() {
    return program.c() == null ? List.of() : List.of(program.c());
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
   * @param implementation the one whose turn it is
   * @param points the points, all with the same number of ranks
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
      List<String> options = new ArrayList<>(launcherOptions);
      options.addAll(further);
      options.addAll(o.mpirun);
      Answers.collect(implementation.process(program, ranks, options, arguments), ranks, o, sink);
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
