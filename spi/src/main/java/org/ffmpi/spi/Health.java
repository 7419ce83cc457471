// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The failures in a channel as seen by this rank, in a job that outlives its dead. Must not refer to the channel. Any
 * thread may call.
 */
public final class Health {
  private final Survival survival;
  private final Members local;
  private final Members remote;
  private final AtomicInteger agreements = new AtomicInteger();

  /** Number of failures of the world that have been examined for members of the channel; guarded by this. */
  private int seen;

  private int[] failed = {};

  /** The length of {@link #failed}. */
  private volatile int failures;

  private volatile int acknowledged;
  private volatile boolean revoked;

  Health(Survival survival, Members local, Members remote) {
    this.survival = survival;
    this.local = local;
    this.remote = remote;
  }

  /**
   * Returns the port behind this.
   *
   * @return the engine's port
   */
  public Survival survival() {
    return survival;
  }

  private void update() {
    if (survival.failed(seen) != Survival.NOBODY) { // benign race: a late reader finds nothing new
      readFailures();
    }
  }

  private synchronized void readFailures() {
    for (int peer = survival.failed(seen); peer != Survival.NOBODY; peer = survival.failed(seen)) {
      if (isMember(peer)) {
        failed = Arrays.copyOf(failed, failed.length + 1);
        failed[failed.length - 1] = peer;
        failures = failed.length;
      }
      seen++;
    }
  }

  private boolean isMember(int peer) {
    return local.rankOf(peer) != Constants.UNDEFINED || remote.rankOf(peer) != Constants.UNDEFINED;
  }

  // ---- failures

  /**
   * Returns the members that have failed, of both groups, in an order that is the same for all ranks.
   *
   * @return peers
   */
  public synchronized int[] failed() {
    readFailures();
    return failed.clone();
  }

  /**
   * Returns how many members are among the first failures of the world.
   *
   * @param count of how many failures
   * @return their peers
   */
  public Members failedAmong(int count) {
    int[] found = new int[count];
    int n = 0;
    for (int index = 0; index < count; index++) {
      int peer = survival.failed(index);
      if (isMember(peer)) {
        found[n++] = peer;
      }
    }
    return Members.of(Arrays.copyOf(found, n));
  }

  /**
   * Acknowledges failures: receives from any source do not wait for those any more.
   *
   * @param count how many of {@link #failed}, from the first on; fewer than before change nothing
   * @return how many are acknowledged now
   */
  public synchronized int acknowledge(int count) {
    readFailures();
    acknowledged = Math.max(acknowledged, Math.min(count, failed.length));
    return acknowledged;
  }

  /**
   * Returns how many failures have been acknowledged.
   *
   * @return number of peers
   */
  public int acknowledged() {
    return acknowledged;
  }

  /**
   * Returns whether a member has failed that has not been acknowledged.
   *
   * @return true when a receive from any source may wait in vain
   */
  public boolean isUnacknowledged() {
    update();
    return failures > acknowledged;
  }

  /** Marks the channel as revoked. */
  public void setRevoked() {
    revoked = true;
  }

  /**
   * Returns whether the channel has been revoked, as far as this rank knows.
   *
   * @return true from the moment in which this rank knows it
   */
  public boolean isRevoked() {
    return revoked;
  }

  /**
   * Claims the number of the next agreement. All ranks agree in the same order, so that all get the same.
   *
   * @return a number, not negative
   */
  public int nextAgreement() {
    return agreements.getAndIncrement() & Integer.MAX_VALUE;
  }

  // ---- errors

  /**
   * Returns whether operations in a context of the channel can no longer complete.
   *
   * @param context a context of the channel
   * @return true when the channel is revoked, or the context belongs to collectives and a member has failed
   */
  public boolean isBroken(long context) {
    update();
    return revoked || failures > 0 && Channel.isOfCollectives(context);
  }

  /**
   * Returns the error of operations in a {@linkplain #isBroken broken} context.
   *
   * @return an exception of class ERR_REVOKED or ERR_PROC_FAILED
   */
  public MpiException error() {
    if (revoked) {
      return new MpiException(ErrorClass.ERR_REVOKED, "the communicator has been revoked");
    }
    return new MpiException(ErrorClass.ERR_PROC_FAILED, describeFailed() + ": no collective can be complete");
  }

  /**
   * Returns why no collective can begin or continue.
   *
   * @return an exception of class ERR_REVOKED or ERR_PROC_FAILED, or null
   */
  public MpiException collectiveError() {
    update();
    return revoked || failures > 0 ? error() : null;
  }

  /**
   * Returns the error of a receive from any source that an unacknowledged failure concerns.
   *
   * @param errorClass ERR_PROC_FAILED, or ERR_PROC_FAILED_PENDING where the receive continues
   * @return an exception of that class
   */
  public MpiException anySourceError(ErrorClass errorClass) {
    return new MpiException(
        errorClass, describeFailed() + " and may have been about to send; ackFailed acknowledges that");
  }

  /** Describes the members that have failed. */
  private String describeFailed() {
    return describe(failed());
  }

  private static String describe(int[] peers) {
    StringBuilder text = new StringBuilder(peers.length == 1 ? "rank " : "ranks ");
    for (int i = 0; i < peers.length; i++) {
      text.append(i == 0 ? "" : ", ").append(peers[i]);
    }
    return text.append(peers.length == 1 ? " has failed" : " have failed").toString();
  }

  /**
   * Returns the error of an agreement with a failure that not all members have acknowledged.
   *
   * @param count how many failures of the world there were
   * @return an exception of class ERR_PROC_FAILED
   */
  public MpiException agreementError(int count) {
    return new MpiException(
        ErrorClass.ERR_PROC_FAILED,
        describe(failedAmong(count).toArray()) + ", which not all ranks have acknowledged; ackFailed does that");
  }
}
