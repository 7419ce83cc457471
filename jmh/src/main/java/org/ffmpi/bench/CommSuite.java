// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;

/** The cost of making and freeing a communicator, also with more ranks than cores. */
final class CommSuite extends RankSuite {
  CommSuite() {
    super(new Implementation.Program("comm", "org.ffmpi.bench.rank.CommLife"));
  }

  @Override
  public String name() {
    return "comm";
  }

  @Override
  public String summary() {
    return "duplicating and splitting the world, and freeing what came out";
  }

  @Override
  public List<String> benches() {
    return List.of("comm");
  }

  @Override
  public List<String> cases() {
    return List.of("dup-free", "split", "dup-use", "split-use");
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return ffmpiCase;
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2, 4, 8);
  }

  /** Nothing is sent that would have a size. */
  @Override
  public List<Long> defaultSizes(boolean quick) {
    return List.of(0L);
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return List.of(0L);
  }

  @Override
  public String refuses(int ranks) {
    return null;
  }
}
