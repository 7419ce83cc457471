// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.Neighbors;

/**
 * An exchange of blocks between ranks, or neighbours, over the communicator's region. Each rank publishes a block table
 * of all blocks that it has for others and reads those that are for itself, short ones out of the slot, long ones
 * straight from their buffers. A rank that only sends waits for no other unless it lends; no message has to be matched,
 * and one look finds what a rank has for this one. Blocks may have any lengths, which need not be known to others.
 */
public final class DirectBlocks extends Algorithm {
  public static final String NAME = "direct";

  private static final int UNKNOWN = -1;

  DirectBlocks(Collective collective) {
    super(NAME, collective, "one round in shared memory, long blocks read where they lie");
  }

  @Override
  public boolean accepts(CallShape shape) {
    boolean isExchange = collective() == Collective.ALLTOALL || collective() == Collective.ALLTOALLV;
    return shape.shared() && shape.size() > 1 && shape.units() > 0 && !(isExchange && shape.inPlace());
  }

  @Override
  public boolean isInOneRound() {
    return collective().isOfBlocks();
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    new Writer(shape, builder).write();
  }

  /** One rank's schedule in the making. */
  private static final class Writer {
    private final CallShape shape;
    private final ScheduleBuilder builder;
    private final int rank;
    private final int size;
    private final long block;
    private Slice[] shown = {};
    private int[] readers = {};

    Writer(CallShape shape, ScheduleBuilder builder) {
      this.shape = shape;
      this.builder = builder;
      this.rank = shape.rank();
      this.size = shape.size();
      this.block = shape.units();
    }

    void write() {
      show();
      if (shown.length > 0) {
        builder.publishBlocks(shown, readers);
        giveAll(false);
      }
      copyOwn();
      takeAll(false);
      builder.acknowledge();
      takeAll(true);
      giveAll(true);
    }

    private void show() {
      switch (shape.collective()) {
        case GATHER, GATHERV -> {
          if (!shape.isRoot()) {
            showOne(builder.sendBuffer(0, block), shape.root());
          }
        }
        case SCATTER, SCATTERV -> {
          if (shape.isRoot()) {
            showEach();
          }
        }
        case ALLGATHERV -> showOne(
            shape.inPlace() ? builder.receiveBuffer(rank * block, block) : builder.sendBuffer(0, block),
            Step.ALL);
        case ALLTOALL, ALLTOALLV -> showEach();
        case NEIGHBOR_ALLGATHER -> {
          if (destinations().length > 0) {
            showOne(builder.sendBuffer(0, 1), Step.ALL);
          }
        }
        case NEIGHBOR_ALLTOALL -> {
          readers = destinations().clone();
          shown = new Slice[readers.length];
          for (int i = 0; i < shown.length; i++) {
            boolean isThere = readers[i] >= 0;
            shown[i] = isThere ? builder.sendBuffer(i, 1) : Slice.NOTHING;
            readers[i] = isThere ? readers[i] : Step.NOBODY;
          }
        }
        default -> throw new AssertionError(shape);
      }
    }

    private void showOne(Slice what, int reader) {
      shown = new Slice[] {what};
      readers = new int[] {reader};
    }

    private void showEach() {
      shown = new Slice[size];
      readers = new int[size];
      for (int r = 0; r < size; r++) {
        shown[r] = r == rank ? Slice.NOTHING : builder.sendBuffer(r * block, block);
        readers[r] = r == rank ? Step.NOBODY : r;
      }
    }

    private void giveAll(boolean afterwards) {
      if (shape.collective() == Collective.NEIGHBOR_ALLGATHER) {
        for (int reader : destinations()) {
          if (reader >= 0) {
            builder.deliver(reader, 0, shown[0], afterwards);
          }
        }
        return;
      }
      for (int entry = 0; entry < shown.length; entry++) {
        if (readers[entry] >= 0) {
          builder.deliver(readers[entry], entry, shown[entry], afterwards);
        } else if (readers[entry] == Step.ALL) {
          for (int i = 1; i < size; i++) {
            builder.deliver((rank + i) % size, entry, shown[entry], afterwards);
          }
        }
      }
    }

    private void copyOwn() {
      boolean isRoot = shape.isRoot() && !shape.inPlace();
      switch (shape.collective()) {
        case GATHER, GATHERV -> {
          if (isRoot) {
            builder.copy(builder.sendBuffer(0, block), builder.receiveBuffer(rank * block, block));
          }
        }
        case SCATTER, SCATTERV -> {
          if (isRoot) {
            builder.copy(builder.sendBuffer(rank * block, block), builder.receiveBuffer(0, block));
          }
        }
        case ALLGATHERV -> {
          if (!shape.inPlace()) {
            builder.copy(builder.sendBuffer(0, block), builder.receiveBuffer(rank * block, block));
          }
        }
        case ALLTOALL, ALLTOALLV ->
            builder.copy(builder.sendBuffer(rank * block, block), builder.receiveBuffer(rank * block, block));
        default -> { }
      }
    }

    private void takeAll(boolean afterwards) {
      switch (shape.collective()) {
        case GATHER, GATHERV -> {
          if (shape.isRoot()) {
            takeEach(0, afterwards);
          }
        }
        case SCATTER, SCATTERV -> {
          if (!shape.isRoot()) {
            builder.consume(shape.root(), rank, 0, builder.receiveBuffer(0, block), afterwards);
          }
        }
        case ALLGATHERV -> takeEach(0, afterwards);
        case ALLTOALL, ALLTOALLV -> takeEach(rank, afterwards);
        default -> {
          int[] sources = ((Neighbors) shape.layout()).sources();
          int[] taken = new int[size];
          for (int to : ((Neighbors) shape.layout()).receiveOrder()) {
            if (sources[to] >= 0) {
              boolean isOne = shape.collective() == Collective.NEIGHBOR_ALLGATHER;
              builder.consume(sources[to], isOne ? 0 : UNKNOWN, taken[sources[to]]++, builder.receiveBuffer(to, 1),
                  afterwards);
            }
          }
        }
      }
    }

    /** Takes a block of each other rank, beginning with the neighbour, so that not all read the same line at once. */
    private void takeEach(int entry, boolean afterwards) {
      for (int i = 1; i < size; i++) {
        int other = (rank + i) % size;
        builder.consume(other, entry, 0, builder.receiveBuffer(other * block, block), afterwards);
      }
    }

    private int[] destinations() {
      return ((Neighbors) shape.layout()).destinations();
    }
  }
}
