// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;

/** The cost of long queues of posted receives and of unexpected messages: matching with distinct tags, out of order. */
final class MatchingSuite extends RankSuite {
  private static final List<String> CASES = List.of(
      "posted", "posted-100", "posted-1000", "posted-anysource",
      "unexpected", "unexpected-100", "unexpected-1000", "unexpected-anysource");

  MatchingSuite() {
    super(new Implementation.Program("matching", "org.ffmpi.bench.rank.Matching"));
  }

  @Override
  public String name() {
    return "matching";
  }

  @Override
  public String summary() {
    return "10,000 posted receives or unexpected messages with distinct tags between two ranks";
  }

  @Override
  public List<String> benches() {
    return List.of("matching");
  }

  @Override
  public List<String> cases() {
    return CASES;
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return ffmpiCase;
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return List.of(8L);
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return sizes;
  }

  @Override
  public String refuses(int ranks) {
    return ranks == 2 ? null : "matching is between 2 ranks";
  }
}
