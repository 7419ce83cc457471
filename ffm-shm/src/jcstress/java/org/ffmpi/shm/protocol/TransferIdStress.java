// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Raw;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A sender that sees its message matched sees the receiver's transfer id, too. */
@JCStressTest
@Outcome(id = {"1, 0", "5, 0"}, expect = Expect.ACCEPTABLE, desc = "Not matched yet.")
@Outcome(id = "2, 77", expect = Expect.ACCEPTABLE, desc = "Matched, with its transfer id.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Matched without a transfer id, or in no state.")
@State
public class TransferIdStress {
  private final Arena arena = Arena.ofAuto();
  private final long word = Raw.address(arena.allocate(CompletionWordLayout.BYTES, CompletionWordLayout.BYTES));

  /** A message that waits. */
  public TransferIdStress() {
    CompletionWordLayout.setReleasePending(word, 3);
  }

  /** Claims the word, writes the transfer id, and publishes MATCHED. */
  @Actor
  public void receiver() {
    if (CompletionWordLayout.cas(word, 3, CompletionWordLayout.PENDING, CompletionWordLayout.CLAIMED)) {
      CompletionWordLayout.setPlainTransfer(word, 77);
      CompletionWordLayout.setReleaseState(word, 3, CompletionWordLayout.MATCHED);
    }
    Reference.reachabilityFence(arena);
  }

  /**
   * Looks.
   *
   * @param r state and transfer id
   */
  @Actor
  public void sender(JJ_Result r) {
    r.r1 = CompletionWordLayout.getAcquireState(word, 3);
    r.r2 = r.r1 == CompletionWordLayout.MATCHED ? CompletionWordLayout.getPlainTransfer(word) : 0;
    Reference.reachabilityFence(arena);
  }
}
