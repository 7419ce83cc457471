// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;

/**
 * Reductions between two buffers in any kind of memory. Kernels get their left operands by address. Left operands
 * without an address (arrays, segments that another thread may close) are copied to a small native tile first. Right
 * operands are combined in place.
 */
public final class ReductionLoop {
  private ReductionLoop() {}

  /**
   * Combines two buffers: {@code inout[i] = in[i] op inout[i]} (the loop of {@code MPI_Reduce_local}, MPI-4.1 §6.9.7).
   * Both hold {@code count} elements, {@code plan.extent()} apart, and do not overlap. The caller has checked that all
   * elements lie inside and that this thread may touch them. Does not block.
   *
   * @param kernel the operation on elements of the type
   * @param plan plan of the type
   * @param inKind kind of the left operands' memory, a constant of {@link Memory}
   * @param in array or segment the left operands belong to
   * @param inOffset where the first of them lies, by the rules of {@code inKind}
   * @param kind kind of the right operands' memory
   * @param inout array or segment the right operands belong to, which are replaced by the results
   * @param offset where the first of them lies, by the rules of {@code kind}
   * @param count number of elements, not negative
   * @throws MpiException ERR_BUFFER when the left operands' arena has been closed or is another thread's
   */
  public static void reduce(
      ReduceKernel kernel, Plan plan,
      int inKind, Object in, long inOffset,
      int kind, Object inout, long offset, long count) {
    if (count == 0 || plan.size() == 0) {
      return;
    }
    try {
      switch (inKind) {
        case Memory.NATIVE -> kernel.reduce(inOffset, inout, kind, offset, count);
        case Memory.CONFINED ->
            kernel.reduce(confinedAddress((MemorySegment) in) + inOffset, inout, kind, offset, count);
        default -> {
          if (kernel instanceof PlanKernel strided) {
            strided.reduceTiled(inKind, in, inOffset, kind, inout, offset, count);
          } else {
            reduceTiled(kernel, plan, inKind, in, inOffset, kind, inout, offset, count);
          }
        }
      }
    } finally {
      Reference.reachabilityFence(in);
      Reference.reachabilityFence(inout);
    }
  }

  /** Returns the address of a segment that no other thread can close while the kernel runs. */
  private static long confinedAddress(MemorySegment segment) {
    if (!Memory.isAlive(segment) || !Memory.accessibleByCurrentThread(Memory.CONFINED, segment)) {
      throw new MpiException(
          ErrorClass.ERR_BUFFER, "in: its confined arena has been closed or belongs to another thread");
    }
    return Raw.address(segment);
  }

  /** Copies left operands to a tile with the same layout, gaps included, and combines from there. */
  private static void reduceTiled(
      ReduceKernel kernel, Plan plan,
      int inKind, Object in, long inOffset,
      int kind, Object inout, long offset, long count) {
    long extent = plan.extent();
    long span = plan.trueExtent();
    long chunk = Math.clamp(ElementKernel.TILE_BYTES / Math.max(1, Math.abs(extent)), 1, count);
    long below = Math.min(0, (chunk - 1) * extent);
    long reach = Math.abs((chunk - 1) * extent) + span;
    boolean dense = Math.abs(extent) <= 2 * span;
    try (Arena arena = Arena.ofConfined()) {
      long tile = Raw.address(arena.allocate(reach, 64)) - below - plan.trueLowerBound();
      for (long done = 0; done < count; done += chunk) {
        long elements = Math.min(chunk, count - done);
        long from = inOffset + done * extent + plan.trueLowerBound();
        long to = tile + plan.trueLowerBound();
        if (dense) {
          // Bytes between elements are copied, too: they lie inside the buffer, and kernels do not read them.
          long lowest = Math.min(0, (elements - 1) * extent);
          Memory.read(inKind, in, from + lowest, to + lowest, Math.abs((elements - 1) * extent) + span);
        } else {
          for (long i = 0; i < elements; i++) {
            Memory.read(inKind, in, from + i * extent, to + i * extent, span);
          }
        }
        kernel.reduce(tile, inout, kind, offset + done * extent, elements);
      }
    }
  }
}
