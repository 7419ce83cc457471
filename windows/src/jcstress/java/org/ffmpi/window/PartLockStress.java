// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Raw;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Two ranks lock a part exclusively and a third shares it: no increment is lost, and both words agree. */
@JCStressTest
@Outcome(id = {"2, 0, 0", "2, 1, 1", "2, 2, 2"}, expect = Expect.ACCEPTABLE, desc = "No two holders overlap.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A lost increment, or half of one.")
@State
public class PartLockStress {
  private final Arena arena = Arena.ofAuto();
  private final long word = Raw.address(arena.allocate(64, 64));
  private final long first = word + 8;
  private final long second = word + 16;

  private void add() {
    long ticket = PartLock.acquireOrQueue(word, true);
    while (ticket != PartLock.ACQUIRED && !PartLock.isAcquired(word, ticket, true)) {
      Thread.onSpinWait();
    }
    Raw.putLong(first, Raw.getLong(first) + 1);
    Raw.putLong(second, Raw.getLong(second) + 1);
    PartLock.release(word, true);
    Reference.reachabilityFence(arena);
  }

  /** Increments both words under an exclusive lock. */
  @Actor
  public void one() {
    add();
  }

  /** Increments both words under an exclusive lock. */
  @Actor
  public void other() {
    add();
  }

  /**
   * Reads both words under a shared lock.
   *
   * @param r both words
   */
  @Actor
  public void reader(JJJ_Result r) {
    long ticket = PartLock.acquireOrQueue(word, false);
    while (ticket != PartLock.ACQUIRED && !PartLock.isAcquired(word, ticket, false)) {
      Thread.onSpinWait();
    }
    if (ticket != PartLock.ACQUIRED) {
      PartLock.admitNextShared(word, ticket);
    }
    r.r2 = Raw.getLong(first);
    r.r3 = Raw.getLong(second);
    PartLock.release(word, false);
    Reference.reachabilityFence(arena);
  }

  /**
   * Reads the first word at the end.
   *
   * @param r its value
   */
  @Arbiter
  public void sum(JJJ_Result r) {
    r.r1 = Raw.getLong(first);
  }
}
