// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Chooses the figures of each plot. */
final class Plots {
  private static final int BYTES_BASE = 8;
  private static final int DECADE = 10;

  private final Figures figures;

  Plots(Figures figures) {
    this.figures = figures;
  }

  LinePlot latency() {
    return pointToPoint("latency", "Half a round trip, send buffer written once", "latency", "-clean");
  }

  LinePlot dirtyLatency() {
    return pointToPoint("latency-dirty", "Half a round trip, data written just before", "latency", "-dirty");
  }

  LinePlot bandwidth() {
    return pointToPoint("bandwidth", "Bandwidth, 64 messages in flight", "bandwidth", "-clean");
  }

  LinePlot rate() {
    return new Plots(new Figures(figures.facts(), figures.of("rate").map(f -> f.times(1e-6, "million/s")).toList()))
        .pointToPoint("rate", "Message rate, 64 messages in flight", "rate", "-clean");
  }

  private LinePlot pointToPoint(String id, String title, String bench, String use) {
    List<Series> series = new ArrayList<>();
    series.add(ours(Look.NATIVE, bench, f -> f.name().equals("native" + use)));
    series.add(ours(Look.HEAP, bench, f -> f.name().equals("heap" + use)));
    series.add(ours(Look.SHARED, bench, f -> f.name().equals("shared" + use)));
    addPeers(series, bench, f -> f.name().equals("native" + use), Plots::size);
    return new LinePlot(id, title, "bytes", BYTES_BASE, Text::bytes, series, true);
  }

  /** Returns a plot of queues of posted receives, or of unexpected messages. */
  LinePlot matching(String kind, String title) {
    Function<Figure, Double> length = f -> f.name().equals(kind) ? 10_000.0
        : Double.parseDouble(f.name().substring(kind.length() + 1));
    Predicate<Figure> wanted = f -> f.name().equals(kind) || f.name().matches(kind + "-\\d+");
    List<Series> series = new ArrayList<>();
    series.add(Series.of(Look.OURS, ofOurs("matching").filter(wanted), length, this::best));
    addPeers(series, "matching", wanted, length);
    return new LinePlot("matching-" + kind, title, "messages in the queue", DECADE, Text::count, series, true);
  }

  List<Plot> collectives() {
    return multiples("coll", name -> !name.equals("barrier"));
  }

  List<Plot> derivedTypes() {
    return multiples("ddt", name -> true);
  }

  /** Returns a small plot for each collective or type. */
  private List<Plot> multiples(String bench, Predicate<String> wanted) {
    List<Plot> plots = new ArrayList<>();
    figures.of(bench).map(Plots::group).distinct().filter(wanted).forEach(name -> {
      List<Series> series = new ArrayList<>();
      series.add(ours(Look.NATIVE, bench, f -> f.name().equals(name + "|native")));
      series.add(ours(Look.HEAP, bench, f -> f.name().equals(name + "|heap")));
      series.add(ours(Look.SHARED, bench, f -> f.name().equals(name + "|shared")));
      addPeers(series, bench, f -> f.name().equals(name), Plots::size);
      plots.add(new LinePlot(bench + "-" + name, name, "bytes", BYTES_BASE, Text::bytes, series, false));
    });
    return plots;
  }

  /** Returns bars of all collectives at their shortest. */
  BarPlot shortCollectives() {
    List<String> names = figures.of("coll").map(Plots::group).distinct().toList();
    Predicate<Figure> shortest = f -> f.size() == 8 || f.size() == 0;
    Function<Figure, Double> place = f -> (double) names.indexOf(group(f));
    List<Series> series = new ArrayList<>();
    series.add(Series.of(Look.NATIVE, ofOurs("coll").filter(shortest).filter(f -> f.name().endsWith("|native")),
        place, this::best));
    addPeers(series, "coll", shortest, place);
    return new BarPlot("coll-short", "Collectives of 8 bytes, native memory", "collective", names, series);
  }

