// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The lock of the engine, which loses no update, whether the lock was free at once or not, and admits none after its
 * close.
 */
@JCStressTest
@Outcome(id = {"1, 1", "2, 2"}, expect = Expect.ACCEPTABLE, desc = "As many updates as were let in.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An update was lost, or made after the close.")
@State
public class EngineLockStress {
  private final EngineLock lock = new EngineLock();
  private int updates;
  private int one;
  private int other;
  private int atClose;

  /** A free lock. */
  public EngineLockStress() {}

  /** Waits for the lock. */
  @Actor
  public void waits() {
    if (lock.lock()) {
      updates++;
      one = 1;
      lock.unlock();
    }
  }

  /** Waits for the lock by trying, and closes it later. */
  @Actor
  public void triesAndCloses() {
    while (!lock.tryLock()) {
      Thread.onSpinWait();
    }
    updates++;
    other = 1;
    lock.unlock();
    lock.close();
    atClose = updates;
  }

  /**
   * Counts.
   *
   * @param r updates at the close, and threads that were let in
   */
  @Arbiter
  public void result(II_Result r) {
    r.r1 = atClose;
    r.r2 = one + other;
  }
}
