// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.diagnosis;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.shm.account.AccountBlock;
import org.ffmpi.shm.account.RankAccount;
import org.ffmpi.shm.segment.RankBlocks;
import org.ffmpi.shm.segment.RankLayout;

/**
 * The accounts of all ranks of a job at nearly one moment. Each account is consistent, but one is read after the other.
 *
 * @param ranks the ranks, in order
 */
public record JobState(List<RankFacts> ranks) {
  /** The stages of a rank. */
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
   * @param stage its stage
   * @param pid its process, or 0
   * @param account its account; null when it cannot be read
   */
  public record RankFacts(int rank, Stage stage, long pid, RankAccount account) {
    /**
     * Returns whether the rank has been waiting in a call for long.
     *
     * @return true when its account names a wait
     */
    public boolean waits() {
      return isInside() && account != null && !account.waits().isEmpty();
    }

    /**
     * Returns whether the rank is in no call, and its program waits for something else.
     *
     * @return true when its account has such a place
     */
    public boolean standsElsewhere() {
      return isInside() && !waits() && account != null && account.place().isBlocked();
    }

    /** Returns whether the account is of now: that of a rank that has gone on is of the end of its last long wait. */
    boolean isCurrent() {
      return waits() || isInside() && account != null && account.place().isKnown();
    }

    /** Returns the time for which the account has not changed at least. */
    long currentFor(long now) {
      return now - (waits() ? longestWait().since() : account.place().since());
    }

    /** Returns whether the rank takes part or finalizes. */
    boolean isInside() {
      return stage == Stage.INSIDE || stage == Stage.LEAVING;
    }

    /**
     * Returns the wait that has lasted longest.
     *
     * @return the wait, of a rank that {@link #waits}
     */
    public RankAccount.Wait longestWait() {
      return account.waits().getFirst();
    }
  }

  /**
   * Reads the state of a job.
   *
   * @param job its ranks' blocks, mapped during the call
   * @return an immutable value
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
      RankAccount account = stage == Stage.OUTSIDE ? RankAccount.NONE : AccountBlock.read(job.accountBlock(rank));
      ranks.add(new RankFacts(rank, stage, stage == Stage.OUTSIDE ? 0 : job.process(rank), account));
    }
    return new JobState(List.copyOf(ranks));
  }

  /**
   * Returns whether any rank waits.
   *
   * @return true when at least one does
   */
  public boolean anyWaits() {
    return ranks.stream().anyMatch(RankFacts::waits);
  }

  /**
   * Returns whether each rank waits, in a call or for something else than MPI, has ended, or has not joined.
   *
   * @return true when at least one waits in a call and no rank computes
   */
  public boolean allWait() {
    return anyWaits() && ranks.stream().noneMatch(r -> r.isInside() && !r.waits() && !r.standsElsewhere());
  }

  /**
   * Returns whether each rank waits in a call, has ended, or has not joined.
   *
   * @return true when at least one waits and no rank is outside of calls
   */
  public boolean allWaitInCalls() {
    return anyWaits() && ranks.stream().noneMatch(r -> r.isInside() && !r.waits());
  }
}
