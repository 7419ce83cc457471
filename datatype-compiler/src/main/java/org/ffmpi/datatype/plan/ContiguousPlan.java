// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.raw.Memory;

/**
 * Plan of elements without gaps that follow one another, whose stream equals their memory; also of elements without
 * data.
 */
final class ContiguousPlan extends Plan {
  private final long first;

  ContiguousPlan(PlanCore core, StreamSignature signature) {
    super(core, signature);
    this.first = trueLowerBound();
  }

  @Override
  public boolean isContiguous() {
    return true;
  }

  @Override
  public void pack(int kind, Object owner, long offset, long count, long from, long bytes, long dst) {
    if (bytes != 0) {
      Memory.read(kind, owner, offset + first + from, dst, bytes);
    }
  }

  @Override
  public void unpack(long src, int kind, Object owner, long offset, long count, long from, long bytes) {
    if (bytes != 0) {
      Memory.write(kind, owner, offset + first + from, src, bytes);
    }
  }
}
