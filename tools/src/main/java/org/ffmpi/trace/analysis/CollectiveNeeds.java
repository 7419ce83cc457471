// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.Locale;
import java.util.Map;

/** Whose data a rank needs before it can leave a collective call. */
enum CollectiveNeeds {
  /** Those of all ranks. */
  ALL,
  /** Those of the root. */
  ROOT,
  /** At the root those of all ranks; elsewhere none. */
  ALL_AT_ROOT,
  /** Those of the ranks before it. */
  LOWER,
  /** Those of ranks that the trace does not name. */
  UNKNOWN;

  private static final Map<String, CollectiveNeeds> BY_NAME = Map.ofEntries(
      Map.entry("barrier", ALL), Map.entry("allgather", ALL), Map.entry("allgatherv", ALL),
      Map.entry("alltoall", ALL), Map.entry("alltoallv", ALL), Map.entry("alltoallw", ALL),
      Map.entry("allreduce", ALL), Map.entry("reducescatter", ALL), Map.entry("reducescatterblock", ALL),
      Map.entry("bcast", ROOT), Map.entry("scatter", ROOT), Map.entry("scatterv", ROOT),
      Map.entry("gather", ALL_AT_ROOT), Map.entry("gatherv", ALL_AT_ROOT), Map.entry("reduce", ALL_AT_ROOT),
      Map.entry("scan", LOWER), Map.entry("exscan", LOWER));

  /** Returns what a call needs, by its name in any spelling: reduceScatter, ireduce_scatter, reduce-scatter. */
  static CollectiveNeeds of(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "").replaceAll("(init|start)$", "");
    CollectiveNeeds needs = BY_NAME.get(plain);
    if (needs == null && plain.startsWith("i")) {
      needs = BY_NAME.get(plain.substring(1));
    }
    if (needs != null) {
      return needs;
    }
    return plain.contains("neighbo") ? UNKNOWN : ALL;
  }
}
