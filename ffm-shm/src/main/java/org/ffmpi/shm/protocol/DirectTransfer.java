// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.datatype.plan.Plan;

/** One copy out of a peer's buffer in the shared heap. */
final class DirectTransfer extends OneCopy {
  private final long source;
  private final Plan sourcePlan;
  private final long sourceCount;

  DirectTransfer(RecvOp op, UnexpectedMessage m, long source, Plan sourcePlan, long bytes) {
    super(op, m, bytes);
    this.source = source;
    this.sourcePlan = sourcePlan;
    this.sourceCount = m.count;
  }

  @Override
  boolean copy(long from, long n) {
    op.transfer(source, sourcePlan, sourceCount, from, n);
    return true;
  }
}
