// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;

/** Copies a rank's message to itself from the send buffer to the receive buffer, a cache-sized piece at a time. */
final class SelfCopy {
  private static final long PIECE = 1 << 15;

  private SelfCopy() {}

  /** Copies the bytes that fit; called with the rank's lock held by a thread that may use both buffers. */
  static void copy(SendOp send, RecvOp op) {
    long bytes = Math.min(send.total, op.capacity());
    if (bytes == 0) {
      return;
    }
    if (send.kind == Memory.NATIVE) {
      try {
        op.transfer(send.offset, send.plan, send.count, 0, bytes);
      } finally {
        Reference.reachabilityFence(send.owner);
      }
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment piece = arena.allocate(Math.min(PIECE, bytes), 64);
      long at = Raw.address(piece);
      for (long done = 0; done < bytes; done += PIECE) {
        long n = Math.min(PIECE, bytes - done);
        send.pack(done, n, at);
        op.write(at, done, n);
      }
      Reference.reachabilityFence(piece);
    }
  }
}
