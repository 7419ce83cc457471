// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.access;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.Plan;

/**
 * The packed stream of a buffer's elements, as accesses read and write it; in place where it is memory without gaps
 * outside the heap. One thread at a time.
 */
public final class ElementStream {
  private final int kind;
  private final Object owner;
  private final long offset;
  private final long count;
  private final Plan plan;
  private final long bytes;
  private final boolean inPlace;

  private ElementStream(int kind, Object owner, long offset, long count, Plan plan, long bytes) {
    this.kind = kind;
    this.owner = owner;
    this.offset = offset;
    this.count = count;
    this.plan = plan;
    this.bytes = bytes;
    this.inPlace = plan == null
        || plan.isRun(count) && (kind == Memory.NATIVE || kind == Memory.CONFINED || isOffHeap(kind, owner));
  }

  private static boolean isOffHeap(int kind, Object owner) {
    return kind == Memory.SESSION && owner instanceof MemorySegment segment && segment.isNative();
  }

  /** Returns the stream of a buffer that has been checked. */
  public static ElementStream of(BufImpl<?> buf) {
    return new ElementStream(
        buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(), buf.packedBytes());
  }

  /** Returns a stream that lies in memory of ours. */
  public static ElementStream of(MemorySegment stream, long bytes) {
    return new ElementStream(Memory.NATIVE, stream, Raw.address(stream), 1, null, bytes);
  }

  public long bytes() {
    return bytes;
  }

  /** Returns a part of the stream as a buffer of the JDK; null where it has to be copied. */
  ByteBuffer inPlace(long from, long n) {
    if (!inPlace) {
      return null;
    }
    long at = offset + (plan == null ? 0 : plan.trueLowerBound()) + from;
    return kind == Memory.NATIVE ? Raw.view(at, n).asByteBuffer()
        : ((MemorySegment) owner).asSlice(at, n).asByteBuffer();
  }

  /** Returns the address of a byte of the stream; 0 where it has to be copied. */
  public long address(long from) {
    if (!inPlace || kind == Memory.SESSION) {
      return 0;
    }
    long at = offset + (plan == null ? 0 : plan.trueLowerBound()) + from;
    return kind == Memory.NATIVE ? at : Raw.address((MemorySegment) owner) + at;
  }

  /** Copies a part of the stream to an address. */
  public void copyOut(long from, long n, long to) {
    if (plan == null) {
      Raw.copy(offset + from, to, n);
    } else {
      plan.pack(kind, owner, offset, count, from, n, to);
    }
  }

  /** Copies bytes to a part of the stream. */
  public void copyIn(long source, long from, long n) {
    if (plan == null) {
      Raw.copy(source, offset + from, n);
    } else {
      plan.unpack(source, kind, owner, offset, count, from, n);
    }
  }

  /** Keeps the memory reachable until here. */
  public void keep() {
    Reference.reachabilityFence(owner);
  }
}
