// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.survive;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Survival;

/**
 * One rank's part in an agreement. Any thread that makes progress checks whether it can be decided; the first rank that
 * can decides for all.
 */
final class SharedAgreement extends Survival.Agreement {
  private final JobSegment segment;
  private final AgreementTable table;
  private final Runnable wakeAll;
  private final int self;
  private final int[] members;
  private final long agreement;
  private long decision;
  private long context;

  private SharedAgreement(
      JobSegment segment, AgreementTable table, Runnable wakeAll, int self, int[] members, long agreement) {
    this.segment = segment;
    this.table = table;
    this.wakeAll = wakeAll;
    this.self = self;
    this.members = members;
    this.agreement = agreement;
  }

  /** Contributes to an agreement; the rest happens in {@link #advance}. */
  static SharedAgreement start(
      JobSegment segment, AgreementTable table, Runnable wakeAll, int self, Channel channel, int[] members, int number,
      boolean shrinks, int flag, int acknowledged) {
    long agreement = table.find(channel.identity(), number, shrinks, members);
    SharedAgreement made = new SharedAgreement(segment, table, wakeAll, self, members, agreement);
    boolean differs = AgreementLayout.getPlainShrinks(agreement) != shrinks;
    AgreementLayout.setReleasePeer(
        agreement, self, AgreementLayout.word(AgreementLayout.CONTRIBUTED, acknowledged, flag));
    if (differs) {
      made.leave(new MpiException(
          ErrorClass.ERR_OTHER, "this rank calls " + (shrinks ? "shrink" : "agree") + " where another calls "
              + (shrinks ? "agree" : "shrink")));
      return made;
    }
    made.open();
    made.advance();
    return made;
  }

  @Override
  public boolean advance() {
    if (!enter()) {
      return false;
    }
    try {
      do {
        if (decide()) {
          close();
          leave(null);
          return true;
        }
      } while (!leave());
    } catch (MpiException e) {
      close();
      leave(e);
      return true;
    }
    return false;
  }

  /** Reads the decision, or makes it if all have contributed or failed; returns whether it is made. */
  private boolean decide() {
    long made = AgreementLayout.getAcquireDecision(agreement);
    if (made == 0) {
      int failures = 0;
      while (segment.failed(failures) >= 0) {
        failures++;
      }
      made = compute(failures);
      if (made == 0) {
        return false;
      }
      if (AgreementLayout.getPlainShrinks(agreement) && AgreementLayout.getAcquireContext(agreement) == 0) {
        AgreementLayout.casContext(agreement, segment.claimNumbers(1) * Channel.CONTEXTS);
      }
      if (AgreementLayout.casDecision(agreement, made)) {
        wakeAll.run();
      } else {
        made = AgreementLayout.getAcquireDecision(agreement);
      }
    }
    decision = made;
    context = AgreementLayout.getAcquireContext(agreement);
    return true;
  }

  /** Returns the decision for a number of failed ranks of the world, 0 when members are missing. */
  private long compute(int failures) {
    int flag = -1;
    int acknowledged = Integer.MAX_VALUE;
    int failed = 0;
    for (int peer : members) {
      long word = AgreementLayout.getAcquirePeer(agreement, peer);
      boolean hasFailed = isAmong(failures, peer);
      failed += hasFailed ? 1 : 0;
      if (AgreementLayout.state(word) == AgreementLayout.EXPECTED) {
        if (!hasFailed) {
          checkFinalized(peer);
          return 0;
        }
      } else {
        flag &= AgreementLayout.flag(word);
        if (!hasFailed) {
          acknowledged = Math.min(acknowledged, AgreementLayout.count(word));
        }
      }
    }
    return AgreementLayout.decision(flag, failures, failed > acknowledged);
  }

  private boolean isAmong(int failures, int peer) {
    for (int index = 0; index < failures; index++) {
      if (segment.failed(index) == peer) {
        return true;
      }
    }
    return false;
  }

  /** Fails when a member has finalized without its contribution. */
  private void checkFinalized(int peer) {
    if (segment.state(peer) == RankLayout.FINALIZED
        && AgreementLayout.state(AgreementLayout.getAcquirePeer(agreement, peer)) == AgreementLayout.EXPECTED
        && AgreementLayout.getAcquireDecision(agreement) == 0) {
      throw new MpiException(
          ErrorClass.ERR_PROC_ABORTED, "rank " + peer + " has finalized and takes part in no agreement any more");
    }
  }

  /** Ends this rank's part, after its last read of the agreement. */
  private void leave(MpiException error) {
    AgreementLayout.setReleasePeer(
        agreement, self,
        AgreementLayout.getAcquirePeer(agreement, self)
            | AgreementLayout.word(AgreementLayout.LEFT, 0, 0));
    if (error != null) {
      fail(error);
    } else {
      complete();
    }
  }

  @Override
  public int flag() {
    return AgreementLayout.flag(decision);
  }

  @Override
  public int failures() {
    return AgreementLayout.count(decision);
  }

  @Override
  public boolean isUnacknowledged() {
    return AgreementLayout.isUnacknowledged(decision);
  }

  @Override
  public long context() {
    return context;
  }
}
