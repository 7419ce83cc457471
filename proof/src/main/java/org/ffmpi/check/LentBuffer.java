// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.CallPlace;

/**
 * A buffer that a call uses until it has been completed, with its bytes, whether the call reads or writes them, and the
 * place of the call. Immutable but for the checksum. Used by one thread at a time.
 */
final class LentBuffer {
  /** Bytes that are packed at a time for the checksum. */
  private static final long CHUNK = 1 << 16;

  private static final long PRIME = 0x9E3779B97F4A7C15L;

  final ByteRuns bytes;
  final boolean isWritten;
  final CallPlace place;
  private final int kind;
  private final Object owner;
  private final long offset;
  private final long count;
  private final Plan plan;
  private long sum;

  LentBuffer(
      boolean isWritten, CallPlace place, int kind, Object owner, long offset, long count, Plan plan) {
    this(isWritten, place, kind, owner, offset, count, plan, ByteRuns.of(kind, owner, offset, count, plan));
  }

  private LentBuffer(
      boolean isWritten, CallPlace place, int kind, Object owner, long offset, long count, Plan plan, ByteRuns bytes) {
    this.isWritten = isWritten;
    this.place = place;
    this.kind = kind;
    this.owner = owner;
    this.offset = offset;
    this.count = count;
    this.plan = plan;
    this.bytes = bytes;
  }

  /** Returns the same buffer, as another call uses it. */
  LentBuffer at(CallPlace call) {
    return new LentBuffer(isWritten, call, kind, owner, offset, count, plan, bytes);
  }

  /** Returns whether the memory still exists. */
  boolean isAlive() {
    return Memory.isAlive(owner);
  }

  /** Notes what is in the buffer now. */
  void remember() {
    if (!isWritten && bytes != null) {
      sum = checksum();
    }
  }

  /** Returns whether something else is in the buffer than at {@link #remember}; false where this thread cannot look. */
  boolean hasChanged() {
    return !isWritten && bytes != null && isAlive() && Memory.accessibleByCurrentThread(kind, owner)
        && checksum() != sum;
  }

  private long checksum() {
    long total = plan.packedBytes(count);
    long hash = total;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment scratch = arena.allocate(Math.min(total, CHUNK) + Long.BYTES, Long.BYTES);
      long at = Raw.address(scratch);
      for (long from = 0; from < total; from += CHUNK) {
        long length = Math.min(CHUNK, total - from);
        Raw.putLong(at + (length & -Long.BYTES), 0);
        plan.pack(kind, owner, offset, count, from, length, at);
        for (long i = 0; i < length; i += Long.BYTES) {
          long word = (hash ^ Raw.getLong(at + i)) * PRIME;
          hash = word ^ word >>> 29;
        }
      }
    }
    return hash;
  }
}
