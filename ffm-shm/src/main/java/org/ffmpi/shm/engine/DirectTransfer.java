// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.datatype.plan.Plan;

/** One copy out of a peer's buffer in the shared heap. */
final class DirectTransfer extends OneCopy {
  private final long source;
  private final Plan sourcePlan;
  private final long sourceCount;

  DirectTransfer(
      ShmEngine engine, RecvOp op, int peer, long source, Plan sourcePlan, long sourceCount, long bytes,
      long word, int generation) {
    super(engine, op, peer, bytes, word, generation);
    this.source = source;
    this.sourcePlan = sourcePlan;
    this.sourceCount = sourceCount;
  }

  @Override
  boolean copy(long from, long n) {
    op.transfer(source, sourcePlan, sourceCount, from, n);
    return true;
  }
}
