// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.function.BooleanSupplier;
import org.ffmpi.base.Constants;
import org.ffmpi.shm.match.PostedReceive;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.spi.Incidents;
import org.ffmpi.spi.Operation;

/**
 * The waits of threads. The fast part is here, without allocation and system call, the slow part in {@link PollerRole}.
 * Any thread.
 */
public final class Waiting {
  private static final int FIRST_LOOKS = 32;

  /** Looks at the one ring from which the message must come, between two polls. */
  private static final int LOOKS = 8;

  /** Looks at the one word that a peer is about to store to, between two polls; a power of two. */
  private static final int LOOKS_AT_STORE = 16;

  /**
   * Yields of a thread that waits for a store, before it polls. Where ranks share cores, the store has come when the
   * thread has its core back, while all rings together fill a good part of a cache.
   */
  private static final int FIRST_YIELDS = 2;

  private final RankProgress progress;
  private final RankLock lock;
  private final RegisteredOperations registered;
  private final PollerRole role;
  private final LongWaits longWaits;
  private final WaitCounts counts;
  private final SpinLimit limit;

  /** Changed by {@link #configure} only; a wait that has begun may still use the old value. */
  private int storeSpins;

  private int firstLooks;

  /**
   * Creates the waits of one rank.
   *
   * @param progress the rank's progress
   * @param end the job's end
   * @param segment the job's segment
   * @param wakeups the rank's wake-ups
   * @param self the rank
   * @param options limits of spinning and yielding
   * @param channels the rank's channels
   * @param incidents what happens to the rank
   */
  public Waiting(
      RankProgress progress, JobAbort end, JobSegment segment, Wakeups wakeups, int self, WaitOptions options,
      OpenChannels channels, Incidents incidents) {
    this.progress = progress;
    this.lock = progress.lock;
    this.registered = progress.registered;
    this.longWaits = new LongWaits(segment, lock, progress.traffic, channels, self);
    this.counts = new WaitCounts();
    this.role = new PollerRole(
        progress, end, new Sleeper(progress, segment, wakeups, self, counts, incidents), longWaits,
        new SpinLimit(options.spinsAgain()), new CoreShare(options.hasOwnCore()), counts);
    this.limit = new SpinLimit(options.spins());
    configure(options);
  }

  /**
   * Changes the limits of spinning and yielding, for waits that begin from now on.
   *
   * @param options the limits; whether ranks have cores of their own stays as it is
   */
  public void configure(WaitOptions options) {
    limit.set(options.spins());
    storeSpins = options.storeSpins();
    firstLooks = Math.min(FIRST_LOOKS, options.spins() / 2);
    role.configure(options.spinsAgain(), options.yields());
  }

  /**
   * Returns what is counted of the rank's waits.
   *
   * @return the counts
   */
  public WaitCounts counts() {
    return counts;
  }

  /**
   * Returns whether a thread of the rank waits now, beyond its first looks. Racy.
   *
   * @return false while all compute, or look briefly
   */
  public boolean isWaiting() {
    return role.isWaiting();
  }

  /**
   * Blocks until one of the engine's own operations is complete.
   *
   * @param op a send or a receive
   */
  public void awaitOwn(Operation op) {
    if (op.isDone()) {
      return;
    }
    if (lock.tryLock()) {
      boolean isQuiet = false;
      try {
        isQuiet = spinLocked(op);
      } finally {
        lock.unlock(!isQuiet);
      }
    }
    if (!op.isDone()) {
      awaitAfterLock(op);
    }
  }

  /**
   * Blocks until a composite operation is complete. If it is the only one, it is driven like a blocking call.
   *
   * @param op an operation that has to be advanced
   */
  public void awaitParts(Operation op) {
    if (op.isDone()) {
      return;
    }
    if (registered.acquireOnly(op)) {
      op.drive();
      if (op.isDone()) {
        return;
      }
      progress.register(op);
    }
    op.advance();
    spin(op);
    if (op.isDone()) {
      registered.forget(op);
    } else {
      role.await(op::isDone, op, Long.MAX_VALUE);
    }
  }

  /**
   * Blocks until one of the engine's own operations is complete, after {@link #spinLocked}.
   *
   * @param op a send or a receive
   */
  public void awaitAfterLock(Operation op) {
    if (!registered.isEmpty()) {
      spin(op);
    }
    role.await(op::isDone, op, Long.MAX_VALUE);
  }

