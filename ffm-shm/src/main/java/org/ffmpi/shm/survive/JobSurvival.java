// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.survive;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.JobAbort;
import org.ffmpi.shm.progress.RankProgress;
import org.ffmpi.shm.progress.Wakeups;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Survival;

/**
 * The port {@link Survival} of one rank, with failures, revocations and agreements in the job's segment. Any thread.
 */
public final class JobSurvival implements Survival {
  private final JobSegment segment;
  private final int self;
  private final BrokenChannels broken;
  private final RankProgress progress;
  private final JobAbort end;
  private final Wakeups wakeups;
  private final AgreementTable table;

  /**
   * Creates the port of one rank.
   *
   * @param segment the job's segment
   * @param self the rank
   * @param broken its broken channels
   * @param progress its progress
   * @param end the job's end
   * @param wakeups the rank's wake-ups
   */
  public JobSurvival(
      JobSegment segment, int self, BrokenChannels broken, RankProgress progress, JobAbort end, Wakeups wakeups) {
    this.segment = segment;
    this.self = self;
    this.broken = broken;
    this.progress = progress;
    this.end = end;
    this.wakeups = wakeups;
    this.table = new AgreementTable(segment, self);
  }

  @Override
  public int failed(int index) {
    return segment.failed(index);
  }

  @Override
  public void look() {
    broken.update();
  }

  @Override
  public void refresh() {
    if (broken.isStale()) {
      progress.sweep(false);
    }
  }

  @Override
  public void revoke(Channel channel) {
    end.check();
    channel.health().setRevoked();
    segment.revoked().append(channel.identity());
    wakeups.wakeAll();
    progress.sweep(false);
  }

  @Override
  public Agreement agree(Channel channel, int number, boolean shrinks, int flag, int acknowledged) {
    end.check();
    int[] members =
        channel.local() == channel.remote()
            ? channel.local().toArray()
            : IntStream.concat(Arrays.stream(channel.local().toArray()), Arrays.stream(channel.remote().toArray()))
                .toArray();
    SharedAgreement started = SharedAgreement.start(
        segment, table, wakeups::wakeAll, self, channel, members, number, shrinks, flag, acknowledged);
    if (!started.isDone()) {
      progress.register(started);
    }
    return started;
  }
}
