// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.lang.foreign.Arena;
import org.ffmpi.base.raw.Raw;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Of a receiver that matches and a sender that cancels, exactly one wins the completion word. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The receiver has claimed it.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The sender has cancelled.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both won, or nobody.")
@State
public class CompletionWordStress {
  private final Arena arena = Arena.ofAuto();
  private final long word = Raw.address(arena.allocate(CompletionWordLayout.BYTES, CompletionWordLayout.BYTES));

  /** CompletionWords a message. */
  public CompletionWordStress() {
    CompletionWordLayout.setReleasePending(word, 3);
  }

  /**
   * Matches.
   *
   * @param r whether the receiver won
   */
  @Actor
  public void match(ZZ_Result r) {
    r.r1 = CompletionWordLayout.cas(word, 3, CompletionWordLayout.PENDING, CompletionWordLayout.CLAIMED);
    java.lang.ref.Reference.reachabilityFence(arena);
  }

  /**
   * Cancels.
   *
   * @param r whether the sender won
   */
  @Actor
  public void cancel(ZZ_Result r) {
    r.r2 = CompletionWordLayout.cas(word, 3, CompletionWordLayout.PENDING, CompletionWordLayout.CANCELLED);
    java.lang.ref.Reference.reachabilityFence(arena);
  }
}
