// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Finds out of the times of all algorithms the settings that choose the fastest, for one number of ranks. */
final class Tuning {
  /** The choice of ffmpi itself. */
  static final String AUTO = "auto";

  /** Less than this is noise: not worth a line in a setting. */
  private static final double WORTH = 1.05;

  private static final String UNITS = "KMG";

  private final int ranks;
  /** Times by operation, length and algorithm. */
  private final Map<String, TreeMap<Long, Map<String, Time>>> times = new LinkedHashMap<>();

  Tuning(int ranks) {
    this.ranks = ranks;
  }

  /** Returns what settings call an operation of the suites. */
  static String label(String name) {
    return name.replace('_', '-');
  }

  /** Returns the option of mpirun that chooses an algorithm. */
  static String option(String name, String choice) {
    return "--coll-" + label(name) + "=" + choice;
  }

  /** Takes the middle and the least of the times of an algorithm. */
  void add(String name, long bytes, String algorithm, double median, double least) {
    times.computeIfAbsent(name, k -> new TreeMap<>()).computeIfAbsent(bytes, k -> new LinkedHashMap<>())
        .put(algorithm, new Time(median, least));
  }

  /**
   * The time of an algorithm. A delayed repetition spoils neither number, a slow job only the median.
   */
  private record Time(double median, double least) {
    boolean isAboutAsFastAs(Time other) {
      return median <= WORTH * other.median || least <= WORTH * other.least;
    }
  }

  /**
   * Returns what to set for an operation, or auto where what ffmpi chooses is as fast.
   *
   * @param name the operation, as the suites call it
   */
  String choice(String name) {
    TreeMap<Long, Map<String, Time>> bySize = complete(times.get(name));
    if (bySize.firstEntry().getValue().keySet().stream().allMatch(AUTO::equals)) {
      return AUTO;
    }
    String choice = knowsLengths(name) ? byLength(name, bySize) : forAll(bySize);
    boolean gains = bySize.entrySet().stream().anyMatch(e -> {
      Time before = e.getValue().get(AUTO);
      return before == null || !before.isAboutAsFastAs(e.getValue().get(at(choice, contribution(name, e.getKey()))));
    });
    return gains ? choice : AUTO;
  }

  /** Returns the times of the algorithms that have been measured at all lengths: a campaign may have ended early. */
  private static TreeMap<Long, Map<String, Time>> complete(TreeMap<Long, Map<String, Time>> bySize) {
    TreeMap<Long, Map<String, Time>> complete = new TreeMap<>();
    bySize.forEach((bytes, of) -> {
      Map<String, Time> times = new LinkedHashMap<>(of);
      times.keySet().removeIf(algorithm -> bySize.values().stream().anyMatch(o -> !o.containsKey(algorithm)));
      complete.put(bytes, times);
    });
    return complete;
  }

  /** Returns false where each block has a length of its own, on which the choice cannot depend. */
  private static boolean knowsLengths(String name) {
    return !name.endsWith("v");
  }

  /** Returns a list of algorithms, each but the last with the length up to which it is to be used. */
  private String byLength(String name, TreeMap<Long, Map<String, Time>> bySize) {
    List<String> parts = new ArrayList<>();
    String present = null;
    long last = 0;
    for (Map.Entry<Long, Map<String, Time>> e : bySize.entrySet()) {
      long bytes = contribution(name, e.getKey());
      String best = fastest(e.getValue());
      if (present != null && e.getValue().get(present).isAboutAsFastAs(e.getValue().get(best))) {
        best = present; // what is in use for shorter messages stays
      }
      if (present != null && !best.equals(present)) {
        parts.add(present + "<=" + size(between(last, bytes)));
      }
      present = best;
      last = bytes;
    }
    parts.add(present);
    return String.join(",", parts);
  }

  /** Returns the algorithm that loses the least against the best at each length, in all. */
  private static String forAll(TreeMap<Long, Map<String, Time>> bySize) {
    Map<String, Time> losses = new LinkedHashMap<>();
    for (Map<String, Time> of : bySize.values()) {
      double best = of.get(fastest(of)).median();
      of.forEach((algorithm, time) -> losses.merge(algorithm, new Time(Math.log(time.median() / best), 0),
          (a, b) -> new Time(a.median() + b.median(), 0)));
    }
    return fastest(losses);
  }

  private static String fastest(Map<String, Time> of) {
    return of.entrySet().stream().filter(e -> !e.getKey().equals(AUTO))
        .min(Comparator.comparingDouble(e -> e.getValue().median())).orElseThrow().getKey();
  }

  /** Returns the length by which ffmpi chooses: of a block where the suite counts the whole vector. */
  private long contribution(String name, long bytes) {
    return name.equals("reduce_scatter_block") ? Math.max(Double.BYTES, bytes / ranks) : bytes;
  }

  /** Returns a power of two about in the middle, on a scale of ratios; not below the lower length. */
  private static long between(long lower, long upper) {
    return Math.max(lower, Long.highestOneBit((long) Math.sqrt((double) lower * upper)));
  }

  private static String size(long bytes) {
    int unit = -1;
    while (unit < UNITS.length() - 1 && bytes >= 1024 && bytes % 1024 == 0) {
      bytes /= 1024;
      unit++;
    }
    return unit < 0 ? Long.toString(bytes) : bytes + UNITS.substring(unit, unit + 1);
  }

  /** Returns the lines of a file that mpirun reads as options. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("# the fastest algorithms with " + ranks + " ranks on this machine: mpirun -n " + ranks + " @FILE ...");
    for (String name : times.keySet()) {
      String choice = choice(name);
      if (!choice.equals(AUTO)) {
        lines.add(option(name, choice) + gain(name, choice));
      }
    }
    if (lines.size() == 1) {
      lines.add("# none is faster than what ffmpi chooses by itself");
    }
    return lines;
  }

  /** Returns a comment on how much faster the choice is than that of ffmpi, where that is known. */
  private String gain(String name, String choice) {
    List<String> gains = new ArrayList<>();
    times.get(name).forEach((bytes, of) -> {
      Time after = of.get(at(choice, contribution(name, bytes)));
      Time before = of.get(AUTO);
      if (before != null && !before.isAboutAsFastAs(after)) {
        gains.add(String.format(Locale.ROOT, "%s: %.2f", size(bytes), after.median() / before.median()));
      }
    });
    return gains.isEmpty() ? "" : "  # of the time by bytes: " + String.join(", ", gains);
  }

  /** Returns the algorithm that a choice means for a length. */
  private static String at(String choice, long bytes) {
    for (String part : choice.split(",")) {
      int limit = part.indexOf("<=");
      if (limit < 0 || bytes <= bytes(part.substring(limit + 2))) {
        return limit < 0 ? part : part.substring(0, limit);
      }
    }
    throw new AssertionError(choice);
  }

  private static long bytes(String size) {
    int unit = UNITS.indexOf(size.charAt(size.length() - 1));
    return unit < 0
        ? Long.parseLong(size)
        : Long.parseLong(size.substring(0, size.length() - 1)) << 10 * (unit + 1);
  }

  @Override
  public String toString() {
    return String.join(System.lineSeparator(), lines());
  }
}
