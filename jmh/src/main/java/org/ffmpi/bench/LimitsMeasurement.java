// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measurement of the machine without any MPI, by the least possible message between two cores and a copy by one core.
 * Part of {@code scripts/bench report}; there is nothing of ours in it.
 */
final class LimitsMeasurement implements Measurement {
  private static final String EXCHANGE = "exchange";
  private static final Implementation.Program PROGRAM = new Implementation.Program("limits", null);

  /** Returns the suite, with the sizes of point-to-point. */
  static Suite suite(Suite p2p) {
    return new Suite("limits", "a cache line between two cores, and memcpy", new LimitsMeasurement())
        .benches(EXCHANGE, "copy")
        .cases("machine")
        .peers(Implementation.PlainC.ID)
        .only(2, "limits are those of 2 cores")
        .sizes(p2p.sizes(false))
        .quickSizes(p2p.sizes(true).toArray(Long[]::new))
        .sizeRule((bench, name, sizes) -> bench.equals(EXCHANGE) ? sizes : Suites.positive(sizes));
  }

  @Override
  public Implementation peer(String id, Path root, String classPath) {
    return Implementation.PlainC.installed(root, "limits need gcc");
  }

  @Override
  public List<String> cPrograms() {
    return List.of(PROGRAM.c());
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions o) {
    List<String> arguments = new ArrayList<>(Answers.options(o));
    arguments.addAll(Answers.work(points));
    return List.of(sink -> Answers.collect(implementation.process(PROGRAM, 2, List.of(), arguments), 2, o, sink));
  }
}
