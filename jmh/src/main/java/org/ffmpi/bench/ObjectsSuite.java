// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;

/** Objects sent back and forth, compared with bare arrays of the same bytes. */
final class ObjectsSuite extends RankSuite {
  /** A record of numbers, and an object around ten thousand doubles. */
  private static final List<Long> SIZES = List.of(100L, 80_000L);

  ObjectsSuite() {
    super(new Implementation.Program("objects", "org.ffmpi.bench.rank.ObjectPingPong"));
  }

  @Override
  public String name() {
    return "objects";
  }

  @Override
  public String summary() {
    return "a record, and an object with an array, back and forth as objects and as bare arrays";
  }

  @Override
  public List<String> benches() {
    return List.of("latency");
  }

  @Override
  public List<String> cases() {
    return List.of("bare", "object", "codec");
  }

  /** C has no objects. */
  @Override
  public List<String> peers() {
    return List.of();
  }

  @Override
  public List<String> cPrograms() {
    return List.of();
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
    return SIZES;
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return sizes.stream().filter(SIZES::contains).toList();
  }

  @Override
  public String refuses(int ranks) {
    return ranks == 2 ? null : "objects is between 2 ranks";
  }
}
