// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.lang.foreign.Arena;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;

/**
 * An operation on elements of a derived type that is made of one basic type. Each basic element of the left operand is
 * combined with the one at the same place of the right operand. Long runs are combined in place. Short scattered runs
 * are gathered into tiles, combined there, and scattered back, which costs less than a call of the kernel for each run.
 */
final class PlanKernel implements ReduceKernel {
  /** Bytes of a run from which a call of the kernel costs less than two copies in and one out. */
  private static final long LONG_RUN = 512;

  private final ReduceKernel kernel;
  private final Plan basic;
  private final Plan plan;
  private final boolean contiguous;
  private final boolean longRuns;

  /**
   * Creates a kernel.
   *
   * @param kernel the operation on the basic type
   * @param basic plan of the basic type
   * @param plan plan of the derived type
   */
  PlanKernel(ReduceKernel kernel, Plan basic, Plan plan) {
    this.kernel = kernel;
    this.basic = basic;
    this.plan = plan;
    this.contiguous = basic.isContiguous() && plan.isContiguous();
    this.longRuns = basic.isContiguous() && plan.size() / Math.max(1, plan.runs()) >= LONG_RUN;
  }

  @Override
  public int kind() {
    return kernel.kind();
  }

  @Override
  public void reduce(long in, long inout, long count) {
    reduce(in, null, Memory.NATIVE, inout, count);
  }

  @Override
  public void reduce(long in, Object array, int arrayKind, long byteOffset, long count) {
    if (contiguous) {
      long first = plan.trueLowerBound();
      kernel.reduce(in + first, array, arrayKind, byteOffset + first, plan.packedBytes(count) / basic.size());
    } else if (longRuns) {
      plan.forEachRun(count, (displacement, bytes) ->
          kernel.reduce(in + displacement, array, arrayKind, byteOffset + displacement, bytes / basic.size()));
    } else {
      reduceTiled(Memory.NATIVE, null, in, arrayKind, array, byteOffset, count);
    }
  }

  @Override
  public void combine(long left, long right, long out, long count) {
    if (contiguous) {
      long first = plan.trueLowerBound();
      kernel.combine(left + first, right + first, out + first, plan.packedBytes(count) / basic.size());
    } else {
      combineCopied(this, plan, left, right, out, count);
    }
  }

  /**
   * Combines by a kernel that overwrites its right operands. Copies them to the place of the results piece by piece,
   * and combines each piece while it is in the cache.
   */
  static void combineCopied(ReduceKernel kernel, Plan plan, long left, long right, long out, long count) {
    long chunk = Math.max(1, ElementKernel.TILE_BYTES / Math.max(1, plan.size()));
    for (long done = 0; done < count; done += chunk) {
      long elements = Math.min(chunk, count - done);
      long at = done * plan.extent();
      plan.transfer(
          right + at, plan, elements, Memory.NATIVE, null, out + at, elements, 0, plan.packedBytes(elements));
      kernel.reduce(left + at, out + at, elements);
    }
  }

  /** Combines tile by tile; both operands may lie in any kind of memory. */
  void reduceTiled(int inKind, Object in, long inOffset, int kind, Object inout, long offset, long count) {
    long total = plan.packedBytes(count);
    if (total == 0) {
      return;
    }
    long chunk = Math.min(total, Math.max(1, ElementKernel.TILE_BYTES / basic.extent()) * basic.size());
    long room = chunk / basic.size() * basic.extent();
    try (Arena arena = Arena.ofConfined()) {
      long left = Raw.address(arena.allocate(room, 64));
      long right = Raw.address(arena.allocate(room, 64));
      long stream = basic.isContiguous() ? 0 : Raw.address(arena.allocate(chunk, 64));
      for (long from = 0; from < total; from += chunk) {
        long bytes = Math.min(chunk, total - from);
        gather(inKind, in, inOffset, count, from, bytes, left, stream);
        gather(kind, inout, offset, count, from, bytes, right, stream);
        kernel.reduce(left, right, bytes / basic.size());
        if (basic.isContiguous()) {
          plan.unpack(right, kind, inout, offset, count, from, bytes);
        } else {
          basic.pack(Memory.NATIVE, null, right, bytes / basic.size(), 0, bytes, stream);
          plan.unpack(stream, kind, inout, offset, count, from, bytes);
        }
      }
    }
  }

  /** Fills a tile with basic elements as they lie in a buffer, gaps included. */
  private void gather(
      int kind, Object owner, long offset, long count, long from, long bytes, long tile, long stream) {
    if (basic.isContiguous()) {
      plan.pack(kind, owner, offset, count, from, bytes, tile);
    } else {
      plan.pack(kind, owner, offset, count, from, bytes, stream);
      basic.unpack(stream, Memory.NATIVE, null, tile, bytes / basic.size(), 0, bytes);
    }
  }
}
