// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.diagnosis;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.shm.segment.RankBlocks;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.shm.state.RankState;
import org.ffmpi.shm.state.StateBlock;

/**
 * What the ranks of a job say about themselves at one moment, or nearly so: each account is whole, but one is read
 * after the other.
 *
 * @param ranks the ranks, in order
 */
public record JobState(List<RankFacts> ranks) {
  /** How far a rank has come. */
  public enum Stage {
    /** It has not joined. */
    OUTSIDE,
    /** It takes part. */
    INSIDE,
    /** It finalizes. */
    LEAVING,
    /** It has finalized. */
    FINALIZED,
    /** It has ended without finalizing, or failed. */
    DEAD
  }

  /**
   * One rank.
   *
   * @param rank its number in the job
   * @param stage how far it has come
   * @param pid its process, or 0
   * @param account what it says about its waits; null when it cannot be read
   */
  public record RankFacts(int rank, Stage stage, long pid, RankState account) {
    /**
     * Returns whether the rank waits in a call, and has for long.
     *
     * @return true when its account names a wait
     */
    public boolean waits() {
      return isInside() && account != null && !account.waits().isEmpty();
    }

    /** Returns whether the rank can still do something. */
    boolean isInside() {
      return stage == Stage.INSIDE || stage == Stage.LEAVING;
    }

    /**
     * Returns the wait that has lasted longest.
     *
     * @return the wait, of a rank that {@link #waits}
     */
    public RankState.Wait wait0() {
      return account.waits().getFirst();
    }
  }

  /**
   * Reads the state of a job.
   *
   * @param job its ranks' blocks, mapped meanwhile
   * @return a value that does not change any more
   */
  public static JobState read(RankBlocks job) {
    List<RankFacts> ranks = new ArrayList<>();
    for (int rank = 0; rank < job.ranks(); rank++) {
      Stage stage = switch (job.state(rank)) {
        case RankLayout.EMPTY -> Stage.OUTSIDE;
        case RankLayout.JOINED -> Stage.INSIDE;
        case RankLayout.LEAVING -> Stage.LEAVING;
        case RankLayout.FINALIZED -> Stage.FINALIZED;
        default -> Stage.DEAD;
      };
      RankState account = stage == Stage.OUTSIDE ? RankState.NONE : StateBlock.read(job.stateBlock(rank));
      ranks.add(new RankFacts(rank, stage, stage == Stage.OUTSIDE ? 0 : job.process(rank), account));
    }
    return new JobState(List.copyOf(ranks));
  }

  /**
   * Returns whether a rank waits.
   *
   * @return true when at least one does
   */
  public boolean anyWaits() {
    return ranks.stream().anyMatch(RankFacts::waits);
  }

  /**
   * Returns whether no rank can do anything but wait: each waits, has ended, or has not come.
   *
   * @return true when at least one waits and none computes
   */
  public boolean allWait() {
    return anyWaits() && ranks.stream().noneMatch(r -> r.isInside() && !r.waits());
  }
}
