// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measurement of the memory that a rank and the connections to its peers use. */
final class MemoryMeasurement implements Measurement {
  private static final Implementation.Program PROGRAM = Implementation.Program.ofRanks("memory", "MemoryUse");

  /**
   * Returns the suite. The size is that of the messages that every rank has sent to every other before; 0 stands for a
   * job in which nothing has been sent.
   */
  static Suite suite() {
    return new Suite("memory", "memory of each rank, before and after it has exchanged messages with all others",
        new MemoryMeasurement())
        .benches("memory")
        .cases("private", "shared")
        .ranks(2, 16, 64)
        .sizes(0L, 8L, 4L << 10, 64L << 10, 1L << 20);
  }

  @Override
  public List<String> cPrograms() {
    return List.of(PROGRAM.c());
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions options) {
    int ranks = points.getFirst().ranks();
    return List.of(sink -> {
      List<String> arguments = new ArrayList<>(Answers.options(options));
      arguments.addAll(List.of("--shmem", Long.toString(sharedMemory(Path.of("/proc/meminfo")))));
      arguments.addAll(Answers.work(points));
      Answers.collect(implementation.process(PROGRAM, ranks, options.mpirun, arguments), ranks, options, sink);
    });
  }

  /** Returns how many KiB of the machine are shared memory, files in memory included. */
  static long sharedMemory(Path file) throws IOException {
    return Files.readAllLines(file).stream().filter(line -> line.startsWith("Shmem:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).findFirst()
        .orElseThrow(() -> new IOException(file + " does not tell about shared memory"));
  }
}