  List<Plot> coldCalls() {
    List<Plot> plots = new ArrayList<>();
    figures.of("call").map(Figure::name).distinct().forEach(name -> {
      List<Series> series = new ArrayList<>();
      series.add(ours(Look.OURS, "call", f -> f.name().equals(name)));
      addPeers(series, "call", f -> f.name().equals(name), Plots::size);
      plots.add(new LinePlot("cold-" + name, Names.COLD.getOrDefault(name, name), "the k-th call of the job", DECADE,
          Text::count, series, false));
    });
    return plots;
  }

  BarPlot coldSums() {
    return cases("cold-sum", "The first thousand calls of a job together", "sum", 1000, Names.COLD);
  }

  List<Plot> programs() {
    return figures.of("wall").map(Figure::size).distinct().sorted().<Plot>map(size -> cases("apps-" + size,
        "From start to exit, about " + Text.value(size * 1e-3) + " s of computing in C", "wall", size, Names.APPS))
        .toList();
  }

  List<Plot> insidePrograms() {
    return figures.of("inside").map(Figure::size).distinct().sorted().<Plot>map(size -> cases("inside-" + size,
        "Of that, inside MPI calls (mean of the ranks), about " + Text.value(size * 1e-3) + " s of computing in C",
        "inside", size, Names.APPS)).toList();
  }

  private BarPlot cases(String id, String title, String bench, long size, Map<String, String> names) {
    List<String> cases = figures.of(bench).map(Figure::name).distinct().toList();
    Predicate<Figure> wanted = f -> f.size() == size;
    Function<Figure, Double> place = f -> (double) cases.indexOf(f.name());
    List<Series> series = new ArrayList<>();
    series.add(Series.of(Look.OURS, ofOurs(bench).filter(wanted), place, this::best));
    addPeers(series, bench, wanted, place);
    return new BarPlot(id, title, "program", cases.stream().map(c -> names.getOrDefault(c, c)).toList(), series);
  }

  BarPlot startUp() {
    List<Integer> ranks = figures.of("startup").map(Figure::ranks).distinct().sorted().toList();
    Function<Figure, Double> place = f -> (double) ranks.indexOf(f.ranks());
    List<Series> series = new ArrayList<>();
    series.add(Series.of(Look.OURS, ofOurs("startup").filter(f -> f.name().equals("default")), place, this::best));
    series.add(Series.of(Look.SOURCE, ofOurs("startup").filter(f -> f.name().equals("source")), place, this::best));
    series.add(Series.of(Look.TRAINED, ofOurs("startup").filter(f -> f.name().equals("trained")), place, this::best));
    addPeers(series, "startup", f -> true, place);
    return new BarPlot("startup", "A hello from start to exit", "ranks",
        ranks.stream().map(n -> n + (n == 1 ? " rank" : " ranks")).toList(), series);
  }

  private Series ours(Look look, String bench, Predicate<Figure> wanted) {
    return Series.of(look, ofOurs(bench).filter(wanted), Plots::size, this::best);
  }

  private Stream<Figure> ofOurs(String bench) {
    return figures.of(bench).filter(f -> f.impl().equals(Figures.OURS));
  }

  private void addPeers(List<Series> series, String bench, Predicate<Figure> wanted, Function<Figure, Double> place) {
    series.add(Series.of(Look.OPENMPI, figures.of(bench).filter(f -> f.impl().equals("openmpi")).filter(wanted),
        place, f -> Double.NaN));
    series.add(Series.of(Look.MPICH, figures.of(bench).filter(f -> f.impl().equals("mpich")).filter(wanted), place,
        f -> Double.NaN));
  }

  private static double size(Figure f) {
    return f.size();
  }

  private static String group(Figure f) {
    return f.name().split("\\|")[0];
  }

  /** Returns the median of the better C library for one of our figures. */
  double best(Figure f) {
    return figures.bestPeer(f.bench(), peerCase(f), f.ranks(), f.size()).map(Figure::median).orElse(Double.NaN);
  }

  private static String peerCase(Figure f) {
    return switch (f.part()) {
      case "p2p" -> f.name().endsWith("-dirty") ? "native-dirty" : "native-clean";
      case "startup" -> "plain";
      default -> group(f);
    };
  }
}
