// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The suites that {@code scripts/bench ab} knows, and the rows that {@code --quick} measures of each, every path once,
 * short and long, so that all suites together take about 25 minutes on two quiet cores.
 *
 * <p>Most of the time is the warm-up that each program does before its first point. Seconds of one turn of one
 * revision, calculated from warm-up and points: p2p 28, coll 42 at 2 and 52 at 8 ranks, ddt 57, pack 30, comm 30 for
 * each number of ranks, startup 6. The suites with the longest warm-up have two rounds.
 */
final class AbPreset {
  static final List<String> SUITES = List.of("p2p", "coll", "ddt", "pack", "comm", "startup");

  private static final List<String> ROUNDS = List.of("--rounds", "3", "--extra-rounds", "0", "--settle", "5");

  private static final Map<String, List<String>> OF = Map.of(
      "p2p", List.of("--cases", "native-clean,heap-clean,shared-clean",
          "--sizes", "8,256,1K,16K,64K,1M", "--reps", "5", "--seconds", "0.02", "--warmup", "0.05"),
      "coll", List.of("--ranks", "2,8", "--cases",
          "barrier|native,bcast|native,bcast|shared,scatterv|native,allgather|native,allgather|heap,alltoall|native,"
              + "alltoallw|native,allreduce|native,allreduce|heap,allreduce|shared,allreduce|persistent,"
              + "reduce_scatter_block|native,scan|native",
          "--sizes", "8,1K,64K", "--reps", "5", "--seconds", "0.02", "--warmup", "0.2"),
      "ddt", List.of("--rounds", "2", "--cases", "vec1s2|native,vec1s2|heap,vec8s16|shared,indexed|native,indexed|heap,"
              + "partstruct|native,partstruct|shared,face_yz|native,transpose|native,transpose|shared",
          "--sizes", "944,8K,59000,64K,128K", "--reps", "5", "--seconds", "0.02", "--warmup", "0.1"),
      "pack", List.of("--benches", "pack,unpack,commit", "--cases", "vec1s2|native|clean|vector,"
              + "indexed|heap|clean|vector,partstruct|native|clean|scalar,polluted|vector|native,simple|new,blocks|new",
          "--sizes", "59000,64K,512K,80000,3600000", "--reps", "5", "--seconds", "0.02", "--warmup", "0.1"),
      "comm", List.of("--rounds", "2", "--ranks", "2,8", "--reps", "5", "--seconds", "0.03", "--warmup", "0.5"),
      "startup", List.of("--ranks", "1,4", "--cases", "plain,trained", "--reps", "5"));

  private AbPreset() {}

  /** Returns the options that a suite gets before those of the command line. */
  static List<String> options(String suite) {
    return Stream.concat(ROUNDS.stream(), OF.get(suite).stream()).toList();
  }
}
