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
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Two origins write plainly and complete: a target that has counted a completion sees what its origin wrote. */
@JCStressTest
@Outcome(id = {"2, 1, 1", "1, 1, 0", "1, 0, 1", "1, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "Counted and seen.")
@Outcome(id = {"0, 0, 0", "0, 1, 0", "0, 0, 1", "0, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "Not counted yet.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Counted, but not seen.")
@State
public class CompleteStress {
  private final Arena arena = Arena.ofAuto();
  private final long block = Raw.address(arena.allocate(SyncLayout.bytes(2), 64));
  private final long part = Raw.address(arena.allocate(16, 64));

  private void write(int origin) {
    Raw.putLong(part + 8L * origin, 1);
    SyncLayout.incrementCompletes(block, origin);
    Reference.reachabilityFence(arena);
  }

  /** Puts and completes. */
  @Actor
  public void first() {
    write(0);
  }

  /** Puts and completes. */
  @Actor
  public void second() {
    write(1);
  }

  /**
   * Reads the completions, then the part.
   *
   * @param r completions, and both words of the part
   */
  @Actor
  public void target(JJJ_Result r) {
    r.r1 = SyncLayout.getAcquireCompletes(block, 0) + SyncLayout.getAcquireCompletes(block, 1);
    r.r2 = Raw.getLong(part);
    r.r3 = Raw.getLong(part + 8);
    Reference.reachabilityFence(arena);
  }
}
