// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.pattern.Copier;

/**
 * Calls the vector kernels behind a gate on scratch memory until the JVM has compiled them at its best, with every
 * block size that has a loop of its own, and ends of all lengths. Strides and counts change from call to call, since
 * the JVM assumes that a variable with one value so far is constant.
 */
final class VectorWarmUp {
  /** Vectors that a call moves, enough for the JVM to compile the loop. */
  private static final int WORK = 32;

  /** Room on either side of an origin: the longest blocks, as many as a call moves, with gaps between them. */
  private static final int REACH = 32 << 10;

  /** Time for one path before the turn of the next one. */
  private static final long TURN_NANOS = 50_000;

  private static final long PAUSE_NANOS = 50_000;

  /** Pause while only the JVM's compiler still works, which may share a core with this thread. */
  private static final long WAIT_NANOS = 500_000;

  /** Calls of each path after which the JVM has been asked to compile all loops. */
  private static final int ENOUGH_CALLS = 1000;

  /** A compiled move of a vector takes less even from a far cache, one that makes an object several times more. */
  private static final double COMPILED_NANOS_PER_VECTOR = 10;

  /** The least improvement, and how long there has to be none before the end. */
  private static final double BETTER = 0.9;

  private static final long SETTLING_NANOS = 20_000_000;

  /** The same while a path is too slow. */
  private static final long HOPELESS_NANOS = 1_000_000_000;

  /** When to stop on a machine that has no time to compile. */
  private static final long LIMIT_NANOS = 10_000_000_000L;

  /** One path through the kernels. */
  @FunctionalInterface
  private interface Way {
    /**
     * Runs the path.
     *
     * @param turn varies what may vary
     * @return about how many vectors were moved
     */
    int run(int turn);
  }

  private final Copier pack;
  private final Copier unpack;
  private final Copier copy;
  private final Object array;
  private final long at;
  private final long other;
  private final int width;
  private final List<Way> ways = new ArrayList<>();

  /** The warm-up of all kinds of memory. */
  static final class OfKind implements VectorGate.WarmUp {
    private final Copier[] pack;
    private final Copier[] unpack;
    private final Copier[] copy;

    /** Creates the warm-up of the loops by kind and direction. */
    OfKind(Copier[] pack, Copier[] unpack, Copier[] copy) {
      this.pack = pack;
      this.unpack = unpack;
      this.copy = copy;
    }

    @Override
    public boolean run(int kind, VectorGate.Loops loops) {
      return VectorWarmUp.run(pack[kind], unpack[kind], copy[kind], loops);
    }
  }

  private VectorWarmUp(Copier pack, Copier unpack, Copier copy, Object array, long at, long other) {
    this.pack = pack;
    this.unpack = unpack;
    this.copy = copy;
    this.array = array;
    this.at = at;
    this.other = other;
    this.width = pack.kind == Memory.NATIVE ? 1 : Memory.elementSize(pack.kind);
  }

  /**
   * Runs some of a kind's kernels until they are compiled; returns false when they get slow code, or no code in time.
   */
  private static boolean run(Copier pack, Copier unpack, Copier copy, VectorGate.Loops loops) {
    int kind = pack.kind;
    try (Arena arena = Arena.ofConfined()) {
      long other = Raw.address(arena.allocate(2 * REACH, Long.BYTES)) + REACH;
      Object array = null;
      long at;
      if (kind == Memory.NATIVE) {
        at = Raw.address(arena.allocate(2 * REACH, Long.BYTES)) + REACH;
      } else {
        array = ScratchArrays.make(kind, 2 * REACH / Memory.elementSize(kind));
        at = REACH;
      }
      try {
        VectorWarmUp warmUp = new VectorWarmUp(pack, unpack, copy, array, at, other);
        warmUp.prepare(loops);
        return warmUp.untilCompiled();
      } finally {
        Reference.reachabilityFence(array);
      }
    }
  }

  private void prepare(VectorGate.Loops loops) {
    switch (loops) {
      case OUT_SECONDS -> packSeconds();
      case OUT_BLOCKS -> packBlocks();
      // In native memory all directions are one.
      case MOVE_SECONDS, IN_SECONDS -> {
        unpackSeconds();
        copySeconds();
      }
      case MOVE_BLOCKS, IN_BLOCKS -> copyBlocks();
      case OUT_GRID -> packGrids();
      case MOVE_GRID, IN_GRID -> unpackGrids();
      case RUNS_PACKED -> runs((stride, count, displacements, lengths) ->
          pack.runs(array, at, stride, count, displacements, lengths, 0, lengths.length, other, 0));
      case RUNS_UNPACKED -> runs((stride, count, displacements, lengths) ->
          unpack.runs(array, at, stride, count, displacements, lengths, 0, lengths.length, other, 0));
      case RUNS_COPIED -> runs((stride, count, displacements, lengths) ->
          copy.runs(array, at, stride, count, displacements, lengths, 0, lengths.length, other, stride));
    }
  }

  // ---- blocks

  /** Block sizes with gaps for each loop without a fixed stride. */
  private static final int[] BLOCKS = {16, 24, 32, 48, 64, 96, 200};

  private void packBlocks() {
    for (int block : BLOCKS) {
      ways.add(turn -> {
        pack.blocks(array, at, stride(block, turn), count(block, turn), block, other, block);
        return WORK;
      });
    }
  }

  private void copyBlocks() {
    for (int block : BLOCKS) {
      ways.add(turn -> {
        copy.blocks(array, at, stride(block, turn), count(block, turn), block, other, stride(block, turn / 2));
        return WORK;
      });
    }
  }

  // ---- every second block

