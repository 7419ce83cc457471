// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All samples of a campaign, and what they amount to. */
final class Results {
  /** What is asked about: one point as one implementation does it. */
  record Key(String implementation, Point point) {}

  /**
   * A row of the CSV.
   *
   * @param key what was measured
   * @param unit unit of the numbers
   * @param min least value
   * @param median middle value
   * @param max greatest value
   * @param foreignPercent mean foreign CPU of the samples behind it
   * @param good false when too few undisturbed samples could be had
   */
  record Row(Key key, String unit, double min, double median, double max, double foreignPercent, boolean good) {}

  private final int wanted;
  private final Map<Key, List<Sample>> samples = new LinkedHashMap<>();

  /** Makes an empty collection that wants so many undisturbed samples of every point. */
  Results(int wanted) {
    this.wanted = wanted;
  }

  void add(String implementation, Sample s) {
    samples.computeIfAbsent(new Key(implementation, s.point()), k -> new ArrayList<>()).add(s);
  }

  /** Tells whether a point still lacks undisturbed samples. */
  boolean lacks(String implementation, Point point) {
    return samples.getOrDefault(new Key(implementation, point), List.of()).stream().filter(Sample::good).count()
        < wanted;
  }

  Row row(String implementation, Point point) {
    Key key = new Key(implementation, point);
    List<Sample> all = samples.get(key);
    if (all == null) {
      return null;
    }
    List<Sample> used = new ArrayList<>(all.stream().filter(Sample::good).toList());
    boolean good = used.size() >= wanted;
    if (!good) {
      all.stream().filter(s -> !s.good()).sorted(Comparator.comparingDouble(Sample::foreignPercent))
          .limit(wanted - used.size()).forEach(used::add);
    }
    double[] values = used.stream().flatMapToDouble(s -> Arrays.stream(s.values())).sorted().toArray();
    double foreign = used.stream().mapToDouble(Sample::foreignPercent).average().orElseThrow();
    return new Row(key, used.getFirst().unit(), values[0], median(values), values[values.length - 1], foreign, good);
  }

  Collection<Row> rows() {
    return samples.keySet().stream().map(k -> row(k.implementation(), k.point())).toList();
  }

  private static double median(double[] sorted) {
    int n = sorted.length;
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  }
}
