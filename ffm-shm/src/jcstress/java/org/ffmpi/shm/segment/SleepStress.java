// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Raw;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A rank on its way to sleep against a peer that publishes without a fence. Each may miss the other: that is what the
 * limit of the first sleep is for. Once both stores are in memory, the rank finds the message.
 */
@JCStressTest
@Outcome(id = {"0, 1, 1", "1, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "The peer has seen the announcement.")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The rank has found the message.")
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "Missed by both: the first sleep ends.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The message is not there after the first sleep.")
@State
public class SleepStress {
  private final Arena arena = Arena.ofAuto();
  private final long block = Raw.address(arena.allocate(2 * RankLayout.BYTES, 128));
  private final long message = block + RankLayout.BYTES;

  /** An awake rank without a message. */
  public SleepStress() {}

  /**
   * Announces sleep and looks once more.
   *
   * @param r what was found
   */
  @Actor
  public void sleeper(III_Result r) {
    RankLayout.setVolatileWait(block, 1);
    r.r1 = Raw.getAcquireInt(message);
    Reference.reachabilityFence(arena);
  }

  /**
   * Publishes and looks whether the rank sleeps.
   *
   * @param r the wait word
   */
  @Actor
  public void sender(III_Result r) {
    Raw.putReleaseInt(message, 1);
    r.r2 = RankLayout.getOpaqueWait(block);
    Reference.reachabilityFence(arena);
  }

  /**
   * Looks after the first sleep.
   *
   * @param r what was found
   */
  @Arbiter
  public void later(III_Result r) {
    r.r3 = Raw.getAcquireInt(message);
    Reference.reachabilityFence(arena);
  }
}
