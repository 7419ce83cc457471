// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The plan of {@code scripts/bench report}, with the most telling rows of each suite. With {@code --quick} a round of
 * all parts takes three and a half minutes on two quiet cores, otherwise about seven.
 */
final class ReportPlan {
  static final List<String> NAMES =
      List.of("limits", "p2p", "matching", "coll", "ddt", "apps", "cold", "startup");

  /** Jobs of each implementation, at most. */
  static final int ROUNDS = 7;

  static final int QUICK_ROUNDS = 5;

  /** So many undisturbed jobs must be behind a row that has no mark. */
  static final int WANTED = 3;

  /** Of every suite: short waits for quiet cores, so that a busy machine does not use up the time. */
  private static final List<String> ALL = List.of("--reps", "3", "--seconds", "0.02", "--warmup", "0.05",
      "--settle", "5", "--extra-rounds", "0", "--timeout", "300");

  private static final Map<String, List<String>> FULL = Map.of(
      "limits", List.of("--sizes", "1,8,64,256,1K,4K,16K,64K,256K,1M,4M"),
      "p2p", List.of("--benches", "latency,bandwidth,rate", "--sizes", "1,8,64,256,1K,2K,4K,8K,16K,32K,64K,256K,1M,4M"),
      "matching", List.of("--cases", "posted-100,posted-1000,posted,unexpected-100,unexpected-1000,unexpected"),
      "coll", List.of("--ranks", "2", "--sizes", "8,256,1K,8K,64K,1M", "--cases", cases("barrier", "bcast",
          "allgather", "alltoall", "reduce", "allreduce", "gather", "scatter", "scan", "reduce_scatter_block")),
      "ddt", List.of("--cases", cases("vec1s2", "vec8s16", "indexed", "partstruct", "face_xz", "face_yz", "transpose")),
      "apps", List.of("--ranks", "2", "--benches", "wall,inside", "--sizes", "300,1000,4000"),
      "cold", List.of(),
      "startup", List.of("--ranks", "1,2,4,8", "--cases", "default,source,trained"));

  private static final Map<String, List<String>> QUICK = Map.of(
      "limits", List.of("--sizes", "8,64,256,1K,4K,16K,64K,256K,1M,4M"),
      "p2p", List.of("--benches", "latency,bandwidth,rate", "--sizes", "8,64,256,1K,4K,16K,64K,256K,1M,4M"),
      "coll", List.of("--ranks", "2", "--sizes", "8,1K,64K,1M", "--cases", cases("barrier", "bcast", "allgather",
          "alltoall", "reduce", "allreduce")),
      "ddt", List.of("--cases", cases("vec1s2", "indexed", "partstruct", "face_xz", "face_yz", "transpose"),
          "--sizes", "944,1K,8K,59000,64K,128K,1M,2M"),
      "apps", List.of("--ranks", "2", "--benches", "wall,inside", "--sizes", "1000"),
      "startup", List.of("--ranks", "1,2,4", "--cases", "default,source"));

  /** Of {@code --quick}: parts whose programs warm up with their own work alone, where all of it takes too long. */
  private static final List<String> BRIEF = List.of("matching", "coll", "ddt");

  /** Seconds of one turn of each implementation before any has been measured: ours, and each other. */
  private static final Map<String, int[]> SECONDS = Map.of(
      "limits", new int[] {4, 4},
      "p2p", new int[] {30, 8},
      "matching", new int[] {18, 6},
      "coll", new int[] {22, 5},
      "ddt", new int[] {36, 4},
      "apps", new int[] {14, 8},
      "cold", new int[] {14, 5},
      "startup", new int[] {2, 2});

  private static final int[] UNKNOWN = {1, 1};

  private ReportPlan() {}

  private static String cases(String... names) {
    List<String> cases = new ArrayList<>();
    for (String name : names) {
      if (name.equals("barrier")) {
        cases.add("barrier|native");
      } else {
        List.of("native", "heap", "shared").forEach(m -> cases.add(name + "|" + m));
      }
    }
    return String.join(",", cases);
  }

  /**
   * One part of the report.
   *
   * @param name the part
   * @param suite what measures it
   * @param options as if of the command line
   * @param ranks numbers of ranks
   * @param points which of the suite's points belong to it
   * @param arguments the options as words
   */
  record Part(String name, Suite suite, BenchOptions options, List<Integer> ranks, Predicate<Point> points,
      List<String> arguments) {
    /** Returns how long a turn takes as far as it can be known beforehand. */
    double seconds(boolean ours) {
      return SECONDS.getOrDefault(name, UNKNOWN)[ours ? 0 : 1];
    }
  }

  /** Returns a part. */
  static Part part(String name, boolean quick, Path root) {
    Suite suite = Suites.named(name, root);
    List<String> arguments = new ArrayList<>(ALL);
    arguments.addAll(quick ? QUICK.getOrDefault(name, FULL.get(name)) : FULL.get(name));
    BenchOptions options = BenchOptions.parse(arguments);
    options.brief = quick && BRIEF.contains(name);
    List<Integer> ranks = options.ranks.isEmpty() ? suite.ranks : options.ranks;
    return new Part(name, suite, options, ranks, ReportPlan::isShown, List.copyOf(arguments));
  }

  /** Freshly written data are shown for the latency only. */
  private static boolean isShown(Point p) {
    return p.bench().equals("latency") || !p.name().endsWith("-dirty");
  }
}
