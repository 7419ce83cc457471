// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.SharedMemory;

/**
 * Puts and gets of runs of bytes in the private memory of other processes, by system calls: the owner takes no part in
 * them. Accesses that the kernel or the layout does not allow are left to {@link RemoteAccess}.
 */
final class CrossMemoryAccess {
  private static final long STAGE = 64 << 10;

  private final Channel channel;
  private final SharedMemory shared;
  /** Address of each rank's part in its own process; 0 where the kernel cannot reach it. */
  private final long[] addresses;

  CrossMemoryAccess(Channel channel, SharedMemory shared, long[] addresses) {
    this.channel = channel;
    this.shared = shared;
    this.addresses = addresses;
  }

  /** Writes elements; returns false when their owner has to do it. */
  boolean put(BufImpl<?> buf, int target, long position, long count, Plan plan) {
    if (addresses[target] == 0 || !plan.isRun(count)) {
      return false;
    }
    long there = addresses[target] + position + plan.trueLowerBound();
    long bytes = buf.packedBytes();
    int peer = channel.peer(target);
    if (isRun(buf)) {
      try {
        return shared.write(peer, buf.memoryOffset() + buf.plan().trueLowerBound(), there, bytes);
      } finally {
        Reference.reachabilityFence(buf.memoryOwner());
      }
    }
    try (Arena arena = Arena.ofConfined()) {
      long stage = Raw.address(arena.allocate(Math.min(bytes, STAGE) + 1, 64));
      for (long from = 0; from < bytes; from += STAGE) {
        long n = Math.min(STAGE, bytes - from);
        buf.plan().pack(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), from, n, stage);
        if (!shared.write(peer, stage, there + from, n)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Reads elements; returns false when their owner has to do it. */
  boolean get(BufImpl<?> buf, int target, long position, long count, Plan plan) {
    if (addresses[target] == 0 || !plan.isRun(count)) {
      return false;
    }
    long there = addresses[target] + position + plan.trueLowerBound();
    long bytes = buf.packedBytes();
    int peer = channel.peer(target);
    if (isRun(buf)) {
      try {
        return shared.read(peer, there, buf.memoryOffset() + buf.plan().trueLowerBound(), bytes);
      } finally {
        Reference.reachabilityFence(buf.memoryOwner());
      }
    }
    try (Arena arena = Arena.ofConfined()) {
      long stage = Raw.address(arena.allocate(Math.min(bytes, STAGE) + 1, 64));
      for (long from = 0; from < bytes; from += STAGE) {
        long n = Math.min(STAGE, bytes - from);
        if (!shared.read(peer, there + from, stage, n)) {
          return false;
        }
        buf.plan().unpack(stage, buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), from, n);
      }
    }
    return true;
  }

  private static boolean isRun(BufImpl<?> buf) {
    return buf.memoryKind() == Memory.NATIVE && buf.plan().isRun(buf.count());
  }
}
