// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Raw;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Of two peers that find a rank asleep, exactly one has to wake it. */
@JCStressTest
@Outcome(id = {"true, false", "false, true"}, expect = Expect.ACCEPTABLE, desc = "One has claimed the duty.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both, or nobody.")
@State
public class WaitWordStress {
  private final Arena arena = Arena.ofAuto();
  private final long block = Raw.address(arena.allocate(RankLayout.BYTES, 128));

  /** Announces sleep. */
  public WaitWordStress() {
    RankLayout.setVolatileWait(block, 1);
  }

  /**
   * Wakes.
   *
   * @param r who had to
   */
  @Actor
  public void one(ZZ_Result r) {
    r.r1 = RankLayout.getOpaqueWait(block) != 0 && RankLayout.casWaitToAwake(block);
    Reference.reachabilityFence(arena);
  }

  /**
   * Wakes.
   *
   * @param r who had to
   */
  @Actor
  public void other(ZZ_Result r) {
    r.r2 = RankLayout.getOpaqueWait(block) != 0 && RankLayout.casWaitToAwake(block);
    Reference.reachabilityFence(arena);
  }
}
