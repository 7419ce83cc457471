// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Raw;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** One rank accumulates a vector while two fetch and add to one of its elements: no addition is lost. */
@JCStressTest
@Outcome(id = {"12, 0, 1", "12, 1, 0", "12, 0, 11", "12, 11, 0", "12, 10, 11", "12, 11, 10"},
    expect = Expect.ACCEPTABLE, desc = "One after the other.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An addition is lost.")
@State
public class StripesStress {
  private final Arena arena = Arena.ofAuto();
  private final long block = Raw.address(arena.allocate(SyncLayout.bytes(1), 64));
  private final long part = Raw.address(arena.allocate(16, 64));

  private long fetchAndAdd(int rank) {
    Stripes stripes = new Stripes(null, null, rank);
    long word = SyncLayout.stripeAddress(block, Stripes.of(0));
    stripes.lock(word);
    long was = Raw.getLong(part);
    Raw.putLong(part, was + 1);
    Stripes.unlock(word);
    Reference.reachabilityFence(arena);
    return was;
  }

  /** Adds ten to both elements. */
  @Actor
  public void vector() {
    Stripes stripes = new Stripes(null, null, 0);
    long set = stripes.lockAll(block, 0, 16);
    Raw.putLong(part, Raw.getLong(part) + 10);
    Raw.putLong(part + 8, Raw.getLong(part + 8) + 10);
    Stripes.unlockAll(block, set);
    Reference.reachabilityFence(arena);
  }

  /**
   * Fetches and adds 1.
   *
   * @param r the fetched value
   */
  @Actor
  public void one(JJJ_Result r) {
    r.r2 = fetchAndAdd(1);
  }

  /**
   * Fetches and adds 1.
   *
   * @param r the fetched value
   */
  @Actor
  public void other(JJJ_Result r) {
    r.r3 = fetchAndAdd(2);
  }

  /**
   * Reads the sum at the end.
   *
   * @param r its value
   */
  @Arbiter
  public void sum(JJJ_Result r) {
    r.r1 = Raw.getLong(part);
  }
}
