// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Collective;

/**
 * A transfer of long blocks to many ranks at once, which read them in shared memory. A block in the shared heap is read
 * in its buffer; another is first copied to shared scratch memory, piece by piece, while the pieces before are read.
 * However many ranks there are, each block is copied once, or twice, for each of them and no message is sent.
 */
final class PullMoves extends PullAlgorithm {
  private static final int PIECES = 8;

  PullMoves(Collective collective) {
    super(collective, "all read the same copy in shared memory");
  }

  @Override
  public boolean accepts(CallShape shape) {
    return shape.shared() && shape.size() > 1 && shape.units() > 0;
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    long piece = pieceBytes(shape.bytes(), PIECES);
    int pieces = Math.toIntExact((shape.units() + piece - 1) / piece);
    if (collective() == Collective.BCAST) {
      bcast(shape, builder, piece, pieces);
    } else {
      allgather(shape, builder, piece, pieces);
    }
  }

  private static void bcast(CallShape shape, ScheduleBuilder builder, long piece, int pieces) {
    if (!shape.isRoot()) {
      builder.vote(shape.root());
      for (int p = 0; p < pieces; p++) {
        pull(shape, builder, shape.root(), p, piece, 0);
      }
      builder.reach(pieces + 1);
      return;
    }
    Slice data = builder.sendBuffer(0, shape.units());
    Slice stage = builder.scratch(shape.units());
    builder.lend(data, stage, null, null, 0);
    builder.vote(shape.root());
    publish(shape, builder, stage, piece, pieces);
    awaitAll(shape, builder, pieces + 1);
  }

  private static void allgather(CallShape shape, ScheduleBuilder builder, long piece, int pieces) {
    long block = shape.units();
    Slice home = builder.receiveBuffer(shape.rank() * block, block);
    Slice data = own(shape, builder, 0, block);
    Slice stage = builder.scratch(block);
    builder.lend(data, stage, null, null, 0);
    builder.vote(Step.ALL);
    publish(shape, builder, stage, piece, pieces);
    builder.copy(data, home);
    for (int p = 0; p < pieces; p++) {
      for (int i = 1; i < shape.size(); i++) {
        int other = (shape.rank() + i) % shape.size();
        pull(shape, builder, other, p, piece, other * block);
      }
    }
    builder.reach(pieces + 1);
    awaitAll(shape, builder, pieces + 1);
  }

  /** Returns a part of this rank's own block; asked for each piece, since memory with gaps cannot be cut anywhere. */
  private static Slice own(CallShape shape, ScheduleBuilder builder, long from, long units) {
    return shape.inPlace()
        ? builder.receiveBuffer(shape.rank() * shape.units() + from, units)
        : builder.sendBuffer(from, units);
  }

  private static void publish(CallShape shape, ScheduleBuilder builder, Slice stage, long piece, int pieces) {
    for (int p = 0; p < pieces; p++) {
      long n = Math.min(piece, shape.units() - p * piece);
      builder.stage(false, own(shape, builder, p * piece, n), stage.part(p * piece, n));
      builder.reach(p + 1);
    }
  }

  private static void pull(CallShape shape, ScheduleBuilder builder, int rank, int p, long piece, long home) {
    long n = Math.min(piece, shape.units() - p * piece);
    builder.until(rank, p + 1);
    builder.pull(rank, false, p * piece, builder.receiveBuffer(home + p * piece, n));
  }
}
