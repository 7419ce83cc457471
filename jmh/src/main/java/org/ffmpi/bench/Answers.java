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
  /** The bench of the k-th call of a fresh job. */
  static final String CALL = "call";

  /** The bench of the sum of all calls up to the k-th. */
  static final String SUM = "sum";

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
        sink.accept(sample(ranks, line, last[0], now, o));
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

  /**
   * Runs a program that answers with the times of its k-th calls and the sums up to them, and hands over a sample for
   * each point, whose size is k.
   *
   * @param program makes the calls, and answers by names such as {@code call,10}
   */
  static void firstCalls(Implementation implementation, List<Point> points, BenchOptions o, Calls program,
      Consumer<Sample> sink) throws IOException, InterruptedException {
    CpuAccount account = new CpuAccount();
    CpuAccount.Reading from = account.read();
    Map<String, Double> answers = program.run();
    CpuAccount.Reading to = account.read();
    for (Point p : points) {
      Double value = answers.get(p.bench() + "," + p.bytes());
      if (value == null) {
        throw new IOException(implementation.id() + ": " + p.name() + " did not answer for " + p.bench() + " "
            + p.bytes());
      }
      sink.accept(Sample.between(from, to, o, p, p.bench().equals(CALL) ? "us" : "ms", 0, value));
    }
  }

  /** A program that makes first calls. */
  interface Calls {
    Map<String, Double> run() throws IOException, InterruptedException;
  }

  private static Sample sample(
      int ranks, String line, CpuAccount.Reading from, CpuAccount.Reading to, BenchOptions o) {
    String[] f = line.split(",");
    if (f.length <= VALUES) {
      throw new IllegalStateException("not a point: " + line);
    }
    double[] values = Arrays.stream(f, VALUES, f.length).mapToDouble(Double::parseDouble).toArray();
    Point point = new Point(f[1], f[2].toLowerCase(Locale.ROOT), ranks, Long.parseLong(f[3]));
    return Sample.between(from, to, o, point, f[4], Double.parseDouble(f[5]), values);
  }
}
