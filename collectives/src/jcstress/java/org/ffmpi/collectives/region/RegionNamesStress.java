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
import org.openjdk.jcstress.infra.results.II_Result;

/** Whoever takes away the name of a rank that sleeps until its slot is free sees that the rank has announced it. */
@JCStressTest
@Outcome(id = {"0, 0", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "No name yet, or a name and the announcement.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A name whose rank does not seem to sleep: nobody would wake it.")
@State
public class RegionNamesStress {
  private final Arena arena = Arena.ofAuto();
  private final long header = Raw.address(arena.allocate(2 * RegionLayout.LINE_PAIR, 128));
  private final long wait = header + RegionLayout.LINE_PAIR;

  /** Nobody waits. */
  public RegionNamesStress() {}

  /** Announces sleep on the wait word, then leaves its name. */
  @Actor
  public void sleeps() {
    Raw.putVolatileInt(wait, 1);
    RegionLayout.casWaiting(header, 0, 1);
    Reference.reachabilityFence(arena);
  }

  /**
   * Takes the name.
   *
   * @param r the name, and whether its rank sleeps
   */
  @Actor
  public void ends(II_Result r) {
    if (RegionLayout.getOpaqueWaiting(header) != 0) {
      r.r1 = RegionLayout.getAndSetWaiting(header, 0);
      r.r2 = Raw.getOpaqueInt(wait);
    }
    Reference.reachabilityFence(arena);
  }
}
