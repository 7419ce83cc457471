// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Raw;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A rank that sees another one's flag sees its contribution, too. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Not shown yet.")
@Outcome(id = "5, 7", expect = Expect.ACCEPTABLE, desc = "The whole contribution.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A flag without what it stands for.")
@State
public class RegionFlagStress {
  private static final long CAPACITY = 128;

  private final Arena arena = Arena.ofAuto();
  private final long slot = Raw.address(arena.allocate(RegionLayout.slotBytes(CAPACITY), 128));

  /** An empty slot. */
  public RegionFlagStress() {}

  /** Contributes. */
  @Actor
  public void shows() {
    Raw.putLong(slot + RegionLayout.PAYLOAD_OFFSET + CAPACITY - 64, 7); // in another line than the flag
    RegionLayout.setReleaseFlag(slot, 5);
    Reference.reachabilityFence(arena);
  }

  /**
   * Looks.
   *
   * @param r flag and contribution
   */
  @Actor
  public void looks(JJ_Result r) {
    r.r1 = RegionLayout.getAcquireFlag(slot);
    if (r.r1 != 0) {
      r.r2 = Raw.getLong(slot + RegionLayout.PAYLOAD_OFFSET + CAPACITY - 64);
    }
    Reference.reachabilityFence(arena);
  }
}
