// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.Arrays;
import org.ffmpi.spi.SharedMemory;

/**
 * The parts of a dynamic window: the memory that each rank has attached, as it has published it ({@link Attachments}).
 * Without shared memory all accesses go to the owner, which checks them.
 */
final class DynamicTable extends WindowTable {
  private final SharedMemory shared;
  private final long[] blocks;

  DynamicTable(SharedMemory shared, long[] blocks, int ranks) {
    super(ones(ranks));
    this.shared = shared;
    this.blocks = blocks;
  }

  private static int[] ones(int ranks) {
    int[] units = new int[ranks];
    Arrays.fill(units, 1);
    return units;
  }

  @Override
  long bytes(int rank) {
    return 0;
  }

  @Override
  long address(int target, long position, long low) {
    return blocks == null ? 0 : Attachments.address(shared, blocks[target], position, low);
  }

  @Override
  void check(int target, long disp, long count, long first, long end) {
    if (blocks != null && !Attachments.covers(shared, blocks[target], first, end)) {
      throw outside(target, disp, count, "the bytes at the addresses 0x" + Long.toHexString(first) + " to 0x"
          + Long.toHexString(end - 1), ", where they are not attached in one piece");
    }
  }
}
