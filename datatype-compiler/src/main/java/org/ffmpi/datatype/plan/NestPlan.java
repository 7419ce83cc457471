// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.lang.ref.Reference;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.kernel.Copiers;
import org.ffmpi.datatype.plan.pattern.Copier;
import org.ffmpi.datatype.plan.pattern.LoopCopier;
import org.ffmpi.datatype.plan.pattern.Pattern;

/** Plan of elements that are not contiguous: an endless loop around a {@link Pattern}. */
final class NestPlan extends Plan {
  private final Pattern unit;
  private final long stride;
  private final long displacement;
  private final LoopCopier hot;

  NestPlan(PlanCore core, StreamSignature signature) {
    super(core, signature);
    this.unit = core.pattern.unit;
    this.stride = core.pattern.unitStride;
    this.displacement = core.pattern.displacement;
    this.hot = core.pattern.hot;
  }

  @Override
  public boolean isContiguous() {
    return false;
  }

  @Override
  public void pack(int kind, Object owner, long offset, long count, long from, long bytes, long dst) {
    if (bytes == 0) {
      return;
    }
    if (isRun(count)) {
      Memory.read(kind, owner, offset + trueLowerBound() + from, dst, bytes);
      return;
    }
    boolean confined = kind == Memory.CONFINED;
    Copier copier = Copiers.packing(confined ? Memory.NATIVE : kind);
    long at = (confined ? ConfinedMemory.address(owner) + offset : offset) + displacement;
    try {
      unit.range(copier, owner, at, stride, hot, from, bytes, dst, unit.size);
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  @Override
  public void unpack(long src, int kind, Object owner, long offset, long count, long from, long bytes) {
    if (bytes == 0) {
      return;
    }
    if (isRun(count)) {
      Memory.write(kind, owner, offset + trueLowerBound() + from, src, bytes);
      return;
    }
    boolean confined = kind == Memory.CONFINED;
    Copier copier = Copiers.unpacking(confined ? Memory.NATIVE : kind);
    long at = (confined ? ConfinedMemory.address(owner) + offset : offset) + displacement;
    try {
      unit.range(copier, owner, at, stride, hot, from, bytes, src, unit.size);
    } finally {
      Reference.reachabilityFence(owner);
    }
  }
}
