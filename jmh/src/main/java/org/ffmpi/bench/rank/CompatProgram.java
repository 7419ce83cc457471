// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.ffmpi.IntraComm;

/**
 * The program that exists in each API, a ping-pong between two ranks, allreduce and allgatherv of doubles in arrays or
 * direct buffers, back to back. Subclasses hold the loops, written as programs of their API are; all else is here.
 * Each repetition is beside one of ffmpi's own API with buffers made once, in the same job, so that both see the same
 * cores. A point has three more: its bench with {@code -once}, those times; with {@code -ratio}, each repetition's time
 * by that of its neighbour; with {@code -allocated}, bytes that rank 0 allocates in one iteration.
 */
abstract class CompatProgram extends WorkProgram {
  static final int TAG = 1;

  /** The first argument where the first calls are measured instead of loops. */
  private static final String COLD = "cold";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final IntraComm world;
  private final StringBuilder once = new StringBuilder();
  private final StringBuilder ratios = new StringBuilder();
  private int turn;
  private long allocated;
  private long iterations;

  /** The loops over the numbers of one point. */
  interface Loops {
    /** Sends a block to the other rank and receives one, or the other way round. */
    void pingpong(long iterations);

    /** Adds up the blocks of all ranks. */
    void allreduce(long iterations);

    /** Gives all blocks to all ranks. */
    void allgatherv(long iterations);
  }

  /** A loop and its neighbour. */
  private record Pair(Loop tested, Loop own, int calls) implements Loop {
    @Override
    public void run(long count) {
      tested.run(count);
    }
  }

  CompatProgram(IntraComm world) {
    super(world.rank());
    this.world = world;
  }

  /** Returns the loops over numbers. */
  abstract Loops loops(CompatNumbers numbers);

  /** Runs the program; called by each rank. */
  final void start(String[] args) throws IOException {
    if (!args[0].equals(COLD)) {
      run(args);
      return;
    }
    Loops loops = loops(CompatNumbers.of(new Work(COLD, "array", Double.BYTES), world.size()));
    barrier();
    ColdTimes.measure(args, rank, () -> loops.pingpong(1));
  }

  @Override
  final List<Work> warmUpWork() {
    return List.of();
  }

  @Override
  final Prepared prepare(Work work) {
    CompatNumbers numbers = CompatNumbers.of(work, world.size());
    Loops tested = loops(numbers);
    Loops own = new OwnLoops(world, numbers);
    return switch (work.bench()) {
      case "pingpong" ->
          point(numbers, new Pair(tested::pingpong, own::pingpong, 2), () -> numbers.checkBlock(1 - rank));
      case "allreduce" -> point(numbers, new Pair(tested::allreduce, own::allreduce, 1), numbers::checkSums);
      case "allgatherv" -> point(numbers, new Pair(tested::allgatherv, own::allgatherv, 1), numbers::checkBlocks);
      default -> throw new IllegalArgumentException("unknown bench: " + work);
    };
  }

  private Prepared point(CompatNumbers numbers, Pair pair, Runnable look) {
    return Prepared.micros(pair, pair.calls, () -> {
      numbers.fill(rank);
      barrier();
      pair.run(1);
      look.run();
    });
  }

  @Override
  final void turn(Work w, Loop loop) {
    super.turn(w, loop);
    super.turn(w, ((Pair) loop).own);
  }

  @Override
  final double repetition(Loop loop, long count) {
    Pair pair = (Pair) loop;
    boolean ownFirst = (turn++ & 1) == 0;
    double own = ownFirst ? timed(pair.own, count) : 0;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    double seconds = timed(pair.tested, count);
    allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
    iterations += count;
    if (!ownFirst) {
      own = timed(pair.own, count);
    }
    once.append(',').append(own / count / pair.calls * 1e6);
    ratios.append(',').append(seconds / own);
    return seconds;
  }

  @Override
  final void measured(Work work, double hopNanos) {
    further("once", work, "us", hopNanos, once);
    further("ratio", work, "x", hopNanos, ratios);
    further("allocated", work, "B", hopNanos, new StringBuilder().append(',').append((double) allocated / iterations));
    allocated = 0;
    iterations = 0;
  }

  private void further(String what, Work work, String unit, double hopNanos, StringBuilder values) {
    print("point," + work.bench() + '-' + what + ',' + work.name() + ',' + work.bytes() + ',' + unit + ',' + hopNanos
        + values);
    values.setLength(0);
  }
}
