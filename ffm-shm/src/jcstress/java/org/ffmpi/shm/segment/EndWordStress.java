// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import org.ffmpi.base.raw.Raw;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two ranks end the job and one of them reads the end. It sees no reason, or one whole reason with its code. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The other one is writing its reason.")
@Outcome(id = {"1, 65", "2, 66"}, expect = Expect.ACCEPTABLE, desc = "One rank's code and reason.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A mixture.")
@State
public class EndWordStress {
  private static final byte[][] REASONS = {
      "A".getBytes(StandardCharsets.UTF_8), "B".getBytes(StandardCharsets.UTF_8)};

  private final Arena arena = Arena.ofAuto();
  private final long base = Raw.address(arena.allocate(JobLayout.BYTES, 128));

  /** A job that goes on. */
  public EndWordStress() {}

  private void end(int rank) {
    if (JobLayout.casEnded(base, 0, 1)) {
      JobLayout.setPlainReason(base, rank + 1, rank, REASONS[rank], 1);
      JobLayout.setVolatileEnded(base, 2);
    }
    Reference.reachabilityFence(arena);
  }

  /** Ends the job. */
  @Actor
  public void one() {
    end(0);
  }

  /**
   * Ends the job, and looks.
   *
   * @param r code and reason
   */
  @Actor
  public void other(II_Result r) {
    end(1);
    if (JobLayout.getAcquireEnded(base) == 2) {
      r.r1 = JobLayout.getPlainCode(base);
      r.r2 = JobLayout.getPlainReason(base)[0];
    }
    Reference.reachabilityFence(arena);
  }
}