  /**
   * Returns the number of looks at one ring before a blocking receive is posted: about a microsecond without other
   * progress.
   *
   * @return number of looks
   */
  public int firstLooks() {
    return registered.isEmpty() ? firstLooks : 0;
  }

  /**
   * The fast part of waiting for one of the engine's own operations. Called with the rank's lock held, and holds
   * it until another thread waits for it: acquiring it for each look would cost more than the look.
   *
   * @param op a send or a receive
   * @return whether nothing has moved but the operation's own message, so that no other thread has to be woken
   */
  public boolean spinLocked(Operation op) {
    if (!registered.isEmpty() || progress.isBusyElsewhere()) {
      return false; // registered operations acquire the lock themselves
    }
    int peer = op instanceof PostedReceive p ? p.peer() : Constants.ANY_SOURCE;
    Source likely = peer >= 0 ? progress.traffic.from(peer) : null;
    boolean isQuiet = true;
    int left = limit.next(); // every look counts: a rank that shares its core must not spin its time away
    while (left > 0 && !lock.isWanted()) {
      if (likely != null) {
        int records = likely.drain(Math.min(LOOKS, left), op);
        if (records > 0 && op.isDone()) {
          return isQuiet && records == 1;
        }
        isQuiet &= records == 0;
        left -= LOOKS;
      }
      if (progress.pollLocked() > 0) {
        isQuiet = false;
        if (op.isDone()) {
          return false;
        }
        lock.wakePoller(); // it may be the message of another thread, which sleeps as the poller
        left = limit.next();
      }
      // What comes from a meeting is for other waits, but its senders may need an answer of this rank.
      if (progress.isElsewhere() && progress.pollElsewhere(false) > 0) {
        isQuiet = false;
        left = limit.next();
      }
      Thread.onSpinWait();
      left--;
    }
    return isQuiet;
  }

  /** Polls for an operation, registered operations included. */
  private void spin(Operation op) {
    int left = limit.next();
    while (left >= 0 && !op.isDone()) {
      if (progress.pollOnce() > 0) {
        op.advance();
        left = limit.next();
      }
      Thread.onSpinWait();
      left--;
    }
  }

  /**
   * Blocks until a store of a peer makes the condition true. A short wait has no allocation and no system call.
   *
   * @param condition reads shared memory; may throw, which ends the wait
   */
  public void awaitStore(BooleanSupplier condition) {
    int most = Math.min(limit.next(), storeSpins);
    for (int i = 0; i <= most; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      if ((i & LOOKS_AT_STORE - 1) == LOOKS_AT_STORE - 1 && progress.pollOnce() > 0) {
        i = 0;
        most = Math.min(limit.next(), storeSpins);
      }
      Thread.onSpinWait();
    }
    for (int i = 0; i < FIRST_YIELDS; i++) {
      Thread.yield();
      if (condition.getAsBoolean()) {
        return;
      }
    }
    if (!role.awaitAsPoller(condition)) {
      awaitStoreParked(condition);
    }
  }

  /** Waits while another thread polls, which then checks this condition, too. */
  private void awaitStoreParked(BooleanSupplier condition) {
    StoreWait wait = new StoreWait(condition);
    try {
      progress.register(wait);
      role.await(wait::isDone, wait, Long.MAX_VALUE);
    } finally {
      wait.abandon();
    }
    if (wait.error() != null) {
      throw wait.error();
    }
  }

  /**
   * Blocks until the condition holds or the time is over.
   *
   * @param condition the condition
   * @param op its operation, or null
   * @param nanos longest wait; MAX_VALUE for no limit
   * @return false when the time is over first
   */
  public boolean until(BooleanSupplier condition, Operation op, long nanos) {
    return role.await(condition, op, nanos);
  }

  /** Wakes the waiting threads of this rank, after the program itself has completed an operation. */
  public void wakeWaiters() {
    role.wakeWaiters();
  }

  /** Unparks the threads that wait for a condition, after something has moved. */
  public void wakeConditionWaiters() {
    role.wakeConditionWaiters();
  }

  /** Returns the long waits of the rank's threads. */
  LongWaits longWaits() {
    return longWaits;
  }

  /** Returns the role of the rank's poller, for the progress thread. */
  PollerRole role() {
    return role;
  }
}
