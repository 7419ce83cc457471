// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.util.Arrays;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.FlatBlocks;
import org.ffmpi.spi.FlatBuffer;

/** The blocks that one slot of a call is bound to. Reused for call after call; belongs to one {@link BoundBuffers}. */
final class PlacedBlocks {
  private static final int NOT_BOUND = -1;

  private Place[] places = {};
  private long[] bytes = {};
  private int length = NOT_BOUND;

  /** Binds blocks, or the one block of a side that has a buffer instead; nothing when both are absent. */
  void bind(FlatBlocks blocks, FlatBuffer one) {
    if (blocks.isPresent()) {
      resize(blocks.length());
      for (int i = 0; i < length; i++) {
        bind(i, blocks.get(i));
      }
    } else if (one.isPresent()) {
      resize(1);
      bind(0, one);
    }
  }

  private void bind(int index, FlatBuffer block) {
    places[index].bind(block, false);
    bytes[index] = block.packedBytes();
  }

  private void resize(int number) {
    if (number > places.length) {
      int from = places.length;
      places = Arrays.copyOf(places, number);
      for (int i = from; i < number; i++) {
        places[i] = new Place();
      }
      bytes = new long[number];
    }
    length = number;
  }

  boolean areBound() {
    return length != NOT_BOUND;
  }

  /** Returns the memory of a block; its units are bytes. */
  Place place(Slice block) {
    return places[(int) block.from()];
  }

  /** Returns the length of a block. */
  long bytes(Slice block) {
    return bytes[(int) block.from()];
  }

  /** Returns whether a block's memory may be touched by one thread only. */
  boolean areConfined() {
    for (int i = 0; i < length; i++) {
      if (places[i].kind == Memory.CONFINED) {
        return true;
      }
    }
    return false;
  }

  /** Returns the objects that keep the memory alive. */
  Object[] owners() {
    Object[] owners = new Object[Math.max(length, 0)];
    for (int i = 0; i < owners.length; i++) {
      owners[i] = places[i].owner;
    }
    return owners;
  }

  /** Drops the memory. */
  void release() {
    for (int i = 0; i < length; i++) {
      places[i].release();
    }
    length = NOT_BOUND;
  }
}
