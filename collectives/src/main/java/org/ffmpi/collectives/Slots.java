// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import org.ffmpi.Buf;
import org.ffmpi.base.raw.Memory;

/**
 * The memory that the slots of one call are bound to: one buffer for each, or as many blocks as the call has ranks or
 * neighbours. Reused for call after call; belongs to one {@link Execution}.
 */
final class Slots {
  private static final int SEND = Slot.SEND.ordinal();
  private static final int RECEIVE = Slot.RECEIVE.ordinal();

  private final Place[] places = {new Place(), new Place(), new Place()};

  /** Where slots are blocks, those of each slot; null where a slot is one buffer. */
  private final Buf<?>[][] blocks = new Buf<?>[2][];

  /** Binds buffers of the user, either of which may be null. */
  void bind(Buf<?> send, Buf<?> receive, boolean unitsAreElements) {
    if (send != null) {
      places[SEND].bind(send, unitsAreElements);
    }
    if (receive != null) {
      places[RECEIVE].bind(receive, unitsAreElements);
    }
  }

  /** Binds blocks of the user, either array of which may be null. */
  void bindBlocks(Buf<?>[] send, Buf<?>[] receive) {
    blocks[SEND] = send;
    blocks[RECEIVE] = receive;
  }

  /** Tells whether memory of the user may be touched by one thread only. */
  boolean areConfined() {
    return places[SEND].kind == Memory.CONFINED || places[RECEIVE].kind == Memory.CONFINED
        || isConfined(blocks[SEND]) || isConfined(blocks[RECEIVE]);
  }

  private static boolean isConfined(Buf<?>[] blocks) {
    for (int i = 0; blocks != null && i < blocks.length; i++) {
      if (blocks[i].memoryKind() == Memory.CONFINED) {
        return true;
      }
    }
    return false;
  }

  /** Returns what keeps the memory. */
  Object owners() {
    return new Object[] {
      places[SEND].owner, places[RECEIVE].owner, places[Slot.SCRATCH.ordinal()].owner, blocks[SEND], blocks[RECEIVE]
    };
  }

  /** Forgets the memory. */
  void release() {
    places[0].release();
    places[1].release();
    places[2].release();
    blocks[SEND] = null;
    blocks[RECEIVE] = null;
  }

  /** Returns what a slot that is one buffer is bound to. */
  Place of(Slot slot) {
    return places[slot.ordinal()];
  }

  /** Finds the memory that a slice lies in: that of its slot, or its block, whose units are bytes. */
  Place of(Slice slice, Place spare) {
    Buf<?>[] ofSlot = slice.slot() == Slot.SCRATCH ? null : blocks[slice.slot().ordinal()];
    if (ofSlot == null) {
      return places[slice.slot().ordinal()];
    }
    spare.bind(ofSlot[(int) slice.from()], false);
    return spare;
  }

  /** Returns the first unit of a slice, in {@linkplain #of its memory}. */
  long from(Slice slice) {
    return isBlock(slice) ? 0 : slice.from();
  }

  /** Returns the length of a slice: units, or the bytes of its block. */
  long units(Slice slice) {
    if (!isBlock(slice)) {
      return slice.units();
    }
    Buf<?> buf = blocks[slice.slot().ordinal()][(int) slice.from()];
    return buf.plan().packedBytes(buf.count());
  }

  private boolean isBlock(Slice slice) {
    return slice.slot() != Slot.SCRATCH && blocks[slice.slot().ordinal()] != null;
  }

  /** Whether a message is left out at both ends: blocks of nothing, unlike messages that say only that they came. */
  boolean isNothing(Slice slice) {
    return slice != Slice.NOTHING && units(slice) == 0;
  }
}
