// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;

/** A distributed matrix transposed, in one call with derived types and by packing. */
final class TransposeSuite extends RankSuite {
  private static final long MOST_ROWS = 1 << 14;

  private static final List<Long> SIZES = List.of(512L << 10, 8L << 20, 32L << 20);

  TransposeSuite() {
    super(new Implementation.Program("transpose", "org.ffmpi.bench.rank.Transpose"));
  }

  @Override
  public String name() {
    return "transpose";
  }

  @Override
  public String summary() {
    return "a distributed matrix transposed by one alltoallw, and by packing and alltoall";
  }

  @Override
  public List<String> benches() {
    return List.of("transpose");
  }

  @Override
  public List<String> cases() {
    return List.of("alltoallw|native", "alltoallw|shared", "packed|native", "packed|shared");
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return ffmpiCase.split("\\|")[0];
  }

  /** As for all matters of derived types. */
  @Override
  List<String> launcherOptions() {
    return List.of("--vector", "on");
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2, 4);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return SIZES;
  }

  /** Those of square matrices. */
  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return sizes.stream().filter(bytes -> {
      long n = Math.round(Math.sqrt(bytes / (double) Double.BYTES));
      return n > 0 && n <= MOST_ROWS && n * n * Double.BYTES == bytes;
    }).toList();
  }

  @Override
  public String refuses(int ranks) {
    return null;
  }
}
