// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All samples of a campaign and the rows computed from them. Methods lock, since a campaign that is stopped is read
 * while it still runs.
 *
 * <p>A sample counts when others kept off the cores while it was taken and the cores were in the campaign's state. The
 * states: on a virtual machine the two cores may lie in one cache domain at one moment and in two the next, for seconds
 * or minutes; a cache line then takes four times as long from one to the other, and every small message two to four
 * times. Figures of the two states must not be compared. The campaign's state is the one most of its samples
 * were taken in, unless the command line chooses.
 */
final class Results {
  /** A hop above this multiple of the least hop seen is one between cache domains; measured 45 and 220 ns. */
  private static final double FAR = 2;

  /** The state of the cores whose samples count. */
  enum State {
    NEAR, FAR, MOST
  }

  /** A point of one implementation. */
  record Key(String implementation, Point point) {}

  /**
   * A row of the CSV.
   *
   * @param key implementation and point
   * @param unit unit of the numbers
   * @param min least value
   * @param median middle value
   * @param max greatest value
   * @param worstJob the worst of the jobs' medians, each sample being a job of its own
   * @param foreignPercent mean foreign CPU of the samples behind it
   * @param good false when too few samples that count could be had
   */
  record Row(
      Key key, String unit, double min, double median, double max, double worstJob, double foreignPercent,
      boolean good) {
    /** Returns by which factor the worst job is worse than the median; 1 or more. */
    double worstRatio() {
      return Report.lowerIsBetter(unit) ? worstJob / median : median / worstJob;
    }
  }

  private final int wanted;
  private final State state;
  private final Map<Key, List<Sample>> samples = new LinkedHashMap<>();
  private final List<Sample> all = new ArrayList<>();
  private double leastHop = Double.MAX_VALUE;
  /** The result of {@link #campaignIsFar} since the last sample; null when it has not been called. */
  private Boolean far;

  /** Makes an empty collection that wants so many samples of every point, taken in that state of the cores. */
  Results(int wanted, State state) {
    this.wanted = wanted;
    this.state = state;
  }

  synchronized void add(String implementation, Sample s) {
    samples.computeIfAbsent(new Key(implementation, s.point()), k -> new ArrayList<>()).add(s);
    all.add(s);
    far = null;
    if (s.hop() > 0) {
      leastHop = Math.min(leastHop, s.hop());
    }
  }

  /** Returns whether a sample counts, by what is known so far. */
  synchronized boolean counts(Sample s) {
    return s.quiet() && inState(s);
  }

  /** Returns whether a point still lacks samples that count. */
  synchronized boolean lacks(String implementation, Point point) {
    return samples.getOrDefault(new Key(implementation, point), List.of()).stream().filter(this::counts).count()
        < wanted;
  }

  synchronized Row row(String implementation, Point point) {
    Key key = new Key(implementation, point);
    List<Sample> used = used(implementation, point);
    if (used.isEmpty()) {
      return null;
    }
    boolean good = used.size() >= wanted && used.stream().allMatch(this::counts);
    double[] values = used.stream().flatMapToDouble(s -> Arrays.stream(s.values())).sorted().toArray();
    double[] jobs =
        used.stream().mapToDouble(s -> median(Arrays.stream(s.values()).sorted().toArray())).sorted().toArray();
    double worst = Report.lowerIsBetter(used.getFirst().unit()) ? jobs[jobs.length - 1] : jobs[0];
    double foreign = Math.max(0, used.stream().mapToDouble(Sample::foreignPercent).average().orElseThrow());
    return new Row(key, used.getFirst().unit(), values[0], median(values), values[values.length - 1], worst, foreign,
        good);
  }

  /** Returns the samples behind a row: those that count, else the least disturbed ones; in the order of the rounds. */
  synchronized List<Sample> used(String implementation, Point point) {
    List<Sample> ofKey = samples.getOrDefault(new Key(implementation, point), List.of());
    List<Sample> used = new ArrayList<>(ofKey.stream().filter(this::counts).toList());
    if (used.size() < wanted) {
      ofKey.stream().filter(s -> !counts(s))
          .sorted(Comparator.comparing((Sample s) -> !inState(s)).thenComparingDouble(Sample::foreignPercent))
          .limit(wanted - used.size()).forEach(used::add);
    }
    used.sort(Comparator.comparingInt(ofKey::indexOf));
    return used;
  }

  synchronized Collection<Row> rows() {
    return samples.keySet().stream().map(k -> row(k.implementation(), k.point())).toList();
  }

  /** Returns how many samples there are of a point, those included that do not count. */
  synchronized int count(String implementation, Point point) {
    return samples.getOrDefault(new Key(implementation, point), List.of()).size();
  }

  /**
   * The disturbances of a campaign.
   *
   * @param samples how many were taken
   * @param foreign how many met foreign work
   * @param otherState how many of the others met the cores in another state
   * @param hop median time of a cache line from one core to the other in the samples that count, ns; NaN if unknown
   */
  record Disturbances(int samples, int foreign, int otherState, double hop) {}

  /** Returns what disturbed the campaign. */
  synchronized Disturbances disturbances() {
    double[] hops = all.stream().filter(s -> s.hop() > 0 && counts(s)).mapToDouble(Sample::hop).sorted().toArray();
    return new Disturbances(all.size(), (int) all.stream().filter(s -> !s.quiet()).count(),
        (int) all.stream().filter(s -> s.quiet() && !inState(s)).count(),
        hops.length == 0 ? Double.NaN : median(hops));
  }

  /** Returns in which state the cores were, in one line; empty when nothing is known about it. */
  synchronized String describeState() {
    double[] hops = all.stream().mapToDouble(Sample::hop).filter(h -> h > 0).sorted().toArray();
    if (hops.length == 0) {
      return "";
    }
    double[] counted = all.stream().filter(s -> s.hop() > 0 && inState(s)).mapToDouble(Sample::hop).sorted().toArray();
    return String.format(Locale.ROOT, "cores: a cache line takes %.0f ns from one to the other (median); %d of %d"
        + " samples were taken in another state and do not count%n",
        counted.length == 0 ? Double.NaN : median(counted), hops.length - counted.length, hops.length);
  }

  private boolean inState(Sample s) {
    return s.hop() == 0 || isFar(s) == campaignIsFar();
  }

  /** Returns whether the cores were as far from each other in one sample as in another, as far as that is known. */
  static boolean sameState(Sample one, Sample other) {
    double near = Math.min(one.hop(), other.hop());
    return near == 0 || Math.max(one.hop(), other.hop()) <= FAR * near;
  }

  private boolean campaignIsFar() {
    if (far == null) {
      far = findFar();
    }
    return far;
  }

  private boolean findFar() {
    return switch (state) {
      case NEAR -> false;
      case FAR -> true;
      case MOST -> {
        long known = all.stream().filter(s -> s.hop() > 0 && s.quiet()).count();
        yield 2 * all.stream().filter(s -> s.hop() > 0 && s.quiet() && isFar(s)).count() > known;
      }
    };
  }

  private boolean isFar(Sample s) {
    return s.hop() > FAR * leastHop;
  }

  static double median(double[] sorted) {
    int n = sorted.length;
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  }
}
