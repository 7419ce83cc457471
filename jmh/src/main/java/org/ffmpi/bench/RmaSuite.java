// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;
import java.util.Set;

/** One-sided operations between ranks of one node. */
final class RmaSuite extends RankSuite {
  private static final Set<String> OF_ANY_SIZE = Set.of("put", "get", "accumulate");
  /** Loads and stores of the program itself, for what a program without MPI would do. */
  private static final String DIRECT = "direct|native";
  private static final Set<String> HAVE_DIRECT = Set.of("put", "get", "accumulate", "strided", "fetch-and-op", "swap");
  private static final long STRIDED_BYTES = 128L << 10;
  private static final List<Long> SIZES = List.of(8L, 512L, 4L << 10, 64L << 10, 1L << 20, 4L << 20);
  private static final List<Long> FEW_SIZES = List.of(8L, 4L << 10, 64L << 10, 1L << 20);

  RmaSuite() {
    super(new Implementation.Program("rma", "org.ffmpi.bench.rank.Rma"));
  }

  @Override
  public String name() {
    return "rma";
  }

  @Override
  public String summary() {
    return "one-sided operations: put, get, accumulate, atomics, fences, locks";
  }

  @Override
  public List<String> benches() {
    return List.of(
        "put", "get", "put-rate", "accumulate", "strided", "fetch-and-op", "swap", "counter", "fence", "pscw", "lock",
        "locks");
  }

  @Override
  public List<String> cases() {
    return List.of("allocate|native", "allocate|heap", "shared|native", "array|heap", DIRECT);
  }

  /** C has no arrays that only their owner reaches; what a program does by itself is compared with shared windows. */
  @Override
  public String peerCase(String ffmpiCase) {
    return ffmpiCase.startsWith("shared") || ffmpiCase.equals(DIRECT) ? "shared" : "allocate";
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return quick ? FEW_SIZES : SIZES;
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    if (name.equals(DIRECT) && !HAVE_DIRECT.contains(bench)) {
      return List.of();
    }
    if (bench.equals("strided")) {
      return List.of(STRIDED_BYTES);
    }
    return OF_ANY_SIZE.contains(bench) ? sizes.stream().filter(n -> n > 0 && n % 8 == 0).toList() : List.of(8L);
  }

  @Override
  public String refuses(int ranks) {
    return ranks < 2 ? "one rank has no target" : null;
  }
}
