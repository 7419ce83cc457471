// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The deviation from 1 of a revision's ratio to itself. A single row's ratio is itself a random number, so a row's
 * noise is at least what nine in ten rows of its suite and number of ranks stay within.
 */
final class Noise {
  /** No revision has been compared with itself. */
  static final Noise NONE = new Noise(List.of());

  private static final double MOST_ROWS = 0.9;

  private final Map<String, Double> rows = new HashMap<>();
  private final Map<String, Double> groups = new HashMap<>();

  private Noise(List<String> lines) {
    Map<String, List<Double>> members = new HashMap<>();
    for (String line : lines) {
      String[] f = line.split(",");
      double ratio = Double.parseDouble(f[Ratios.RATIO_COLUMN]);
      double deviation = Math.max(ratio, 1 / ratio);
      rows.put(key(f[0], new Point(f[1], f[2], Integer.parseInt(f[3]), Long.parseLong(f[4]))), deviation);
      members.computeIfAbsent(group(f[0], Integer.parseInt(f[3])), k -> new ArrayList<>()).add(deviation);
    }
    members.forEach((group, deviations) -> {
      Collections.sort(deviations);
      int index = (int) Math.ceil(MOST_ROWS * deviations.size()) - 1;
      groups.put(group, deviations.get(index));
    });
  }

  /** Reads the CSV of an earlier {@code ab}. */
  static Noise read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty() || !lines.getFirst().equals(Ratios.HEADER)) {
      throw new BenchOptions.UsageException("--noise " + file + ": the first line must be " + Ratios.HEADER);
    }
    return of(lines.subList(1, lines.size()));
  }

  /** Takes the rows of a CSV, without its header. */
  static Noise of(List<String> lines) {
    return new Noise(lines);
  }

  /** Returns a ratio that is not noise when exceeded; NaN when nothing is known about the row's suite and ranks. */
  double limit(String suite, Point point) {
    double group = groups.getOrDefault(group(suite, point.ranks()), Double.NaN);
    return Math.max(group, rows.getOrDefault(key(suite, point), 1.0));
  }

  private static String group(String suite, int ranks) {
    return suite + " " + ranks;
  }

  private static String key(String suite, Point p) {
    return suite + " " + p;
  }
}
