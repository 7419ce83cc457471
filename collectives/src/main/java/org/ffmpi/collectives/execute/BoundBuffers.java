// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.SymbolicBuffer;
import org.ffmpi.spi.CollectiveCall;

/**
 * The memory that the slots of one call are bound to: one buffer for each, or as many blocks as the call has ranks or
 * neighbours. Reused for call after call; belongs to one {@link Execution}.
 */
final class BoundBuffers {
  private static final int SEND = SymbolicBuffer.SEND.ordinal();
  private static final int RECEIVE = SymbolicBuffer.RECEIVE.ordinal();

  private final Place[] places = {new Place(), new Place(), new Place()};

  /** The blocks of each slot; not bound where a slot is one buffer. */
  private final PlacedBlocks[] blocks = {new PlacedBlocks(), new PlacedBlocks()};

  private boolean hasBlocks;

  /** Binds the user's buffers or blocks. */
  void bind(CollectiveCall call, boolean unitsAreElements) {
    if (call.operation().isOfBlocks()) {
      hasBlocks = true;
      blocks[SEND].bind(call.sendBlocks(), call.send());
      blocks[RECEIVE].bind(call.recvBlocks(), call.recv());
      return;
    }
    if (call.send().isPresent()) {
      places[SEND].bind(call.send(), unitsAreElements);
    }
    if (call.recv().isPresent()) {
      places[RECEIVE].bind(call.recv(), unitsAreElements);
    }
  }

  /** Returns whether the user's slots are bound to blocks, where a slice may be a block of any length. */
  boolean areBlocks() {
    return hasBlocks;
  }

  /** Returns whether memory of the user may be touched by one thread only. */
  boolean areConfined() {
    return places[SEND].kind == Memory.CONFINED || places[RECEIVE].kind == Memory.CONFINED
        || hasBlocks && (blocks[SEND].areConfined() || blocks[RECEIVE].areConfined());
  }

  /** Returns the objects that keep the memory alive. */
  Object owners() {
    return new Object[] {
      places[SEND].owner, places[RECEIVE].owner, places[SymbolicBuffer.SCRATCH.ordinal()].owner, blocks[SEND].owners(),
      blocks[RECEIVE].owners()
    };
  }

  /** Drops the memory. */
  void release() {
    places[0].release();
    places[1].release();
    places[2].release();
    if (hasBlocks) {
      blocks[SEND].release();
      blocks[RECEIVE].release();
      hasBlocks = false;
    }
  }

  /** Returns what a slot that is one buffer is bound to. */
  Place of(SymbolicBuffer slot) {
    return places[slot.ordinal()];
  }

  /** Returns the memory that a slice lies in: that of its slot, or its block, whose units are bytes. */
  Place of(Slice slice) {
    return isBlock(slice) ? blocks[slice.buffer().ordinal()].place(slice) : places[slice.buffer().ordinal()];
  }

  /** Returns the first unit of a slice, in {@linkplain #of its memory}. */
  long from(Slice slice) {
    return isBlock(slice) ? 0 : slice.from();
  }

  /** Returns the length of a slice: units, or the bytes of its block. */
  long units(Slice slice) {
    return isBlock(slice) ? blocks[slice.buffer().ordinal()].bytes(slice) : slice.units();
  }

  private boolean isBlock(Slice slice) {
    return hasBlocks && slice.buffer() != SymbolicBuffer.SCRATCH && blocks[slice.buffer().ordinal()].areBound();
  }

  /** Returns whether a message is left out at both ends: that of an empty block, but not one that only signals. */
  boolean isNothing(Slice slice) {
    return slice != Slice.NOTHING && units(slice) == 0;
  }
}
