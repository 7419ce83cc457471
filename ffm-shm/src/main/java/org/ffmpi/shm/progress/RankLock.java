// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The lock of one rank, which guards matching, receiving and polling. {@link #unlock} also wakes the rank's sleeping
 * poller, because the holder may have completed what the poller waits for.
 */
public final class RankLock {
  private final EngineLock lock = new EngineLock();
  private final Wakeups wakeups;
  private final int self;
  private final long ownBlock;

  /**
   * Creates the lock of a rank.
   *
   * @param wakeups the rank's wake-ups
   * @param self the rank
   * @param ownBlock address of the rank's block
   */
  public RankLock(Wakeups wakeups, int self, long ownBlock) {
    this.wakeups = wakeups;
    this.self = self;
    this.ownBlock = ownBlock;
  }

  /**
   * Acquires the lock.
   *
   * @throws MpiException ERR_OTHER when the rank has finalized
   */
  public void acquire() {
    if (!lock.lock()) {
      throw finalizedError();
    }
  }

  /**
   * Acquires the lock, unless the rank has finalized.
   *
   * @return false when the rank has finalized
   */
  public boolean lock() {
    return lock.lock();
  }

  /**
   * Acquires the lock if it is free.
   *
   * @return true when acquired
   */
  public boolean tryLock() {
    return lock.tryLock();
  }

  /** Releases the lock and wakes the rank's sleeping poller. */
  public void unlock() {
    unlock(true);
  }

  /**
   * Releases the lock.
   *
   * @param wakes whether to wake the rank's sleeping poller, because something may have moved that it waits for
   */
  public void unlock(boolean wakes) {
    if (wakes) {
      wakePoller(); // before the lock is free: after it, a leaving thread may unmap the segment
    }
    lock.unlock();
  }

  /** Wakes the rank's sleeping poller; called with the lock held. */
  void wakePoller() {
    wakeups.wake(ownBlock);
  }

  /** Wakes the rank's sleeping poller. Under the lock, because another thread may unmap the segment. */
  public void wakeOwn() {
    if (lock.tryLock()) {
      unlock();
    }
  }

  /** Returns whether another thread waits for the lock. */
  boolean isWanted() {
    return lock.isWanted();
  }

  /** Waits for the holder and closes the lock: no thread acquires it again. */
  public void close() {
    lock.close();
  }

  /**
   * Returns whether the lock is closed.
   *
   * @return true after {@link #close}
   */
  public boolean isClosed() {
    return lock.isClosed();
  }

  /**
   * Returns the error of a call after finalize.
   *
   * @return an exception of class ERR_OTHER
   */
  public MpiException finalizedError() {
    return finalizedError(self);
  }

  /**
   * Returns the error of a call after finalize.
   *
   * @param rank the finalized rank
   * @return an exception of class ERR_OTHER
   */
  public static MpiException finalizedError(int rank) {
    return new MpiException(ErrorClass.ERR_OTHER, "rank " + rank + " has finalized: no MPI call may follow");
  }
}
