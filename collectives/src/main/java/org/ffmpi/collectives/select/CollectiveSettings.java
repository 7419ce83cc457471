// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.select;

import java.util.List;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Setting.Scope;
import org.ffmpi.collectives.algorithm.Algorithm;
import org.ffmpi.collectives.algorithm.Algorithms;
import org.ffmpi.spi.Collective;

/** The settings of collective operations. */
public final class CollectiveSettings {
  /** The value of {@link #COLLECTIVES} that makes choices reported. */
  static final String EXPLAIN = "explain";

  /** {@code ffmpi.collectives}: whether rank 0 of each communicator reports the chosen algorithms. */
  public static final Setting<String> COLLECTIVES =
      Setting.ofChoice("ffmpi.collectives", "quiet", List.of("quiet", EXPLAIN), Scope.RANK,
          "explain: rank 0 of each communicator prints on standard error which algorithm each new kind of collective"
              + " call gets, and why");

  /** {@code ffmpi.coll.barrier}: algorithm of barriers. */
  public static final Setting<String> BARRIER = algorithm(Collective.BARRIER);

  /** {@code ffmpi.coll.bcast}: algorithm of broadcasts. */
  public static final Setting<String> BCAST = algorithm(Collective.BCAST);

  /** {@code ffmpi.coll.gather}: algorithm of gathers. */
  public static final Setting<String> GATHER = algorithm(Collective.GATHER);

  /** {@code ffmpi.coll.allgather}: algorithm of gathers to all ranks. */
  public static final Setting<String> ALLGATHER = algorithm(Collective.ALLGATHER);

  /** {@code ffmpi.coll.reduce}: algorithm of reductions to one rank. */
  public static final Setting<String> REDUCE = algorithm(Collective.REDUCE);

  /** {@code ffmpi.coll.allreduce}: algorithm of reductions to all ranks. */
  public static final Setting<String> ALLREDUCE = algorithm(Collective.ALLREDUCE);

  /** {@code ffmpi.coll.gatherv}: algorithm of gathers with blocks of different lengths. */
  public static final Setting<String> GATHERV = algorithm(Collective.GATHERV);

  /** {@code ffmpi.coll.scatter}: algorithm of scatters. */
  public static final Setting<String> SCATTER = algorithm(Collective.SCATTER);

  /** {@code ffmpi.coll.scatterv}: algorithm of scatters with blocks of different lengths. */
  public static final Setting<String> SCATTERV = algorithm(Collective.SCATTERV);

  /** {@code ffmpi.coll.allgatherv}: algorithm of gathers to all ranks with blocks of different lengths. */
  public static final Setting<String> ALLGATHERV = algorithm(Collective.ALLGATHERV);

  /** {@code ffmpi.coll.alltoall}: algorithm of exchanges of a block with each rank. */
  public static final Setting<String> ALLTOALL = algorithm(Collective.ALLTOALL);

  /** {@code ffmpi.coll.alltoallv}: algorithm of exchanges with blocks of different lengths or types. */
  public static final Setting<String> ALLTOALLV = algorithm(Collective.ALLTOALLV);

  /** {@code ffmpi.coll.reduce-scatter-block}: algorithm of reductions of which each rank gets a block. */
  public static final Setting<String> REDUCE_SCATTER_BLOCK = algorithm(Collective.REDUCE_SCATTER_BLOCK);

  /** {@code ffmpi.coll.reduce-scatter}: algorithm of reductions of which each rank gets a part. */
  public static final Setting<String> REDUCE_SCATTER = algorithm(Collective.REDUCE_SCATTER);

  /** {@code ffmpi.coll.scan}: algorithm of reductions over the lower ranks and the own. */
  public static final Setting<String> SCAN = algorithm(Collective.SCAN);

  /** {@code ffmpi.coll.exscan}: algorithm of reductions over the lower ranks. */
  public static final Setting<String> EXSCAN = algorithm(Collective.EXSCAN);

  /** {@code ffmpi.coll.neighbor-allgather}: algorithm of gathers from neighbours. */
  public static final Setting<String> NEIGHBOR_ALLGATHER = algorithm(Collective.NEIGHBOR_ALLGATHER);

  /** {@code ffmpi.coll.neighbor-alltoall}: algorithm of exchanges with neighbours. */
  public static final Setting<String> NEIGHBOR_ALLTOALL = algorithm(Collective.NEIGHBOR_ALLTOALL);

  /** {@code ffmpi.coll.segment}: bytes of the pieces in which long messages flow. */
  public static final Setting<Long> SEGMENT =
      Setting.ofBytes("ffmpi.coll.segment", 64 << 10, 1, 1L << 40, Scope.JOB,
          "bytes of the pieces in which collectives cut messages that they pass on or combine while more arrive");

  /** {@code ffmpi.coll.scratch}: bytes of unused scratch memory kept for the next call. */
  public static final Setting<Long> SCRATCH =
      Setting.ofBytes("ffmpi.coll.scratch", 64 << 20, 0, 1L << 50, Scope.RANK,
          "bytes of unused scratch memory that a rank keeps for its next collective");

  /** {@code ffmpi.coll.scratch.shared}: whether large scratch memory lies in the shared heap. */
  public static final Setting<Boolean> SCRATCH_SHARED =
      Setting.ofBoolean("ffmpi.coll.scratch.shared", true, Scope.RANK,
          "whether large scratch memory is taken from the shared heap, where peers read it in place");

  /** {@code ffmpi.coll.region.after}: when ranks begin to exchange short contributions in shared memory. */
  public static final Setting<Integer> REGION_AFTER =
      Setting.ofInt("ffmpi.coll.region.after", 4, -1, Integer.MAX_VALUE, Scope.JOB,
          "blocking collectives of a communicator after which its ranks make a region in shared memory and exchange"
              + " short contributions there; -1: never, persistent ones included");

  private CollectiveSettings() {}

  /** Returns the setting that overrides the choice of algorithm for an operation. */
  static Setting<String> of(Collective collective) {
    return switch (collective) {
      case BARRIER -> BARRIER;
      case BCAST -> BCAST;
      case GATHER -> GATHER;
      case ALLGATHER -> ALLGATHER;
      case REDUCE -> REDUCE;
      case ALLREDUCE -> ALLREDUCE;
      case GATHERV -> GATHERV;
      case SCATTER -> SCATTER;
      case SCATTERV -> SCATTERV;
      case ALLGATHERV -> ALLGATHERV;
      case ALLTOALL -> ALLTOALL;
      case ALLTOALLV -> ALLTOALLV;
      case REDUCE_SCATTER_BLOCK -> REDUCE_SCATTER_BLOCK;
      case REDUCE_SCATTER -> REDUCE_SCATTER;
      case SCAN -> SCAN;
      case EXSCAN -> EXSCAN;
      case NEIGHBOR_ALLGATHER -> NEIGHBOR_ALLGATHER;
      case NEIGHBOR_ALLTOALL -> NEIGHBOR_ALLTOALL;
    };
  }

  private static Setting<String> algorithm(Collective collective) {
    StringBuilder names = new StringBuilder();
    for (Algorithm algorithm : Algorithms.of(collective)) {
      names.append(names.isEmpty() ? "" : ", ").append(algorithm.name());
    }
    return Setting.ofString("ffmpi.coll." + collective.label(), Selector.AUTOMATIC, Scope.JOB,
        "algorithm of " + collective.label() + ": auto, or names, each but the last with a limit as in a<=8K,b; of "
            + names);
  }
}
