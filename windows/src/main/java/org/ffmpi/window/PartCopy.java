// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.Plan;

/**
 * Copies between a program's buffer and a part of a window that this rank reaches, each in the layout of its own plan.
 * The packed streams of both have the same length. A copy is one pass if one end is a run of bytes or the buffer is
 * off-heap.
 */
final class PartCopy {
  /** Bytes of one stage, where neither end is a run and the buffer has no address. */
  private static final long STAGE = 8192;

  private PartCopy() {}

  /** Copies a buffer's elements to a part. */
  static void toPart(BufImpl<?> buf, long part, long count, Plan plan) {
    long bytes = buf.packedBytes();
    if (plan.isRun(count)) {
      buf.pack(part + plan.trueLowerBound());
    } else if (buf.memoryKind() == Memory.NATIVE) {
      try {
        plan.transfer(buf.memoryOffset(), buf.plan(), buf.count(), Memory.NATIVE, null, part, count, 0, bytes);
      } finally {
        Reference.reachabilityFence(buf.memoryOwner());
      }
    } else {
      toPartStaged(buf, part, count, plan, bytes);
    }
  }

  private static void toPartStaged(BufImpl<?> buf, long part, long count, Plan plan, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      long stage = Raw.address(arena.allocate(Math.min(bytes, STAGE) + 1, 64));
      for (long from = 0; from < bytes; from += STAGE) {
        long n = Math.min(STAGE, bytes - from);
        buf.plan().pack(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), from, n, stage);
        plan.unpack(stage, Memory.NATIVE, null, part, count, from, n);
      }
    }
  }

  /** Copies a part's elements to a buffer. */
  static void fromPart(long part, long count, Plan plan, BufImpl<?> buf) {
    buf.plan().transfer(part, plan, count, buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), 0,
        buf.packedBytes());
  }
}
