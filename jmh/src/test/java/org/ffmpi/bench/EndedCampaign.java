// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Program of {@link LastReportTest} with a campaign whose last job does not end, or fails. */
final class EndedCampaign {
  /** Written to standard error by the second job of the second turn; the first has handed over a sample. */
  static final String UNDER_WAY = "the second turn is under way";

  private EndedCampaign() {}

  /** Arguments: {@code waits} or {@code fails}, which the second turn does, and the CSV. */
  public static void main(String[] args) throws IOException, InterruptedException {
    BenchOptions o = BenchOptions.parse(List.of("--rounds", "1", "--settle", "0", "--csv", args[1]));
    List<Implementation> both = List.of(
        new Implementation.CPeer(Implementation.CPeer.Kind.OPENMPI, Path.of("unused")),
        new Implementation.CPeer(Implementation.CPeer.Kind.MPICH, Path.of("unused")));
    Bench.measure(TwoPointSuite.of(new TwoTurns(args[0])), both, List.of(2), o);
  }

  private record TwoTurns(String second) implements Measurement {
    @Override
    public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions options) {
      Job first = sink -> sink.accept(new Sample(points.getFirst(), "us", new double[] {1.25}, 0, 0, true));
      return implementation.id().equals("mpich") ? List.of(first, sink -> end(options)) : List.of(first);
    }

    private void end(BenchOptions options) throws IOException, InterruptedException {
      System.err.println(UNDER_WAY);
      if (second.equals("fails")) {
        throw new IOException("the second peer has failed");
      }
      Run.start(new ProcessBuilder("sleep", "600"), options.timeout, line -> {});
    }
  }
}
