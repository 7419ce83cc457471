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
   * @param from first byte in each slot
   * @param count number of elements, not 0
   * @param into gets the result in its first elements, which have no gaps
   */
  void combine(
      Collective operation, int root, boolean ordered, long number, long from, long count, ReduceKernel kernel,
      FlatBuffer into) {
    this.kernel = kernel;
    this.number = number;
    this.from = from;
    this.count = count;
    this.bytes = count * into.plan().size();
    int kind = into.kind();
    Object owner = into.owner();
    long offset = into.offset();
    switch (operation) {
      case ALLREDUCE -> balanced(0, powerOfTwo, kind, owner, offset, 0);
      case REDUCE -> {
        shift = ordered ? 0 : root;
        binomial(0, 2 * powerOfTwo, kind, owner, offset, 0);
      }
      case SCAN -> ascending(rank, ordered, kind, owner, offset);
      case EXSCAN -> ascending(rank - 1, ordered, kind, owner, offset);
      default -> {
        copy(size - 1, kind, owner, offset);
        for (int r = size - 2; r >= 0; r--) {
          add(r, kind, owner, offset);
        }
      }
    }
  }

  /** As recursive doubling: folded to a power of two, then neighbours first. */
  private void balanced(int low, int span, int kind, Object owner, long offset, int depth) {
    int half = span / 2;
    if (half == 0) {
      copy(original(low), kind, owner, offset);
      if (low < folded) {
        add(2 * low, kind, owner, offset);
      }
      return;
    }
    balanced(low + half, half, kind, owner, offset, depth);
    if (half == 1 && low >= folded) {
      add(original(low), kind, owner, offset);
    } else {
      long left = room(depth);
      balanced(low, half, Memory.NATIVE, room, left, depth + 1);
      kernel.reduce(left, owner, kind, offset, count);
    }
  }

  private int original(int number) {
    return number < folded ? 2 * number + 1 : number + folded;
  }

  /** As a binomial tree, whose root is number 0. */
  private void binomial(int low, int span, int kind, Object owner, long offset, int depth) {
    int half = span / 2;
    if (half == 0) {
      copy(shifted(low), kind, owner, offset);
    } else if (low + half >= size) {
      binomial(low, half, kind, owner, offset, depth);
    } else {
      binomial(low + half, half, kind, owner, offset, depth);
      if (half == 1) {
        add(shifted(low), kind, owner, offset);
      } else {
        long left = room(depth);
        binomial(low, half, Memory.NATIVE, room, left, depth + 1);
        kernel.reduce(left, owner, kind, offset, count);
      }
    }
  }

  private int shifted(int number) {
    return (number + shift) % size;
  }

  /** As along a chain: what the lower ranks have together is the left operand of the next. */
  private void ascending(int last, boolean ordered, int kind, Object owner, long offset) {
    if (!ordered) {
      copy(0, kind, owner, offset);
      for (int r = 1; r <= last; r++) {
        add(r, kind, owner, offset); // the operands change places, which changes no bit of theirs
      }
      return;
    }
    // The result lies where the right operand was: in two places by turns.
    long result = room(0);
    copy(0, Memory.NATIVE, room, result);
    for (int r = 1; r <= last; r++) {
      long right = r % 2 == 0 ? room(0) : room(1);
      copy(r, Memory.NATIVE, room, right);
      kernel.reduce(result, right, count);
      result = right;
    }
    Memory.write(kind, owner, offset, result, bytes);
  }

  private void copy(int operand, int kind, Object owner, long offset) {
    Memory.write(kind, owner, offset, region.payload(operand, number) + from, bytes);
  }

  /** Replaces what there is by a rank's operand op that. */
  private void add(int operand, int kind, Object owner, long offset) {
    kernel.reduce(region.payload(operand, number) + from, owner, kind, offset, count);
  }

  private long room(int depth) {
    if (room == null) {
      room = Arena.ofAuto().allocate(Integer.SIZE * region.capacity(), Long.BYTES);
    }
    return Raw.address(room) + depth * region.capacity();
  }
}
