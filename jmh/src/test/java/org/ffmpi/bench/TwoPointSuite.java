// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;

/** A suite of two points, for programs that tests run and stop; what its jobs do is theirs. */
interface TwoPointSuite extends Suite {
  @Override
  default String name() {
    return "two";
  }

  @Override
  default String summary() {
    return "two points";
  }

  @Override
  default List<String> benches() {
    return List.of("latency");
  }

  @Override
  default List<String> cases() {
    return List.of("short");
  }

  @Override
  default String peerCase(String ffmpiCase) {
    return ffmpiCase;
  }

  @Override
  default List<Integer> defaultRanks() {
    return List.of(2);
  }

  @Override
  default List<Long> defaultSizes(boolean quick) {
    return List.of(8L, 16L);
  }

  @Override
  default List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return sizes;
  }

  @Override
  default String refuses(int ranks) {
    return null;
  }

  @Override
  default List<String> cPrograms() {
    return List.of();
  }
}
