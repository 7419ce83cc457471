// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The program that exists in each API: ping-pong between two ranks, allreduce and allgatherv of doubles in arrays or
 * direct buffers, back to back. Subclasses hold the loops, written as programs of their API are; all else is here. A
 * point has a second one, whose bench ends in {@code -allocated}: bytes that rank 0 allocates in one iteration.
 */
abstract class CompatProgram extends WorkProgram {
  static final int TAG = 1;

  /** As first argument: no loops, but the first calls. */
  private static final String COLD = "cold";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

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

  CompatProgram(int rank) {
    super(rank);
  }

  /** Returns the number of ranks. */
  abstract int size();

  /**
   * Returns the loops over numbers.
   *
   * @param numbers what is sent and received
   * @param once whether what describes them is made once, not for each call; an API may have no such thing
   */
  abstract Loops loops(CompatNumbers numbers, boolean once);

  /** Runs the program; called by each rank. */
  final void start(String[] args) throws IOException {
    if (!args[0].equals(COLD)) {
      run(args);
      return;
    }
    Loops loops = loops(CompatNumbers.of(new Work(COLD, "array", Double.BYTES), size()), false);
    barrier();
    ColdTimes.measure(args, rank, () -> loops.pingpong(1));
  }

  @Override
  final List<Work> warmUpWork() {
    return List.of();
  }

  @Override
  final Prepared prepare(Work work) {
    CompatNumbers numbers = CompatNumbers.of(work, size());
    Loops loops = loops(numbers, work.name().endsWith("|once"));
    return switch (work.bench()) {
      case "pingpong" -> point(numbers, loops::pingpong, 2, () -> numbers.checkBlock(1 - rank));
      case "allreduce" -> point(numbers, loops::allreduce, 1, numbers::checkSums);
      case "allgatherv" -> point(numbers, loops::allgatherv, 1, numbers::checkBlocks);
      default -> throw new IllegalArgumentException("unknown bench: " + work);
    };
  }

  private Prepared point(CompatNumbers numbers, Loop loop, int calls, Runnable look) {
    return new Prepared() {
      @Override
      public Loop loop() {
        return loop;
      }

      @Override
      public String unit() {
        return "us";
      }

      @Override
      public double value(double secondsPerIteration) {
        return secondsPerIteration / calls * 1e6;
      }

      @Override
      public void check() {
        numbers.fill(rank);
        barrier();
        loop.run(1);
        look.run();
      }
    };
  }

  @Override
  final double repetition(Loop loop, long count) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    double seconds = timed(loop, count);
    allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
    iterations += count;
    return seconds;
  }

  @Override
  final void measured(Work work, double hopNanos) {
    say("point," + work.bench() + "-allocated," + work.name() + "," + work.bytes() + ",B," + hopNanos + ","
        + (double) allocated / iterations);
    allocated = 0;
    iterations = 0;
  }
}
