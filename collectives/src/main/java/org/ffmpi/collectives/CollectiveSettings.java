// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import org.ffmpi.base.Setting;
import org.ffmpi.base.Setting.Scope;

/** What users can choose about collective operations. */
public final class CollectiveSettings {
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
