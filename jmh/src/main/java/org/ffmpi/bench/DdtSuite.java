// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;
import java.util.Map;

/** Ping-pongs between two ranks with a derived type at both ends. Sizes are payloads, and each type has its own. */
final class DdtSuite extends RankSuite {
  private static final List<String> MEMORIES = List.of("native", "heap", "shared");

  private static final List<Long> SIZES = List.of(944L, 1L << 10, 8L << 10, 59_000L, 64L << 10, 128L << 10, 1L << 20,
      2L << 20, 3_600_000L);
  private static final List<Long> QUICK_SIZES = List.of(8L << 10, 59_000L, 64L << 10);

  /** Edges 32 and 128; for the transpose also 512. */
  private static final List<Long> FACES = List.of(8L << 10, 128L << 10);

  private static final List<Long> TRANSPOSES = List.of(8L << 10, 128L << 10, 2L << 20);

  /** 16 and 1,000 structs. */
  private static final List<Long> STRUCTS = List.of(944L, 59_000L);

  private static final List<Long> VECTORS = List.of(1L << 10, 64L << 10, 1L << 20);

  /** The largest has about 100,000 blocks. */
  private static final List<Long> BLOCKS = List.of(1L << 10, 64L << 10, 1L << 20, 3_600_000L);

  private static final List<String> TYPES = List.of("contig", "vec1s2", "vec8s16", "indexed", "partstruct", "face_xy",
      "face_xz", "face_yz", "transpose");

  private static final Map<String, List<Long>> SIZES_OF = Map.of(
      "contig", SIZES,
      "vec1s2", VECTORS,
      "vec8s16", VECTORS,
      "indexed", BLOCKS,
      "partstruct", STRUCTS,
      "face_xy", FACES,
      "face_xz", FACES,
      "face_yz", FACES,
      "transpose", TRANSPOSES);

  DdtSuite() {
    super(new Implementation.Program("ddt", "org.ffmpi.bench.rank.Ddt"));
  }

  /** Programs that send derived types use the Vector API, as experts choose the transports of the peers. */
  @Override
  List<String> launcherOptions() {
    return List.of("--vector", "on");
  }

  @Override
  public String name() {
    return "ddt";
  }

  @Override
  public String summary() {
    return "ping-pong with a derived type at both ends; sizes are payloads";
  }

  @Override
  public List<String> benches() {
    return List.of("ddt");
  }

  @Override
  public List<String> cases() {
    return TYPES.stream().flatMap(t -> MEMORIES.stream().map(m -> t + "|" + m)).toList();
  }

  /** The direct message: one copy out of the sender's memory. */
  @Override
  public String reference() {
    return "contig|shared";
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return ffmpiCase.split("\\|")[0];
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
    return SIZES_OF.get(peerCase(name)).stream().filter(sizes::contains).toList();
  }

  @Override
  public String refuses(int ranks) {
    return ranks == 2 ? null : "ddt is between 2 ranks";
  }
}
