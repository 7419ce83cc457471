// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect;

import java.lang.ref.WeakReference;
import org.ffmpi.Buf;
import org.ffmpi.datatype.Datatype;

/**
 * A cache of the last buffers of {@link TypedMemory}, so that calls in a loop over the same memory make none. It does
 * not keep memory alive. Any thread may call.
 */
public final class RecentBuffers {
  /** Enough for the neighbours of a grid, each with memory to send and to receive; a power of two. */
  private static final int SLOTS = 64;

  /** Turns neighbouring numbers into distant ones. */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  /** A buffer with the arguments that it was made of. */
  private record Made(
      Object memory, long byteOffset, long count, Datatype<?> type, boolean perRank, Buf<?> buf) {
    boolean isOf(Object otherMemory, long otherOffset, long otherCount, Datatype<?> otherType, boolean blocks) {
      return memory == otherMemory && count == otherCount && type == otherType && byteOffset == otherOffset
          && perRank == blocks;
    }
  }

  /** Hashed by the arguments. A race between threads is benign: an entry is immutable, and a lost one is made again. */
  private final Slot[] slots = new Slot[SLOTS];

  private static final class Slot extends WeakReference<Made> {
    Slot(Made made) {
      super(made);
    }
  }

  /** Creates an empty cache. */
  public RecentBuffers() {}

  /** Returns a buffer as {@link TypedMemory#of}. */
  public <T> Buf<T> of(Object memory, long byteOffset, long count, Datatype<T> type) {
    Buf<T> known = find(memory, byteOffset, count, type, false);
    return known != null
        ? known
        : remember(memory, byteOffset, count, type, false, TypedMemory.of(memory, byteOffset, count, type));
  }

  /** Returns a buffer as {@link TypedMemory#perRank}. */
  public <T> Buf<T> perRank(Object memory, long byteOffset, long count, Datatype<T> type) {
    Buf<T> known = find(memory, byteOffset, count, type, true);
    return known != null
        ? known
        : remember(memory, byteOffset, count, type, true, TypedMemory.perRank(memory, byteOffset, count, type));
  }

  /** Returns the first of a buffer's two slots, an even number: buffers share both of them or none. */
  private static int indexOf(Object memory, long byteOffset, long count, boolean perRank) {
    long numbers = byteOffset * 31 + count + (perRank ? 1 : 0);
    return System.identityHashCode(memory) + (int) (numbers * SPREAD >>> Integer.SIZE) & SLOTS - 2;
  }

  @SuppressWarnings("unchecked") // the type is that of the buffer
  private <T> Buf<T> find(Object memory, long byteOffset, long count, Datatype<T> type, boolean perRank) {
    int index = indexOf(memory, byteOffset, count, perRank);
    Made made = made(index);
    if (made == null || !made.isOf(memory, byteOffset, count, type, perRank)) {
      made = made(index ^ 1);
      if (made == null || !made.isOf(memory, byteOffset, count, type, perRank)) {
        return null;
      }
    }
    return (Buf<T>) made.buf;
  }

  private Made made(int index) {
    Slot slot = slots[index];
    return slot == null ? null : slot.get();
  }

  /**
   * Remembers a buffer that {@link TypedMemory} does not make of these arguments, so that {@link #of} or
   * {@link #perRank} returns it the next time.
   *
   * @param perRank whether the count is that of one block
   * @return the buffer
   */
  public <T> Buf<T> remember(
      Object memory, long byteOffset, long count, Datatype<T> type, boolean perRank, Buf<T> buf) {
    int index = indexOf(memory, byteOffset, count, perRank);
    slots[index ^ 1] = slots[index];
    slots[index] = new Slot(new Made(memory, byteOffset, count, type, perRank, buf));
    return buf;
  }
}
