// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An allreduce by recursive halving and doubling (Rabenseifner's algorithm). Partners 1, 2, 4 … apart exchange halves,
 * quarters, … of the vector, each combining the part it keeps, until each rank has the result of one block; the same
 * way back puts the blocks together. That takes 2 log2 n rounds, in which each rank sends about twice the vector.
 *
 * <p>Each block's result is computed by one rank and copied to the others, so all have the same bits. Neighbours are
 * combined first, as in recursive doubling; operations that do not commute keep their operands in the order of ranks.
 */
final class HalvingAllreduce extends Algorithm {
  HalvingAllreduce() {
    super("rabenseifner", Collective.ALLREDUCE, "2 log2 n rounds, in which each rank sends the vector about twice");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    new Writer(shape, builder).write();
  }

  /** One rank's schedule in the making. */
  private static final class Writer {
    private final CallShape shape;
    private final ScheduleBuilder builder;
    private final Fold fold;
    private final Accumulator sum;
    private final Slice[] ring = new Slice[AHEAD + 1];

    Writer(CallShape shape, ScheduleBuilder builder) {
      this.shape = shape;
      this.builder = builder;
      this.fold = new Fold(shape.rank(), shape.size());
      this.sum = new Accumulator(builder, builder.contribution(0, shape.units()), shape.inPlace());
    }

    void write() {
      Slice whole = builder.receiveBuffer(0, shape.units());
      if (fold.isFoldedAway()) {
        sendPieces(fold.keeper(), sum.at());
        builder.receive(fold.keeper(), whole);
        return;
      }
      if (fold.isKeeper()) {
        takeIn(fold.folded(), true, whole, false);
      }
      halve();
      if (fold.isKeeper()) {
        builder.send(fold.folded(), whole);
      }
    }

    /** Scatters the result by halving the window of blocks, then gathers it by doubling the window again. */
    private void halve() {
      int low = 0;
      int high = fold.size();
      boolean passedOn = false;
      for (int mask = 1; mask < fold.size(); mask <<= 1) {
        int partner = fold.rank() ^ mask;
        boolean lower = partner < fold.rank();
        int middle = (low + high) >>> 1;
        long start = start(low);
        long cut = start(middle) - start;
        long units = start(high) - start;
        Slice window = sum.at();
        sendPieces(fold.original(partner), lower ? window.part(0, cut) : window.part(cut, units - cut));
        if (lower) {
          sum.narrow(cut, units - cut);
          low = middle;
        } else {
          sum.narrow(0, cut);
          high = middle;
        }
        // The last partner is the first to get the result: piece by piece, as soon as it is there.
        boolean last = mask << 1 == fold.size();
        passedOn = takeIn(fold.original(partner), lower, window(low, high), last);
      }
      builder.copy(sum.at(), window(low, high));
      for (int mask = fold.size() >> 1; mask > 0; mask >>= 1) {
        int partner = fold.rank() ^ mask;
        int width = high - low;
        Slice mine = window(low, high);
        int theirs = partner < fold.rank() ? low - width : high;
        Slice missing = window(theirs, theirs + width);
        if (mask << 1 == fold.size()) {
          if (!passedOn) {
            sendPieces(fold.original(partner), mine);
          }
          receivePieces(fold.original(partner), missing);
        } else {
          builder.send(fold.original(partner), mine);
          builder.receive(fold.original(partner), missing);
        }
        low = Math.min(low, theirs);
        high = low + 2 * width;
      }
    }

    /**
     * Receives and combines a contribution to the present window.
     *
     * @param home the window in the receive buffer
     * @param passOn send each piece of the result back at once, if it lies in the receive buffer
     * @return true when the result has been sent
     */
    private boolean takeIn(int rank, boolean lower, Slice home, boolean passOn) {
      sum.expect(lower, shape.ordered(), home);
      Slice kept = null;
      if (sum.keepsReceived()) {
        kept = sum.isHome() ? builder.scratch(home.units()) : home;
      }
      boolean back = passOn && (kept == null ? sum.isHome() : kept == home);
      long piece = builder.segment(home.units());
      int pieces = pieces(home.units(), piece);
      for (int i = 0; i < pieces + AHEAD; i++) {
        if (i < pieces) {
          builder.receive(rank, place(kept, home, piece, i));
        }
        if (i >= AHEAD) {
          int p = i - AHEAD;
          Slice result = sum.combine(p * piece, place(kept, home, piece, p));
          if (back) {
            builder.send(rank, result);
          }
        }
      }
      sum.combined(kept);
      return back;
    }

    /** Returns where a piece is received: in memory that keeps all of them, or in turns in a few places. */
    private Slice place(Slice kept, Slice home, long piece, int index) {
      long from = index * piece;
      long units = Math.min(piece, home.units() - from);
      if (kept != null) {
        return kept.part(from, units);
      }
      if (ring[index % ring.length] == null) {
        ring[index % ring.length] = builder.scratch(Math.min(piece, home.units())); // first come the longest
      }
      return ring[index % ring.length].part(0, units);
    }

    private void sendPieces(int rank, Slice slice) {
      long piece = builder.segment(slice.units());
      for (int p = 0; p < pieces(slice.units(), piece); p++) {
        builder.send(rank, slice.part(p * piece, Math.min(piece, slice.units() - p * piece)));
      }
    }

    private void receivePieces(int rank, Slice slice) {
      long piece = builder.segment(slice.units());
      for (int p = 0; p < pieces(slice.units(), piece); p++) {
        builder.receive(rank, slice.part(p * piece, Math.min(piece, slice.units() - p * piece)));
      }
    }

    private static int pieces(long units, long piece) {
      return Math.toIntExact((units + piece - 1) / piece);
    }

    private long start(int block) {
      return Tree.blockStart(shape.units(), fold.size(), block);
    }

    private Slice window(int low, int high) {
      return builder.receiveBuffer(start(low), start(high) - start(low));
    }
  }
}
