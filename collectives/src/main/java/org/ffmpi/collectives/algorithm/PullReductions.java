// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Counts;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Collective;

/**
 * Reductions of long vectors in which each rank reads the others' contributions in shared memory and combines what it
 * reads on the way, without messages and without copies of data that are only combined. Contributions in the shared
 * heap are read in their buffers; others are first copied to shared scratch memory, piece by piece, while the pieces
 * before are read. Each rank combines one block, all at the same time; then the ranks that need them collect the
 * blocks.
 *
 * <p>Operands are combined in the order of the message algorithms, so that results have the same bits.
 */
final class PullReductions extends PullAlgorithm {
  /** Elements of this size and below: others, of programs' own types, are left to messages. */
  private static final long MOST_UNIT_BYTES = 64;

  /** As many pieces as let copying and reading overlap. */
  private static final int PIECES = 4;

  PullReductions(Collective collective) {
    super(collective, "each rank combines a block in shared memory");
  }

  @Override
  public boolean accepts(CallShape shape) {
    return shape.shared() && shape.size() > 1 && shape.units() >= shape.size()
        && shape.unitBytes() > 0 && shape.unitBytes() <= MOST_UNIT_BYTES;
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    new Writer(shape, builder).write();
  }

  /** One rank's schedule in the making. */
  private static final class Writer implements OperandOrder.Source {
    private final CallShape shape;
    private final ScheduleBuilder builder;
    private final int rank;
    private final int size;
    private final boolean isScan;

    /** Blocks of the result are collected by one rank or all. */
    private final boolean collects;

    private final boolean reads;
    private final long piece;
    private final int pieces;
    private final OperandOrder order;

    /** The stage at which a rank has combined its block. */
    private final int combined;

    /** The stage at which a rank has collected the blocks of all. */
    private final int collected;

    /** The piece that is being combined. */
    private int number;

    Writer(CallShape shape, ScheduleBuilder builder) {
      this.shape = shape;
      this.builder = builder;
      this.rank = shape.rank();
      this.size = shape.size();
      this.isScan = shape.collective() == Collective.SCAN;
      this.collects = shape.collective() == Collective.REDUCE || shape.collective() == Collective.ALLREDUCE;
      this.reads = shape.collective() == Collective.ALLREDUCE || collects && shape.isRoot();
      long longest = 0;
      for (int r = 0; r < size; r++) {
        longest = Math.max(longest, length(r));
      }
      long bytes = pieceBytes(longest * shape.unitBytes(), PIECES);
      this.piece = bytes / shape.unitBytes();
      this.pieces = Math.toIntExact((longest + piece - 1) / piece);
      this.combined = pieces * size + 1;
      this.collected = combined + 1;
      this.order = new OperandOrder(shape, builder, this, units -> builder.scratch(piece));
    }

    void write() {
      Slice mine = builder.contribution(0, total());
      Slice stage = builder.scratch(total());
      long units = length(rank);
      boolean shows = collects && !(shape.collective() == Collective.REDUCE && shape.isRoot());
      // In place, others may read what the result replaces, or this rank does itself.
      boolean isApart = collects ? !reads : shape.inPlace();
      Slice home = isApart ? builder.scratch(units) : builder.receiveBuffer(collects ? start(rank) : 0, units);
      Slice homeStage = !shows || isApart ? home : builder.scratch(units);
      builder.lend(mine, stage, shows ? home : null, homeStage, start(rank));
      builder.vote(Step.ALL);
      show(mine, stage);
      combineOwn(home);
      if (shows) {
        builder.stage(true, home, homeStage);
      }
      builder.reach(combined);
      awaitAll(shape, builder, combined);
      if (reads) {
        for (int i = 1; i < size; i++) {
          int other = (rank + i) % size;
          if (length(other) > 0) {
            builder.pull(other, true, start(other), builder.receiveBuffer(start(other), length(other)));
          }
        }
      }
      if (collects) {
        builder.reach(collected);
        if (shape.collective() == Collective.ALLREDUCE) {
          awaitAll(shape, builder, collected);
        } else if (!shape.isRoot()) {
          builder.until(shape.root(), collected);
        }
      } else if (isApart) {
        builder.copy(home, builder.receiveBuffer(0, units));
      }
    }

    /** Copies buffers that are not shared to readable memory: the first piece for each other rank, then the second … */
    private void show(Slice mine, Slice stage) {
      for (int p = 0; p < pieces; p++) {
        for (int i = 1; i < size; i++) {
          int reader = (rank + i) % size;
          long n = Math.clamp(length(reader) - p * piece, 0, piece);
          long at = start(reader) + p * piece;
          if (n > 0 && (i == 1 || !isScan)) {
            builder.stage(false, mine.part(at, n), stage.part(at, n));
          }
          builder.reach(stageOf(i, p));
        }
      }
    }

    /** Returns the stage at which a rank has published a piece for the rank that far behind it. */
    private int stageOf(int distance, int p) {
      return p * size + distance;
    }

    private void combineOwn(Slice home) {
      boolean holdsOperand = shape.inPlace() && collects && reads;
      Slice spare = holdsOperand ? builder.scratch(piece) : null;
      for (number = 0; number * piece < length(rank); number++) {
        long n = Math.min(piece, length(rank) - number * piece);
        Slice into = home.part(number * piece, n);
        Slice result = holdsOperand ? spare.part(0, n) : into;
        order.combine(result);
        builder.copy(result, into);
      }
    }

    @Override
    public void take(int other, Slice into) {
      if (other == rank) {
        builder.copy(builder.contribution(from(), into.units()), into);
      } else {
        awaitPiece(other);
        builder.pull(other, false, from(), into);
      }
    }

    @Override
    public void add(int other, Slice right) {
      if (other == rank) {
        builder.reduce(builder.contribution(from(), right.units()), right);
      } else {
        awaitPiece(other);
        builder.pullReduce(other, from(), right);
      }
    }

    private void awaitPiece(int other) {
      builder.until(other, stageOf(Math.floorMod(rank - other, size), number));
    }

    /** Returns the first unit of the piece that is being combined. */
    private long from() {
      return start(rank) + number * piece;
    }

    // ---- blocks

    private long total() {
      return shape.collective() == Collective.REDUCE_SCATTER_BLOCK ? size * shape.units() : shape.units();
    }

    private long start(int block) {
      return switch (shape.collective()) {
        case REDUCE_SCATTER_BLOCK -> block * shape.units();
        case REDUCE_SCATTER -> ((Counts) shape.layout()).start(block);
        case SCAN -> 0;
        default -> Tree.blockStart(shape.units(), size, block);
      };
    }

    private long length(int block) {
      return switch (shape.collective()) {
        case REDUCE_SCATTER_BLOCK, SCAN -> shape.units();
        case REDUCE_SCATTER -> ((Counts) shape.layout()).of(block);
        default -> Tree.blockStart(shape.units(), size, block + 1) - Tree.blockStart(shape.units(), size, block);
      };
    }
  }
}
