// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An alltoall of short blocks in ceil(log2 n) rounds (Bruck and others, 1997). A block for the rank i further on
 * travels along the bits of i, 1, 2, 4 … ranks at a time, together with all others that take the same step. Each rank
 * sends log2 n messages instead of n - 1, and each block up to log2 n times.
 *
 * <p>At each rank the block that goes i ranks on lies at the rank's number less i, so that it ends where the receive
 * buffer wants the block of the rank it comes from, and nothing has to be put in order at the end (Träff, Rougier and
 * Hunold, 2014).
 */
final class BruckAlltoall extends Algorithm {
  BruckAlltoall() {
    super("bruck", Collective.ALLTOALL, "log2 n rounds");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    new Writer(shape, builder).write();
  }

  /** One rank's schedule in the making. */
  private static final class Writer {
    private final ScheduleBuilder builder;
    private final boolean inPlace;
    private final long block;
    private final int size;
    private final int rank;

    Writer(CallShape shape, ScheduleBuilder builder) {
      this.builder = builder;
      this.inPlace = shape.inPlace();
      this.block = shape.units();
      this.size = shape.size();
      this.rank = shape.rank();
    }

    void write() {
      spread();
      if (size == 1) {
        return;
      }
      long most = most() * block;
      Slice out = builder.scratch(most);
      Slice in = builder.scratch(most);
      for (int distance = 1; distance < size; distance <<= 1) {
        long units = move(distance, out, true);
        builder.send((rank + distance) % size, out.part(0, units));
        builder.receive(Math.floorMod(rank - distance, size), in.part(0, units));
        move(distance, in, false);
      }
    }

    /** Puts the own blocks where they begin their way. */
    private void spread() {
      Slice own = null;
      if (inPlace) {
        own = builder.scratch(size * block);
        builder.copy(builder.receiveBuffer(0, size * block), own);
      }
      for (int i = 0; i < size; i++) {
        int to = (rank + i) % size;
        Slice from = inPlace ? own.part(to * block, block) : builder.sendBuffer(to * block, block);
        builder.copy(from, builder.receiveBuffer(Math.floorMod(rank - i, size) * block, block));
      }
    }

    /** Copies the blocks that take the step {@code distance} to a message, or from it; returns the message's length. */
    private long move(int distance, Slice message, boolean out) {
      long at = 0;
      for (int i = distance; i < size; i += 2 * distance) {
        int run = Math.min(distance, size - i);
        int lowest = Math.floorMod(rank - i - run + 1, size);
        int first = Math.min(run, size - lowest); // the rest begins at 0 again
        move(lowest, first, message.part(at, first * block), out);
        move(0, run - first, message.part(at + first * block, (run - first) * block), out);
        at += run * block;
      }
      return at;
    }

    private void move(int place, int blocks, Slice message, boolean out) {
      Slice run = builder.receiveBuffer(place * block, blocks * block);
      builder.copy(out ? run : message, out ? message : run);
    }

    /** Returns how many blocks the longest message has. */
    private int most() {
      int most = 0;
      for (int distance = 1; distance < size; distance <<= 1) {
        int blocks = 0;
        for (int i = distance; i < size; i += 2 * distance) {
          blocks += Math.min(distance, size - i);
        }
        most = Math.max(most, blocks);
      }
      return most;
    }
  }
}
