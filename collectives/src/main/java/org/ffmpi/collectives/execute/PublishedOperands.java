// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.FlatBuffer;

/**
 * The combination of operands that all ranks have published in a region. The order is that of the schedules, so that a
 * result has the same bits whichever way a call goes; operands keep their places, so that operations need not commute.
 * Belongs to one {@link FlatExchange}.
 */
final class PublishedOperands {
  private final Region region;
  private final int rank;
  private final int size;

  /** Ranks that stay when the others are folded into their neighbours: a power of two. */
  private final int powerOfTwo;

  private final int folded;

  /** Room for left operands that are results themselves, one for each depth. */
  private MemorySegment room;

  private final FlatBuffer[] rooms = new FlatBuffer[Integer.SIZE];
  private FlatBuffer result;

  private ReduceKernel kernel;
  private long number;
  private long from;
  private long count;
  private long bytes;

  /** What is added to a number in a tree to get a rank. */
  private int shift;

  PublishedOperands(Region region, int rank, int size) {
    this.region = region;
    this.rank = rank;
    this.size = size;
    this.powerOfTwo = Integer.highestOneBit(size);
    this.folded = size - powerOfTwo;
  }

  /**
   * Combines what this rank's result is made of.
   *
   * @param first the first element in each slot
   * @param count number of elements, not 0
   * @param unitBytes bytes of an element
   * @param into gets the result in its first elements, which have no gaps
   */
  void combine(
      Collective operation, int root, boolean ordered, long number, long first, long count, long unitBytes,
      ReduceKernel kernel, FlatBuffer into) {
    this.kernel = kernel;
    this.number = number;
    this.from = first * unitBytes;
    this.count = count;
    this.bytes = count * unitBytes;
    this.result = into;
    switch (operation) {
      case ALLREDUCE -> balanced(0, powerOfTwo, into, 0);
      case REDUCE -> {
        shift = ordered ? 0 : root;
        binomial(0, 2 * powerOfTwo, into, 0);
      }
      case SCAN -> ascending(rank, ordered, into);
      case EXSCAN -> ascending(rank - 1, ordered, into);
      default -> {
        copy(size - 1, into);
        for (int r = size - 2; r >= 0; r--) {
          add(r, into);
        }
      }
    }
  }

  /** As recursive doubling: folded to a power of two, then neighbours first. */
  private void balanced(int low, int span, FlatBuffer into, int depth) {
    int half = span / 2;
    if (half == 0) {
      copy(low < folded ? 2 * low + 1 : low + folded, into);
      if (low < folded) {
        add(2 * low, into);
      }
    } else if (half == 1 && low >= folded) {
      copy(low + 1 + folded, into);
      add(low + folded, into);
    } else {
      balanced(low + half, half, into, depth);
      FlatBuffer left = room(depth);
      balanced(low, half, left, depth + 1);
      into.combine(kernel, left.offset(), count);
    }
  }

  /** As a binomial tree, whose root is number 0. */
  private void binomial(int low, int span, FlatBuffer into, int depth) {
    int half = span / 2;
    if (half == 0) {
      copy(shifted(low), into);
    } else if (low + half >= size) {
      binomial(low, half, into, depth);
    } else {
      binomial(low + half, half, into, depth);
      if (half == 1) {
        add(shifted(low), into);
      } else {
        FlatBuffer left = room(depth);
        binomial(low, half, left, depth + 1);
        into.combine(kernel, left.offset(), count);
      }
    }
  }

  private int shifted(int number) {
    return (number + shift) % size;
  }

  /** As along a chain: what the lower ranks have together is the left operand of the next. */
  private void ascending(int last, boolean ordered, FlatBuffer into) {
    if (!ordered) {
      copy(0, into);
      for (int r = 1; r <= last; r++) {
        add(r, into); // the operands change places, which changes no bit of theirs
      }
      return;
    }
    // The result lies where the right operand was: in two places by turns.
    FlatBuffer left = room(0);
    copy(0, left);
    for (int r = 1; r <= last; r++) {
      FlatBuffer right = room(r % 2);
      copy(r, right);
      right.combine(kernel, left.offset(), count);
      left = right;
    }
    into.write(0, bytes, left.offset());
  }

  private void copy(int operand, FlatBuffer into) {
    into.write(0, bytes, region.payload(operand, number) + from);
  }

  /** Replaces what there is by a rank's operand op that. */
  private void add(int operand, FlatBuffer into) {
    into.combine(kernel, region.payload(operand, number) + from, count);
  }

  private FlatBuffer room(int depth) {
    if (room == null) {
      room = Arena.ofAuto().allocate(rooms.length * region.capacity(), Long.BYTES);
    }
    if (rooms[depth] == null) {
      rooms[depth] = new FlatBuffer();
    }
    rooms[depth].set(Memory.NATIVE, room, Raw.address(room) + depth * region.capacity(), count, result.plan());
    return rooms[depth];
  }
}
