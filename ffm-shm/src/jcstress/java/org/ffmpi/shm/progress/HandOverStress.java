// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The hand-over of polling, in the steps of {@link PollerRole}. A thread that does not get the role registers itself
 * and parks; one that leaves releases the role and then reads the registered threads, without a fence between. Where
 * each misses the other, the thread parks for a millisecond and tries again, which finds the role free.
 */
@JCStressTest
@Outcome(id = {"1, 0, 0", "1, 1, 0"}, expect = Expect.ACCEPTABLE, desc = "Gets the role at once.")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "Is unparked and gets the role.")
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "Gets the role when the park is over.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Nobody polls: the role is not free although it was given up.")
@State
public class HandOverStress {
  private final EngineLock poller = new EngineLock();
  private final ConcurrentLinkedQueue<Thread> parked = new ConcurrentLinkedQueue<>();
  private int gotRole;
  private int unparked;

  /** One thread polls. */
  public HandOverStress() {
    poller.lock();
  }

  /** Leaves, as {@code PollerRole.leave} does. */
  @Actor
  public void leaves() {
    poller.unlock();
    Thread next = parked.peek();
    if (next != null) {
      LockSupport.unpark(next);
      unparked = 1;
    }
  }

  /** Tries to get the role and registers where it is not free, as {@code PollerRole.await} does. */
  @Actor
  public void waits() {
    if (poller.tryLock()) {
      gotRole = 1;
    } else {
      parked.add(Thread.currentThread());
    }
  }

  /**
   * Tries again after the park.
   *
   * @param r who had the role, who was unparked, and who gets the role then
   */
  @Arbiter
  public void result(III_Result r) {
    r.r1 = gotRole;
    r.r2 = unparked;
    r.r3 = gotRole == 0 && poller.tryLock() ? 1 : 0;
  }
}
