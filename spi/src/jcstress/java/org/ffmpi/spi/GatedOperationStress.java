// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * Two threads bring one half each to an operation that any thread may advance. The thread inside the gate sees both
 * halves, since the other one leaves a mark, and only one thread is inside at a time.
 */
@JCStressTest
@Outcome(id = "true, 0", expect = Expect.ACCEPTABLE, desc = "Complete, and never two inside.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A call was lost, or two were inside.")
@State
public class GatedOperationStress {
  private static final class Halves extends GatedOperation {
    /** Read with acquire order, as the words of peers are. */
    private volatile boolean one;

    private volatile boolean other;
    private int inside;
    private int twice;

    Halves() {
      open();
    }

    @Override
    public boolean advance() {
      if (!enter()) {
        return false;
      }
      do {
        twice |= inside;
        inside = 1;
        boolean both = one && other;
        inside = 0;
        if (both) {
          close();
          complete();
          return true;
        }
      } while (!leave());
      return false;
    }
  }

  private final Halves operation = new Halves();

  /** An operation that waits for both halves. */
  public GatedOperationStress() {}

  /** Brings the first half. */
  @Actor
  public void first() {
    operation.one = true;
    operation.advance();
  }

  /** Brings the second half. */
  @Actor
  public void second() {
    operation.other = true;
    operation.advance();
  }

  /**
   * Checks for both halves.
   *
   * @param r whether it is complete, and whether two threads met inside
   */
  @Arbiter
  public void result(ZI_Result r) {
    r.r1 = operation.isDone();
    r.r2 = operation.twice;
  }
}
