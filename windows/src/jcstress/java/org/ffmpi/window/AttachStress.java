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

/** A reader of attachments that are being published sees table and number of entries of one version. */
@JCStressTest
@Outcome(id = {"0, 0", "8, 1", "16, 2", "-1, -1"}, expect = Expect.ACCEPTABLE, desc = "One version, or a change.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Words of two versions.")
@State
public class AttachStress {
  private final Arena arena = Arena.ofAuto();
  private final long block = Raw.address(arena.allocate(SyncLayout.bytes(1), 64));

  /** Publishes twice. */
  @Actor
  public void owner() {
    Attachments.beginChange(block);
    Attachments.endChange(block, 8, 1);
    Attachments.beginChange(block);
    Attachments.endChange(block, 16, 2);
    Reference.reachabilityFence(arena);
  }

  /**
   * Reads once.
   *
   * @param r table and number of entries, or -1 for both when they have changed meanwhile
   */
  @Actor
  public void reader(JJ_Result r) {
    long version = SyncLayout.getAcquireAttachVersion(block);
    long table = SyncLayout.getOpaqueAttachTable(block);
    long count = SyncLayout.getOpaqueAttachCount(block);
    boolean whole = (version & 1) == 0 && Attachments.isUnchanged(block, version);
    r.r1 = whole ? table : -1;
    r.r2 = whole ? count : -1;
    Reference.reachabilityFence(arena);
  }
}
