// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** The arguments that give programs their work, and their answers; {@code work.h} is the programs' side in C. */
final class Answers {
  /** Before the first value: the word "point", bench, case, bytes, unit and hop. */
  private static final int VALUES = 6;

  private Answers() {}

  /** Writes points as programs read them: sizes of one bench and case share an argument. */
  static List<String> work(List<Point> points) {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (Point p : points) {
      groups.computeIfAbsent(p.bench() + "/" + p.name(), k -> new ArrayList<>()).add(Long.toString(p.bytes()));
    }
    return groups.entrySet().stream().map(e -> e.getKey() + "/" + String.join(",", e.getValue())).toList();
  }

  /** Returns the options that all programs take. */
  static List<String> options(BenchOptions o) {
    return List.of(
        "--reps", Integer.toString(o.reps),
        "--seconds", Double.toString(o.seconds),
        "--warmup", Double.toString(o.pointWarmUp));
  }

  /** Runs a program and hands over a sample for each of its answers, with the CPU time others used meanwhile. */
  static void collect(ProcessBuilder builder, int ranks, BenchOptions o, Consumer<Sample> sink)
      throws IOException, InterruptedException {
    CpuAccount account = new CpuAccount();
    CpuAccount.Reading[] last = {account.read()};
    Run.start(builder, o.timeout, line -> {
      if (line.equals("ready")) {
        account.refresh();
        last[0] = account.read();
      } else if (line.startsWith("point,")) {
        CpuAccount.Reading now = account.read();
        sink.accept(sample(ranks, line, last[0], now, o.maxForeign));
        last[0] = now;
      } else {
        System.err.println(line);
      }
    });
  }

  /**
   * Runs a program that answers with lines of a name, a comma and a number.
   *
   * @return the numbers by their names, which may have commas in them
   */
  static Map<String, Double> facts(ProcessBuilder builder, int timeoutSeconds)
      throws IOException, InterruptedException {
    Map<String, Double> facts = new LinkedHashMap<>();
    Run.start(builder, timeoutSeconds, line -> {
      int comma = line.lastIndexOf(',');
      if (comma < 0) {
        System.err.println(line);
      } else {
        facts.put(line.substring(0, comma), Double.parseDouble(line.substring(comma + 1)));
      }
    });
    return facts;
  }

  private static Sample sample(
      int ranks, String line, CpuAccount.Reading from, CpuAccount.Reading to, double maxForeign) {
    String[] f = line.split(",");
    if (f.length <= VALUES) {
      throw new IllegalStateException("not a point: " + line);
    }
    double[] values = Arrays.stream(f, VALUES, f.length).mapToDouble(Double::parseDouble).toArray();
    return new Sample(new Point(f[1], f[2].toLowerCase(Locale.ROOT), ranks, Long.parseLong(f[3])), f[4], values,
        Double.parseDouble(f[5]), CpuAccount.foreignPercent(from, to), CpuAccount.within(from, to, maxForeign));
  }
}
