// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory that a rank and the ways to its peers use. The size is that of the messages that have gone from every rank
 * to every other before; 0 stands for a job in which nothing has been sent.
 */
final class MemorySuite implements Suite {
  private static final Implementation.Program MEMORY =
      new Implementation.Program("memory", "org.ffmpi.bench.rank.MemoryUse");

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String summary() {
    return "memory of each rank, before and after it has exchanged messages with all others";
  }

  @Override
  public List<String> benches() {
    return List.of("memory");
  }

  @Override
  public List<String> cases() {
    return List.of("private", "shared");
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return ffmpiCase;
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2, 16, 64);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return List.of(0L, 8L, 4L << 10, 64L << 10, 1L << 20);
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return sizes;
  }

  @Override
  public String refuses(int ranks) {
    return null;
  }

  @Override
  public List<String> cPrograms() {
    return List.of(MEMORY.c());
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions options) {
    int ranks = points.getFirst().ranks();
    return List.of(sink -> {
      List<String> arguments = new ArrayList<>(Answers.options(options));
      arguments.addAll(List.of("--shmem", Long.toString(sharedMemory(Path.of("/proc/meminfo")))));
      arguments.addAll(Answers.work(points));
      ProcessBuilder builder =
          new ProcessBuilder(implementation.command(MEMORY, ranks, options.mpirun, arguments));
      builder.environment().putAll(implementation.environment());
      Answers.collect(builder, ranks, options, sink);
    });
  }

  /** Returns how many KiB of the machine are shared memory, files in memory included. */
  static long sharedMemory(Path file) throws IOException {
    return Files.readAllLines(file).stream().filter(line -> line.startsWith("Shmem:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).findFirst()
        .orElseThrow(() -> new IOException(file + " does not tell about shared memory"));
  }
}
