// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.NumberLog;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Health;

/**
 * The broken channels of a rank, in a job that outlives its dead. Revoked channels are broken, and for collectives also
 * those with a failed member. Any thread.
 */
public final class BrokenChannels {
  private final JobSegment segment;
  private final OpenChannels channels;
  private final NumberLog revoked;
  private final NumberLog.Reader news;

  /** Number of known failures; guarded by this. */
  private int failures;

  private boolean anyRevoked;
  private boolean isStale;

  /**
   * Creates the view of one rank.
   *
   * @param segment the job's segment
   * @param channels the rank's channels
   */
  public BrokenChannels(JobSegment segment, OpenChannels channels) {
    this.segment = segment;
    this.channels = channels;
    this.revoked = segment.revoked();
    this.news = revoked.reader();
  }

  /** Reads the failures and revocations since the last update. */
  public synchronized void update() {
    while (segment.failed(failures) >= 0) {
      failures++;
      isStale = true;
    }
    for (long identity = news.next(); identity >= 0; identity = news.next()) {
      anyRevoked = true;
      isStale = true;
      setRevoked(identity);
    }
  }

  /**
   * Updates, and returns whether a sweep may have operations to end.
   *
   * @return true from a failure or revocation up to the next sweep
   */
  public synchronized boolean isStale() {
    update();
    return isStale;
  }

  private void setRevoked(long identity) {
    Channel channel = channels.of(Channel.numberIn(identity, segment.ranks()));
    if (channel != null && channel.identity() == identity) {
      channel.health().setRevoked();
    }
  }

  /** Begins a sweep; returns whether any channel may be broken. */
  synchronized boolean beginSweep() {
    update();
    isStale = false;
    return failures > 0 || anyRevoked;
  }

  /**
   * Marks a channel as revoked if it was so before this rank opened it.
   *
   * @param channel a channel in {@link OpenChannels}
   */
  public void checkRevoked(Channel channel) {
    NumberLog.Reader all = revoked.reader();
    long identity = channel.identity();
    for (long number = all.next(); number >= 0; number = all.next()) {
      if (number == identity) {
        channel.health().setRevoked();
      }
    }
  }

  private Health health(long context) {
    Channel channel = channels.of(context);
    return channel == null ? null : channel.health();
  }

  /**
   * Returns whether operations in a context must end.
   *
   * @param context a matching context
   * @return true when they end with {@link #error}
   */
  public boolean isBroken(long context) {
    Health health = health(context);
    return health != null && health.isBroken(context);
  }

  /**
   * Returns whether a receive from any source may wait for a failed rank whose failure is not acknowledged.
   *
   * @param context its matching context
   * @return true when the receive ends with {@link #anySourceError}
   */
  public boolean isUnacknowledged(long context) {
    Health health = health(context);
    return health != null && health.isUnacknowledged();
  }

  /**
   * Returns the error of operations in a context that {@link #isBroken is broken}.
   *
   * @param context a matching context
   * @return an exception of class ERR_REVOKED or ERR_PROC_FAILED
   */
  public MpiException error(long context) {
    return health(context).error();
  }

  /**
   * Returns the error of a receive that is {@linkplain #isUnacknowledged concerned} by a failure.
   *
   * @param context its matching context
   * @return an exception of class ERR_PROC_FAILED
   */
  public MpiException anySourceError(long context) {
    return health(context).anySourceError(ErrorClass.ERR_PROC_FAILED);
  }
}
