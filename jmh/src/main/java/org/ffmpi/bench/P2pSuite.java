// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;

/** Point-to-point between two ranks: latency, bandwidth, both directions at once, message rate. */
final class P2pSuite extends RankSuite {
  /** Above this a message rate is a bandwidth in disguise. */
  private static final long LARGEST_RATE = 4096;

  private static final List<Long> SIZES = List.of(0L, 1L, 8L, 64L, 256L, 1L << 10, 4L << 10, 16L << 10, 64L << 10,
      256L << 10, 1L << 20, 4L << 20);
  private static final List<Long> QUICK_SIZES = List.of(8L, 1L << 10, 64L << 10, 1L << 20);

  P2pSuite() {
    super(new Implementation.Program("p2p", "org.ffmpi.bench.rank.P2p"));
  }

  @Override
  public String name() {
    return "p2p";
  }

  @Override
  public String summary() {
    return "latency, bandwidth, both directions and message rate between two ranks";
  }

  @Override
  public List<String> benches() {
    return List.of("latency", "bandwidth", "bidirectional", "rate");
  }

  /**
   * The ping-pong of latency with other forms of send, and the store loop of the dirty cases alone, which says how much
   * of a difference it may make.
   */
  @Override
  public List<String> controls() {
    return List.of("nonblocking", "persistent", "fill");
  }

  @Override
  public List<String> cases() {
    return List.of("native-clean", "heap-clean", "shared-clean", "native-dirty", "heap-dirty", "shared-dirty");
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return ffmpiCase.endsWith("-dirty") ? "native-dirty" : "native-clean";
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return quick ? QUICK_SIZES : SIZES;
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return switch (bench) {
      case "rate" -> sizes.stream().filter(n -> n <= LARGEST_RATE).toList();
      case "nonblocking", "persistent" -> name.endsWith("-clean") ? sizes : List.of();
      case "fill" -> name.endsWith("-dirty") ? sizes.stream().filter(n -> n > 0).toList() : List.of();
      case "bandwidth", "bidirectional" -> sizes.stream().filter(n -> n > 0).toList();
      default -> sizes;
    };
  }

  @Override
  public String refuses(int ranks) {
    return ranks == 2 ? null : "p2p is between 2 ranks";
  }
}
