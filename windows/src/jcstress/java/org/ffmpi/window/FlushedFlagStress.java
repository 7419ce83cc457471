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

/** A rank puts a datum, flushes and puts a flag; another one gets the flag, flushes and gets the datum. */
@JCStressTest
@Outcome(id = {"0, 0", "0, 1", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "The flag brings the datum.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The flag without the datum.")
@State
public class FlushedFlagStress {
  private final Arena arena = Arena.ofAuto();
  private final long datum = Raw.address(arena.allocate(128, 64));
  private final long flag = datum + 64;

  /** Puts both words. */
  @Actor
  public void put() {
    Raw.putLong(datum, 1);
    AccessOrder.complete();
    Raw.putLong(flag, 1);
    Reference.reachabilityFence(arena);
  }

  /**
   * Gets both words.
   *
   * @param r flag and datum
   */
  @Actor
  public void get(JJ_Result r) {
    r.r1 = Raw.getLong(flag);
    AccessOrder.completeReads();
    r.r2 = Raw.getLong(datum);
    Reference.reachabilityFence(arena);
  }
}