  private void packSeconds() {
    for (int block = Math.max(2, width); block <= 16; block *= 2) {
      int bytes = block;
      ways.add(turn -> {
        int count = seconds(bytes, turn);
        pack.blocks(array, at, 2 * bytes, count, bytes, other, bytes);
        return WORK;
      });
    }
  }

  private void unpackSeconds() {
    for (int block = Math.max(2, width); block <= 4; block *= 2) {
      int bytes = block;
      ways.add(turn -> {
        int count = seconds(bytes, turn);
        unpack.blocks(array, at, 2 * bytes, count, bytes, other, bytes);
        return WORK;
      });
    }
  }

  private void copySeconds() {
    for (int block = Math.max(2, width); block <= 16; block *= 2) {
      int bytes = block;
      ways.add(turn -> {
        int count = seconds(bytes, turn);
        copy.blocks(array, at, bytes, count, bytes, other, 2 * bytes);
        return WORK;
      });
    }
  }

  private static int seconds(int block, int turn) {
    int inVector = 64 / block;
    // Sometimes fewer than a vector, or only the last one.
    return turn % 16 == 0 ? 1 + turn / 16 % (2 * inVector) : WORK * inVector - turn % inVector;
  }

  private static int count(int block, int turn) {
    int vectors = (block + 63) / 64;
    return (WORK - turn % 5) / vectors;
  }

  private long stride(int block, int turn) {
    long stride = block + (long) width * (turn % 11);
    return turn % 3 == 0 ? -stride : stride;
  }

  // ---- grids

  private void packGrids() {
    for (int block = Math.max(2, width); block <= Long.BYTES; block *= 2) {
      int bytes = block;
      ways.add(turn -> {
        int rows = side(turn);
        int columns = side(turn / 5);
        pack.grid(
            array, at, bytes, columns, row(bytes, columns, turn), rows, bytes, other, (long) rows * bytes, bytes);
        return tiles(rows, columns);
      });
    }
  }

  private void unpackGrids() {
    for (int block = Math.max(2, width); block <= Long.BYTES; block *= 2) {
      int bytes = block;
      ways.add(turn -> {
        int rows = side(turn);
        int columns = side(turn / 5);
        unpack.grid(
            array, at, bytes, columns, row(bytes, columns, turn), rows, bytes, other, (long) rows * bytes, bytes);
        return tiles(rows, columns);
      });
      ways.add(turn -> {
        int rows = side(turn);
        int columns = side(turn / 5);
        long row = row(bytes, rows, turn);
        copy.grid(array, at, bytes, rows, row, columns, bytes, other, row(bytes, columns, turn), bytes);
        return tiles(rows, columns);
      });
    }
  }

  private static int side(int turn) {
    return turn % 17 == 0 ? 1 + turn / 17 % 8 : 16 + turn % 13;
  }

  private long row(int block, int blocks, int turn) {
    return (long) block * blocks + (long) width * (turn % 7);
  }

  /** A tile is eight vectors to read, three exchanges of each pair, and eight to write. */
  private static int tiles(int rows, int columns) {
    return (rows + 7) / 8 * ((columns + 7) / 8) * 16;
  }

  // ---- runs

  /** Elements of some runs, moved by one of three methods. */
  private interface Runs {
    void run(long stride, int count, long[] displacements, long[] lengths);
  }

  private void runs(Runs move) {
    int unit = Math.max(4, width);
    // Elements that fit a vector, for which there is one permutation or mask.
    for (int size = 1; size <= 2; size++) {
      long[] displacements = {2L * unit, 0, 4L * unit};
      long[] lengths = {unit, size * unit, unit};
      ways.add(turn -> {
        int count = turn % 16 == 0 ? 1 + turn / 16 % 12 : WORK - turn % 7;
        move.run(turn % 5 == 0 ? -80 : 5L * unit + (long) width * (turn % 7), count, displacements, lengths);
        return WORK;
      });
    }
    // Runs one by one, each under a mask of its own; some are empty, or longer than a vector.
    int runs = 16;
    long[] displacements = new long[runs];
    for (int r = 0; r < runs; r++) {
      displacements[r] = 96L * (r % 2 == 0 ? r : runs - r);
    }
    ways.add(turn -> {
      long[] lengths = new long[runs];
      Arrays.setAll(lengths, r -> (long) width * ((r * 5 + turn) % (64 / width + 1)));
      lengths[turn % runs] = turn % 3 == 0 ? 80 : width;
      move.run(turn % 2 == 0 ? 1600 : -1600 - 64L * (turn % 3), 2 + turn % 2, displacements, lengths);
      return WORK;
    });
  }

  // ---- until it is compiled

  private boolean untilCompiled() {
    int[] calls = new int[ways.size()];
    double[] best = new double[calls.length];
    Arrays.fill(best, Double.MAX_VALUE);
    long begin = System.nanoTime();
    long now = begin;
    long improved = now;
    int turns = 0;
    boolean enough = false;
    boolean compiled = false;
    while (now - begin < LIMIT_NANOS
        && !(enough && now - improved >= (compiled ? SETTLING_NANOS : HOPELESS_NANOS))) {
      for (int w = 0; w < calls.length; w++) {
        LockSupport.parkNanos(enough ? WAIT_NANOS : PAUSE_NANOS);
        Way way = ways.get(w);
        long vectors = 0;
        long start = System.nanoTime();
        do {
          vectors += way.run(turns++);
          calls[w]++;
          now = System.nanoTime();
        } while (now - start < TURN_NANOS);
        double nanos = (double) (now - start) / vectors;
        if (nanos < best[w] * BETTER) {
          best[w] = nanos;
          improved = now;
        }
      }
      enough = Arrays.stream(calls).min().orElse(0) >= ENOUGH_CALLS;
      compiled = Arrays.stream(best).max().orElse(0) <= COMPILED_NANOS_PER_VECTOR;
    }
    return compiled;
  }
}
