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

/** A slot is written again only after the rank that reads it has said that it is through. */
@JCStressTest
@Outcome(id = "7, 0", expect = Expect.ACCEPTABLE, desc = "Its end was not seen yet: the slot stays.")
@Outcome(id = "7, 1", expect = Expect.ACCEPTABLE, desc = "Read, ended, then written again.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A contribution was overwritten before it was read.")
@State
public class RegionEndStress {
  private static final long CAPACITY = 128;

  private final Arena arena = Arena.ofAuto();
  private final long part = Raw.address(arena.allocate(RegionLayout.partBytes(2, CAPACITY), 128));
  private final long payload = part + RegionLayout.FIRST_SLOT_OFFSET + RegionLayout.PAYLOAD_OFFSET;

  /** A contribution that is shown. */
  public RegionEndStress() {
    Raw.putLong(payload, 7);
    RegionLayout.setReleaseFlag(part + RegionLayout.FIRST_SLOT_OFFSET, 1);
  }

  /**
   * Reads and ends the call.
   *
   * @param r what was read
   */
  @Actor
  public void reads(JJ_Result r) {
    r.r1 = Raw.getLong(payload);
    RegionLayout.setReleasePartFinished(part, 1);
    Reference.reachabilityFence(arena);
  }

  /**
   * Writes the slot again if the reader is through.
   *
   * @param r whether it was
   */
  @Actor
  public void writes(JJ_Result r) {
    if (RegionLayout.getAcquirePartFinished(part) == 1) {
      Raw.putLong(payload, 8);
      r.r2 = 1;
    }
    Reference.reachabilityFence(arena);
  }
}
