// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect;

import java.lang.ref.WeakReference;
import org.ffmpi.Buf;
import org.ffmpi.datatype.Datatype;

/**
 * Makes buffers as {@link TypedMemory} does, and remembers the last few, so that calls in a loop over the same memory
 * make none. Nothing is kept alive by being remembered. Any thread may call.
 */
public final class RecentBuffers {
  /** Two arrays to send from and two to receive into. */
  private static final int SLOTS = 4;

  /** A buffer, and what it was made of. */
  private record Made(
      Object memory, long byteOffset, long count, Datatype<?> type, boolean perRank, Buf<?> buf) {
    boolean isOf(Object otherMemory, long otherOffset, long otherCount, Datatype<?> otherType, boolean blocks) {
      return memory == otherMemory && count == otherCount && type == otherType && byteOffset == otherOffset
          && perRank == blocks;
    }
  }

  /** Racing threads may overwrite each other's entries: what is read is whole, or missing. */
  private final Slot[] slots = new Slot[SLOTS];
  private int next;

  private static final class Slot extends WeakReference<Made> {
    Slot(Made made) {
      super(made);
    }
  }

  /** Creates a memory of nothing. */
  public RecentBuffers() {}

  /** Returns a buffer as {@link TypedMemory#of}. */
  public <T> Buf<T> of(Object memory, long byteOffset, long count, Datatype<T> type) {
    Buf<T> known = find(memory, byteOffset, count, type, false);
    return known != null
        ? known
        : keep(memory, byteOffset, count, type, false, TypedMemory.of(memory, byteOffset, count, type));
  }

  /** Returns a buffer as {@link TypedMemory#perRank}. */
  public <T> Buf<T> perRank(Object memory, long byteOffset, long count, Datatype<T> type) {
    Buf<T> known = find(memory, byteOffset, count, type, true);
    return known != null
        ? known
        : keep(memory, byteOffset, count, type, true, TypedMemory.perRank(memory, byteOffset, count, type));
  }

  @SuppressWarnings("unchecked") // the type is that of the buffer
  private <T> Buf<T> find(Object memory, long byteOffset, long count, Datatype<T> type, boolean perRank) {
    for (Slot slot : slots) {
      Made made = slot == null ? null : slot.get();
      if (made != null && made.isOf(memory, byteOffset, count, type, perRank)) {
        return (Buf<T>) made.buf;
      }
    }
    return null;
  }

  private <T> Buf<T> keep(
      Object memory, long byteOffset, long count, Datatype<T> type, boolean perRank, Buf<T> buf) {
    int at = next;
    slots[at & SLOTS - 1] = new Slot(new Made(memory, byteOffset, count, type, perRank, buf));
    next = at + 1;
    return buf;
  }
}
