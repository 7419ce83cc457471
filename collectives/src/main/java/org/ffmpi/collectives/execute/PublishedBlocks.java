// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import org.ffmpi.collectives.region.BlockTableLayout;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.FlatBlocks;
import org.ffmpi.spi.FlatBuffer;

/**
 * Blocks of any lengths in the slots of a region, each rank's with a table as {@link RegionBlockTable} writes it. Here
 * all blocks of this rank are in its slot. Belongs to one {@link FlatExchange}.
 */
final class PublishedBlocks {
  private final Region region;
  private final int rank;
  private final int size;

  PublishedBlocks(Region region, int rank, int size) {
    this.region = region;
    this.rank = rank;
    this.size = size;
  }

  /** Returns whether all blocks that this rank has for others fit its slot, with their table. */
  boolean fits(CollectiveCall call, Collective asked) {
    if (call.hasNeighbors() || call.isInPlace() && asked == Collective.ALLTOALLV) {
      return false;
    }
    long capacity = region.capacity();
    FlatBlocks blocks = call.sendBlocks();
    if (!blocks.isPresent()) {
      FlatBuffer one = one(call, asked);
      return one == null || BlockTableLayout.blocksFrom(1) + one.packedBytes() <= capacity;
    }
    long end = BlockTableLayout.blocksFrom(size);
    for (int r = 0; r < size; r++) {
      long bytes = blocks.get(r).packedBytes();
      if (bytes > capacity) {
        return false;
      }
      end += r == rank ? 0 : BlockTableLayout.aligned(bytes);
    }
    return end <= capacity;
  }

  /** Returns the one block that this rank has; null at the root of a gather in place, which publishes none. */
  private FlatBuffer one(CollectiveCall call, Collective asked) {
    return call.send().isPresent() ? call.send()
        : asked == Collective.ALLGATHERV ? call.recvBlocks().get(rank) : null;
  }

  /**
   * Writes this rank's table and blocks to its slot.
   *
   * @param reader the rank that one block is for, or {@link Step#ALL}
   */
  void write(CollectiveCall call, long number, int reader) {
    long table = region.payload(rank, number);
    FlatBlocks blocks = call.sendBlocks();
    if (!blocks.isPresent()) {
      BlockTableLayout.setPlainEntries(table, 1);
      write(table, 0, BlockTableLayout.blocksFrom(1), reader, one(call, call.operation()));
      return;
    }
    BlockTableLayout.setPlainEntries(table, size);
    long position = BlockTableLayout.blocksFrom(size);
    for (int r = 0; r < size; r++) {
      if (r == rank) {
        enter(table, r, position, Step.NOBODY, 0);
      } else {
        position = write(table, r, position, r, blocks.get(r));
      }
    }
  }

  private static long write(long table, int entry, long position, int reader, FlatBuffer block) {
    long bytes = block.packedBytes();
    enter(table, entry, position, reader, bytes);
    if (bytes > 0) {
      block.read(0, bytes, table + position);
    }
    return position + BlockTableLayout.aligned(bytes);
  }

  private static void enter(long table, int entry, long position, int reader, long bytes) {
    BlockTableLayout.setPlainEntry(
        table, entry, BlockTableLayout.entry(RegionBlockTable.Where.HERE.ordinal(), position, reader, bytes));
  }

  /**
   * Copies a block that another rank has published; returns false when it is not in the slot.
   *
   * @param shape the call, for the error of a block of another length
   */
  boolean read(long number, int other, int index, FlatBuffer into, CallShape shape) {
    long entry = RegionBlockTable.find(region, number, other, index);
    if (RegionBlockTable.where(entry) != RegionBlockTable.Where.HERE) {
      return false;
    }
    long bytes = BlockTableLayout.bytes(entry);
    if (bytes != into.packedBytes()) {
      throw shape.lengthError(other, bytes, into.packedBytes());
    }
    into.write(0, bytes, region.payload(other, number) + RegionBlockTable.checkedPosition(region, entry, other));
    return true;
  }
}
