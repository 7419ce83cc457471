// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One of the few figures that stand for all: three warm ones and two cold ones.
 *
 * @param what a name for the measurement
 * @param warm whether the calls were warm
 * @param ours our figure
 * @param best the better C library's
 * @param unit unit of both
 * @param ratio how many times as fast ours is
 * @param worst the ratio of our worst job; NaN where the figure is a mean of several
 */
record Headline(String what, boolean warm, double ours, double best, String unit, double ratio, double worst) {
  /** Returns those for which there are figures. */
  static List<Headline> of(Figures figures) {
    List<Headline> all = new ArrayList<>();
    one(figures, "half a round trip of 8 bytes", true, "latency", "native-clean", "native-clean", 8)
        .ifPresent(all::add);
    one(figures, "messages of 1 MiB, one way", true, "bandwidth", "native-clean", "native-clean", 1 << 20)
        .ifPresent(all::add);
    one(figures, "allreduce of one double", true, "coll", "allreduce|native", "allreduce", 8).ifPresent(all::add);
    one(figures, "the first thousand round trips of 8 bytes", false, "sum", "pingpong-8", "pingpong-8", 1000)
        .ifPresent(all::add);
    programs(figures).ifPresent(all::add);
    return all;
  }

  private static Optional<Headline> one(Figures figures, String what, boolean warm, String bench, String name,
      String peerCase, long size) {
    Optional<Figure> ours = figures.find(bench, name, Figures.OURS, 2, size);
    Optional<Figure> best = figures.bestPeer(bench, peerCase, 2, size);
    if (ours.isEmpty() || best.isEmpty()) {
      return Optional.empty();
    }
    Series.Datum d = new Series.Datum(0, ours.get(), best.get().median());
    return Optional.of(new Headline(what, warm, ours.get().median(), best.get().median(),
        Text.unit(ours.get().unit()), d.ratio(), d.worstRatio()));
  }

  /** Geometric means over the programs for which C takes a second. */
  private static Optional<Headline> programs(Figures figures) {
    double ours = 0;
    double best = 0;
    int n = 0;
    for (Figure f : figures.of("wall").filter(f -> f.impl().equals(Figures.OURS) && f.size() == 1000).toList()) {
      Optional<Figure> peer = figures.bestPeer("wall", f.name(), f.ranks(), f.size());
      if (peer.isPresent()) {
        ours += Math.log(f.median());
        best += Math.log(peer.get().median());
        n++;
      }
    }
    if (n == 0) {
      return Optional.empty();
    }
    double o = Math.exp(ours / n);
    double b = Math.exp(best / n);
    return Optional.of(new Headline("a small program from start to exit, mean of " + n, false, o, b, "s", b / o,
        Double.NaN));
  }
}
