// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the machine can do without any MPI: the least that a message between two cores can be, and a copy by one core.
 * Part of {@code scripts/bench report}; there is nothing of ours in it.
 */
final class LimitsSuite implements Suite {
  static final String EXCHANGE = "exchange";
  static final String COPY = "copy";

  private static final Implementation.Program PROGRAM = new Implementation.Program("limits", "");

  @Override
  public String name() {
    return "limits";
  }

  @Override
  public String summary() {
    return "a cache line between two cores, and memcpy";
  }

  @Override
  public List<String> benches() {
    return List.of(EXCHANGE, COPY);
  }

  @Override
  public List<String> cases() {
    return List.of("machine");
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return ffmpiCase;
  }

  @Override
  public List<String> peers() {
    return List.of(Implementation.PlainC.ID);
  }

  @Override
  public Implementation implementation(String id, Path root, String classPath) {
    if (!CCompiler.onPath(Implementation.PlainC.ID)) {
      throw new BenchOptions.UsageException("limits need gcc, which is not on the PATH: apt-get install gcc");
    }
    return new Implementation.PlainC(root.resolve("jmh/target/c/" + Implementation.PlainC.ID));
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return new P2pSuite().defaultSizes(quick);
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return sizes.stream().filter(n -> n > 0 || bench.equals(EXCHANGE)).toList();
  }

  @Override
  public String refuses(int ranks) {
    return ranks == 2 ? null : "limits are those of 2 cores";
  }

  @Override
  public List<String> cPrograms() {
    return List.of(PROGRAM.c());
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions o) {
    return List.of(sink -> run(implementation, points, o, sink));
  }

  private static void run(Implementation implementation, List<Point> points, BenchOptions o, Consumer<Sample> sink)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(Answers.options(o));
    arguments.addAll(Answers.work(points));
    Answers.collect(new ProcessBuilder(implementation.command(PROGRAM, 2, List.of(), arguments)), 2, o, sink);
  }
}
