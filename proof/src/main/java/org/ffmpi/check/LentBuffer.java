// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * A buffer that a call uses until it has been completed, with its bytes, whether the call reads or writes them, and the
 * place of the call. What a call writes can be held back. Then the call gets other memory, which is copied when the
 * program completes the call, so that a store of the program is seen until then. Used by one thread at a time.
 */
final class LentBuffer {
  /** Bytes that are packed at a time for the checksum. */
  private static final long CHUNK = 1 << 16;

  private static final long PRIME = 0x9E3779B97F4A7C15L;

  /** Longest memory that is held back. */
  private static final long MOST_HELD = 1 << 26;

  final ByteRuns bytes;
  final boolean isWritten;
  final CallPlace place;
  private final int kind;
  private final Object owner;
  private final long offset;
  private final long count;
  private final Plan plan;

  /** Whether {@link #sum} is known. */
  private boolean isRemembered;

  private long sum;

  /** What the call uses in place of the program's memory; null when nothing is held back. */
  private byte[] held;

  private long heldOffset;

  private volatile boolean isOver;

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
    LentBuffer other = new LentBuffer(isWritten, call, kind, owner, offset, count, plan, bytes);
    other.held = held;
    other.heldOffset = heldOffset;
    return other;
  }

  /**
   * Makes memory that the call uses in place of the program's. The call uses the program's memory itself where only
   * some threads may access that, and where it is very large.
   */
  void holdBack() {
    if (bytes == null || kind != Memory.NATIVE && kind < Memory.BYTES) {
      return;
    }
    long last = (count - 1) * plan.extent();
    long low = Math.min(0, last) + plan.trueLowerBound();
    long length = Math.max(0, last) + plan.trueLowerBound() + plan.trueExtent() - low;
    if (length <= MOST_HELD) {
      held = new byte[(int) length];
      heldOffset = -low;
    }
  }

  /** Returns whether the call uses other memory than the program's. */
  boolean isHeldBack() {
    return held != null;
  }

  /** Returns the kind of the memory that the call uses. */
  int usedKind() {
    return held == null ? kind : Memory.BYTES;
  }

  /** Returns the memory that the call uses. */
  Object usedOwner() {
    return held == null ? owner : held;
  }

  /** Returns where the first element lies in the memory that the call uses. */
  long usedOffset() {
    return held == null ? offset : heldOffset;
  }

  /** Starts to send it, or what the call uses in its place, by the synchronous protocol. */
  Operation isend(Engine engine, int peer, long context, int tag) {
    return engine.isend(
        Engine.SYNCHRONOUS, usedKind(), usedOwner(), usedOffset(), count, plan, peer, context, tag);
  }

  /** Copies what the call has written to the program's memory. */
  void deliver() {
    if (isWritten && held != null && isAlive()) {
      copy(Memory.BYTES, held, heldOffset, kind, owner, offset);
    }
  }

  /** Makes a copy that the call reads in place of the program's memory, if that can be. */
  void readCopy() {
    holdBack();
    if (held != null) {
      copy(kind, owner, offset, Memory.BYTES, held, heldOffset);
    }
  }

  private void copy(int fromKind, Object from, long fromOffset, int toKind, Object to, long toOffset) {
    long total = plan.packedBytes(count);
    try (Arena arena = Arena.ofConfined()) {
      long at = Raw.address(arena.allocate(Math.min(total, CHUNK), Long.BYTES));
      for (long done = 0; done < total; done += CHUNK) {
        long length = Math.min(CHUNK, total - done);
        plan.pack(fromKind, from, fromOffset, count, done, length, at);
        plan.unpack(at, toKind, to, toOffset, count, done, length);
      }
    }
  }

  /** Notes that the call does not use it any more. */
  void end() {
    isOver = true;
  }

  /** Returns whether the call does not use it any more. */
  boolean isOver() {
    return isOver;
  }

  /** Returns whether the memory still exists. */
  boolean isAlive() {
    return Memory.isAlive(owner);
  }

  /** Notes what is in the buffer now, if the call leaves that as it is. */
  void remember() {
    if (bytes != null && (!isWritten || held != null)) {
      rememberWritten();
      if (isWritten) {
        copy(kind, owner, offset, Memory.BYTES, held, heldOffset);
      }
    }
  }

  /** Notes what a call that has written all it will has left in the buffer. */
  void rememberWritten() {
    if (bytes != null && isAlive()) {
      sum = checksum();
      isRemembered = true;
    }
  }

  /** Returns whether something else is in the buffer than at {@link #remember}; false where this thread cannot look. */
  boolean hasChanged() {
    return isRemembered && isAlive() && Memory.accessibleByCurrentThread(kind, owner) && checksum() != sum;
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
