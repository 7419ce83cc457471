// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;
import java.util.stream.Stream;

/** All collectives, also with more ranks than cores: a barrier before each call, mean over the ranks. */
final class CollSuite extends RankSuite {
  private static final String DIRTY = "-dirty";

  private static final String BARRIER = "barrier";

  /** In the order of the tables. */
  static final List<String> NAMES = List.of(BARRIER, "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather",
      "allgatherv", "alltoall", "alltoallv", "alltoallw", "reduce", "allreduce", "reduce_scatter_block",
      "reduce_scatter", "scan", "exscan");

  /** Where the buffers lie; persistent calls have theirs in native memory. */
  private static final List<String> FORMS = List.of("native", "heap", "shared", "persistent");

  private static final List<Long> SIZES = List.of(8L, 1L << 10, 64L << 10, 1L << 20);

  CollSuite() {
    super(new Implementation.Program("coll", "org.ffmpi.bench.rank.Coll"));
  }

  @Override
  public String name() {
    return "coll";
  }

  @Override
  public String summary() {
    return "all collectives, blocking and persistent, also with more ranks than cores";
  }

  @Override
  public List<String> benches() {
    return List.of("coll");
  }

  @Override
  public List<String> cases() {
    return NAMES.stream().flatMap(CollSuite::casesOf).toList();
  }

  /** A barrier has no buffers to lie somewhere or to be written. */
  private static Stream<String> casesOf(String name) {
    if (name.equals(BARRIER)) {
      return Stream.of(BARRIER + "|native", BARRIER + "|persistent");
    }
    return Stream.of("", DIRTY).flatMap(use -> FORMS.stream().map(form -> name + "|" + form + use));
  }

  @Override
  public String peerCase(String ffmpiCase) {
    String name = ffmpiCase.split("\\|")[0];
    return ffmpiCase.endsWith(DIRTY) && !name.endsWith(DIRTY) ? name + DIRTY : name;
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(2, 4, 8);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return SIZES;
  }

  /** Reductions add doubles. */
  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    return peerCase(name).equals(BARRIER)
        ? List.of(0L)
        : sizes.stream().filter(n -> n > 0 && n % Double.BYTES == 0).toList();
  }

  @Override
  public String refuses(int ranks) {
    return null;
  }
}
