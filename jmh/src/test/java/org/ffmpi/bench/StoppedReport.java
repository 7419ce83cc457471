// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Program of {@link ReportCampaignTest} with a campaign that waits in the middle of its second turn. */
final class StoppedReport {
  /** Written to standard error when the second turn has handed over the first of its two samples. */
  static final String UNDER_WAY = "the second turn is under way";

  private StoppedReport() {}

  /** Argument: the journal. */
  public static void main(String[] args) throws IOException, InterruptedException {
    try (Journal journal = Journal.open(Path.of(args[0]))) {
      new ReportCampaign(journal, List.of(team((implementation, point) -> {
        if (implementation.equals("mpich") && point.bytes() == 16) {
          System.err.println(UNDER_WAY);
          Thread.sleep(600_000);
        }
        return 1;
      })), 1, 0).run(() -> {});
    }
  }

  /** Supplies the value of a point. */
  interface Taking {
    double value(String implementation, Point point) throws IOException, InterruptedException;
  }

  /** Returns a part with two implementations and two points each. */
  static ReportCampaign.Team team(Taking taking) {
    return new ReportCampaign.Team(
        new ReportPlan.Part("two", TwoPointSuite.of(new TwoPoints(taking)),
            BenchOptions.parse(List.of("--settle", "0")), List.of(2), p -> true, List.of()),
        List.of(new Implementation.CPeer(Implementation.CPeer.Kind.OPENMPI, Path.of("unused")),
            new Implementation.CPeer(Implementation.CPeer.Kind.MPICH, Path.of("unused"))));
  }

  private record TwoPoints(Taking taking) implements Measurement {
    @Override
    public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions options) {
      return List.of(sink -> {
        for (Point p : points) {
          take(implementation.id(), p, sink);
        }
      });
    }

    private void take(String implementation, Point p, Consumer<Sample> sink) throws IOException, InterruptedException {
      sink.accept(new Sample(p, "us", new double[] {taking.value(implementation, p)}, 0, 0, true));
    }
  }
}
