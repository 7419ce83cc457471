// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/** The equal blocks of a gather or scatter, which move to the root or away from it, while a schedule is written. */
final class RootedBlocks {
  private final ScheduleBuilder builder;
  private final long block;
  private final boolean gather;

  RootedBlocks(CallShape shape, ScheduleBuilder builder) {
    this.builder = builder;
    this.block = shape.units();
    this.gather = shape.collective() == Collective.GATHER;
  }

  boolean isGather() {
    return gather;
  }

  /** Returns this rank's block in its own buffer. */
  Slice own() {
    return gather ? builder.sendBuffer(0, block) : builder.receiveBuffer(0, block);
  }

  /** Returns the blocks of consecutive ranks in the root's buffer. */
  Slice atRoot(int rank, int blocks) {
    return gather
        ? builder.receiveBuffer(rank * block, blocks * block)
        : builder.sendBuffer(rank * block, blocks * block);
  }

  Slice scratch(int blocks) {
    return builder.scratch(blocks * block);
  }

  Slice part(Slice all, int first, int blocks) {
    return all.part(first * block, blocks * block);
  }

  /** Adds the message between this rank and one that is nearer to the root. */
  void exchangeAbove(int rank, Slice blocks) {
    if (gather) {
      builder.send(rank, blocks);
    } else {
      builder.receive(rank, blocks);
    }
  }

  /** Adds the message between this rank and one that is farther from the root. */
  void exchangeBelow(int rank, Slice blocks) {
    if (gather) {
      builder.receive(rank, blocks);
    } else {
      builder.send(rank, blocks);
    }
  }

  /** Adds the copy from the first slice to the second in a gather, the other way round in a scatter. */
  void copy(Slice below, Slice above) {
    if (gather) {
      builder.copy(below, above);
    } else {
      builder.copy(above, below);
    }
  }
}
