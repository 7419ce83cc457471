// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.ffmpi.bench.rank.ShortCall;
import org.ffmpi.launcher.Job;

/** Runs {@code scripts/bench calls}, which counts the methods that a short call enters, or times it interpreted. */
final class CallCounts {
  /** The table of what is allowed, which a test reads. */
  static final String TABLE = "jmh/src/test/resources/entered-methods.txt";

  static final String HELP = """
      usage: scripts/bench calls [options]

      Counts the methods of the library that one call enters, with a debugger, at rank 0 of two, with int[2], after
      thirty calls of its kind: all methods entered, different ones, their classes, and the most active at once. Data of
      the other rank are there when the call begins. Of nine calls the one with the fewest methods counts.
      There is no timing in it.

      options:
        --calls LIST   only these: %s
        --tree CALL    print the methods that the call enters, indented, in place of the table
        --interpreted  the time of calls instead, in microseconds, without a compiler (-Xint), of both ranks:
                       %s
        --write        write the counts to %s,
                       where a test finds how many each call may enter
      """;

  private CallCounts() {}

  /**
   * Runs the command.
   *
   * @param args what follows {@code calls}
   * @param root where the project lies
   * @param programs class path of the ranks
   */
  static void run(List<String> args, Path root, String programs) throws IOException, InterruptedException {
    List<ShortCall> calls = List.of();
    ShortCall tree = null;
    boolean interpreted = false;
    boolean write = false;
    for (int i = 0; i < args.size(); i++) {
      String[] option = args.get(i).split("=", 2);
      switch (option[0]) {
        case "--help", "-h" -> {
          System.out.printf(HELP, titles(counted()), titles(timed()), TABLE);
          return;
        }
        case "--interpreted" -> interpreted = true;
        case "--write" -> write = true;
        case "--calls", "--tree" -> {
          if (option.length == 1 && i + 1 == args.size()) {
            throw new BenchOptions.UsageException(option[0] + ": a value is missing");
          }
          List<ShortCall> named = named(option[0], option.length == 2 ? option[1] : args.get(++i));
          if (option[0].equals("--calls")) {
            calls = named;
          } else {
            tree = named.getFirst();
          }
        }
        default -> throw new BenchOptions.UsageException("calls " + option[0] + ": there is no such option");
      }
    }
    if (write && (interpreted || tree != null || !calls.isEmpty())) {
      throw new BenchOptions.UsageException("calls --write counts all calls: it goes with no other option");
    }
    if (tree != null) {
      System.out.print(CallCounter.count(check(List.of(tree), counted()), programs).get(tree.title).text());
    } else if (interpreted) {
      System.out.print(times(check(calls, timed()), programs));
    } else {
      Map<String, CallTree> counts = CallCounter.count(check(calls, counted()), programs);
      System.out.print(table(counts));
      if (write) {
        Files.writeString(root.resolve(TABLE), written(counts));
      }
    }
  }

  /** Returns the calls whose methods are counted. */
  static List<ShortCall> counted() {
    return Arrays.stream(ShortCall.values()).filter(c -> c.counted).toList();
  }

  private static List<ShortCall> timed() {
    return Arrays.stream(ShortCall.values()).filter(c -> c.timed).toList();
  }

  private static String titles(List<ShortCall> calls) {
    return calls.stream().map(c -> c.title).collect(Collectors.joining(", "));
  }

  private static List<ShortCall> named(String option, String list) {
    return Arrays.stream(list.split(",")).map(title -> Arrays.stream(ShortCall.values())
        .filter(c -> c.title.equals(title)).findFirst().orElseThrow(() -> new BenchOptions.UsageException(
            option + " " + title + ": known are " + titles(List.of(ShortCall.values()))))).toList();
  }

  private static List<ShortCall> check(List<ShortCall> calls, List<ShortCall> possible) {
    for (ShortCall c : calls) {
      if (!possible.contains(c)) {
        throw new BenchOptions.UsageException(c.title + ": possible here are " + titles(possible));
      }
    }
    return calls.isEmpty() ? possible : calls;
  }

  private static String table(Map<String, CallTree> counts) {
    StringBuilder b = new StringBuilder(String.format("%-18s %8s %10s %8s %6s%n",
        "call", "entered", "different", "classes", "depth"));
    counts.forEach((title, t) -> b.append(String.format("%-18s %8d %10d %8d %6d%n",
        title, t.entered(), t.different(), t.classes(), t.depth())));
    return b.toString();
  }

  private static String times(List<ShortCall> calls, String programs) throws IOException, InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Job job = CallCounter.launcher("time", calls, programs).javaOptions("-Xint").output(out).start()) {
      CallCounter.await(job);
    }
    StringBuilder b = new StringBuilder(String.format("%-18s %8s%n", "call, -Xint", "us"));
    for (String line : out.toString(StandardCharsets.UTF_8).lines().toList()) {
      String[] parts = line.split(",");
      b.append(String.format(Locale.ROOT, "%-18s %8.1f%n", parts[0], Double.parseDouble(parts[1])));
    }
    return b.toString();
  }

  private static String written(Map<String, CallTree> counts) {
    StringBuilder b = new StringBuilder("""
        # The most methods of the library that a call may enter, written by scripts/bench calls --write.
        """);
    counts.forEach((title, t) -> b.append(title).append(' ').append(t.entered()).append('\n'));
    return b.toString();
  }

  /** Reads what is written there. */
  static Map<String, Integer> read(String text) {
    Map<String, Integer> most = new LinkedHashMap<>();
    text.lines().filter(line -> !line.startsWith("#")).map(line -> line.split(" "))
        .forEach(words -> most.put(words[0], Integer.valueOf(words[1])));
    return most;
  }
}
