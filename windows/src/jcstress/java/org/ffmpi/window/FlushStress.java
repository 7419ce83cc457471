// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Raw;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Two ranks put a word each, flush and get the other's: one of them at least sees what the other one has put. */
@JCStressTest
@Outcome(id = {"1, 1", "0, 1", "1, 0"}, expect = Expect.ACCEPTABLE, desc = "A put was complete after its flush.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both puts came after both gets.")
@State
public class FlushStress {
  private final Arena arena = Arena.ofAuto();
  private final long first = Raw.address(arena.allocate(128, 64));
  private final long second = first + 64;

  private long access(long mine, long other) {
    Raw.putLong(mine, 1);
    AccessOrder.complete();
    long seen = Raw.getLong(other);
    Reference.reachabilityFence(arena);
    return seen;
  }

  /**
   * Puts the first word, flushes and gets the second.
   *
   * @param r the word
   */
  @Actor
  public void one(JJ_Result r) {
    r.r1 = access(first, second);
  }

  /**
   * Puts the second word, flushes and gets the first.
   *
   * @param r the word
   */
  @Actor
  public void other(JJ_Result r) {
    r.r2 = access(second, first);
  }
}
