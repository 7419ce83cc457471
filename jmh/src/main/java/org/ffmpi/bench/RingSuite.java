// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;

/**
 * Measurements with any number of ranks, also more of them than there are cores: a message going round, and a barrier.
 */
final class RingSuite extends RankSuite {
  RingSuite() {
    super(new Implementation.Program("ring", "org.ffmpi.bench.rank.Ring"));
  }

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public String summary() {
    return "a message round all ranks and a barrier, also with more ranks than cores";
  }

  @Override
  public List<String> benches() {
    return List.of("ring", "barrier");
  }

  @Override
  public List<String> cases() {
    return List.of("native-clean", "heap-clean");
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return "native-clean";
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2, 4, 8);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return List.of(8L, 1L << 10, 64L << 10);
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    if (bench.equals("barrier")) {
      return name.equals("native-clean") ? List.of(0L) : List.of();
    }
    return sizes;
  }

  @Override
  public String refuses(int ranks) {
    return ranks >= 2 ? null : "ring needs at least 2 ranks";
  }
}
