// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.samples.life.LifePattern;
import org.ffmpi.samples.life.LifeScreen;
import org.ffmpi.samples.show.Arguments;
import org.ffmpi.samples.show.ColourMap;
import org.ffmpi.samples.show.Console;
import org.ffmpi.samples.show.PngFile;
import org.ffmpi.samples.show.ProgressBar;
import org.ffmpi.samples.show.Tile;

/**
 * Conway's game of life on a torus that is cut in both directions. Each rank has a rectangle of cells, in a Cartesian
 * communicator that knows its neighbours. Edges are exchanged in each step, first to the sides, as columns, which are
 * a datatype, then up and down with the corners.
 *
 * <p>In the end rank 0 computes the last steps of a part in the middle, where rectangles meet, alone and compares.
 */
public final class Life {
  private static final String USAGE =
      """
      usage: life [--size N] [--steps N] [--pattern NAME | --pattern FILE] [--live] [--output FILE]

        --size      cells of the torus in each direction; default 800, with --live 88
        --steps     generations; default 300
        --pattern   glider, acorn, pentomino or gun, or a file with run lengths (.rle) or plain text (.cells);
                    default: cells everywhere
        --live      draws each generation in the terminal
        --output    picture as PNG: cells that live, and the traces of those that did; default none
      """;

  private static final int LIVE_SIZE = 88;
  private static final int TAG = 0;
  private static final int STEPS_PER_LOOK = 16;
  private static final int COMPARED_STEPS = 8;
  private static final int COMPARED_CELLS = 64;
  private static final double TRACE_STEPS = 60;
  private static final int PICTURE = 512;

  /**
   * The computation that the command line asks for.
   *
   * @param size cells in each direction
   * @param steps generations
   * @param seed returns for a row and a column whether the cell lives (1) or not (0)
   * @param live whether each generation is drawn in the terminal
   * @param output file for a picture, or null
   */
  record Options(int size, int steps, IntBinaryOperator seed, boolean live, Path output) {
    static Options of(Arguments arguments, int ranks) {
      boolean live = arguments.flag("--live");
      int size = arguments.number("--size", live ? LIVE_SIZE : 800, ranks, 40_000);
      String pattern = arguments.text("--pattern", null);
      IntBinaryOperator seed =
          pattern == null
              ? (row, column) -> new SplittableRandom(row * 1_000_003L + column).nextInt(7) < 3 ? 1 : 0
              : LifePattern.named(pattern).centred(size);
      return new Options(size, arguments.number("--steps", 300, 0, 100_000_000), seed, live,
          arguments.output("--output", "none"));
    }
  }

  private final CartComm grid;
  private final int side;
  private final int firstRow;
  private final int firstColumn;
  private final int rows;
  private final int columns;
  /** Cells of one row, with a neighbour's cell at each end; there is a neighbour's row above and below as well. */
  private final int width;
  private byte[] cells;
  private byte[] next;
  private int step;
  /** The generation in which each cell was last alive; null where no picture needs it. */
  private int[] lastAlive;

  /**
   * Makes the rectangle of this rank.
   *
   * @param grid all ranks
   * @param side cells of the torus in each direction, at least as many as there are ranks in it
   * @param seed returns for a row and a column whether the cell lives (1) or not (0)
   */
  Life(CartComm grid, int side, IntBinaryOperator seed) {
    this.grid = grid;
    this.side = side;
    int[] dims = grid.dims();
    int[] place = grid.coords();
    firstRow = border(side, dims[0], place[0]);
    firstColumn = border(side, dims[1], place[1]);
    rows = border(side, dims[0], place[0] + 1) - firstRow;
    columns = border(side, dims[1], place[1] + 1) - firstColumn;
    width = columns + 2;
    cells = new byte[(rows + 2) * width];
    next = new byte[cells.length];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        cells[at(i + 1, j + 1)] = (byte) seed.applyAsInt(firstRow + i, firstColumn + j);
      }
    }
  }

  /**
   * Runs one rank.
   *
   * @param args see {@link #USAGE}
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      Options options = new Console("life", world).options(USAGE, args, words -> Options.of(words, world.size()));
      if (options != null) {
        try (CartComm grid = torus(world)) {
          new Life(grid, options.size, options.seed).play(options, new Console("life", grid));
        }
      }
    });
  }

  /** Computes all generations, draws and compares. All ranks call this together. */
  void play(Options options, Console console) throws IOException {
    int[] columns = {options.live ? console.columns() : 0};
    grid.bcast(Buf.of(columns), 0);
    if (options.live && columns[0] == 0) {
      console.print("life: the output is no terminal: --live is left out%n");
    }
    if (options.output != null) {
      lastAlive = new int[cells.length];
      Arrays.fill(lastAlive, Integer.MIN_VALUE);
    }
    double start = Mpi.wtime();
    int compared = Math.min(COMPARED_STEPS, options.steps);
    LifeScreen screen = columns[0] > 0 ? new LifeScreen(console) : null;
    ProgressBar progress = console.progress(options.steps, "step");
    while (step < options.steps - compared) {
      if (screen != null) {
        show(screen);
        run(1);
      } else {
        run(Math.min(STEPS_PER_LOOK, options.steps - compared - step));
        progress.show(step);
      }
    }
    progress.clear();
    boolean right = runCompared(compared);
    if (screen != null) {
      show(screen);
    }
    long alive = sum(false);
    int[] dims = grid.dims();
    console.print("%d cells live after %d steps on %d x %d ranks; %.0f ms%n",
        alive, options.steps, dims[0], dims[1], (Mpi.wtime() - start) * 1e3);
    if (options.output != null) {
      draw(options.output, console);
    }
    console.check(right, "the cells where rectangles meet are not those that one rank computes");
  }

  private void show(LifeScreen screen) {
    int[] all = gather(0, 0, side, cell -> cells[cell]);
    long alive = sum(false);
    if (all != null) {
      screen.draw(all, side, String.format(Locale.ROOT, "step %,d, %,d cells live", step, alive));
    }
  }

  private void draw(Path file, Console console) throws IOException {
    int[] colours = gather(0, 0, side, cell -> colour(cells[cell], lastAlive[cell]));
    int scale = Math.max(1, PICTURE / side);
    if (colours != null) {
      PngFile.write(file, side, colours, scale);
    }
    console.print("picture %s (%d x %d)%n", file, side * scale, side * scale);
  }

  private int colour(int cell, int seen) {
    double trace = seen == Integer.MIN_VALUE ? 0 : 0.15 + 0.6 * Math.exp((seen - step) / TRACE_STEPS);
    return ColourMap.FIRE.rgb(cell == 1 ? 1 : trace);
  }

  /** Runs some steps and returns, the same at all ranks, whether they are right in the middle of the torus. */
  private boolean runCompared(int steps) {
    int count = Math.min(side, COMPARED_CELLS);
    int first = (side - count) / 2;
    int[] before = gather(first, first, count, cell -> cells[cell]);
    run(steps);
    int[] after = gather(first, first, count, cell -> cells[cell]);
    int[] wrong = {0};
    if (before != null) {
      for (int done = 1; done <= steps; done++) {
        before = advance(before, count);
      }
      for (int i = steps; i < count - steps; i++) { // beyond lie cells that depend on others outside
        wrong[0] += Arrays.equals(before, i * count + steps, (i + 1) * count - steps,
            after, i * count + steps, (i + 1) * count - steps) ? 0 : 1;
      }
    }
    grid.bcast(Buf.of(wrong), 0);
    return wrong[0] == 0;
  }

  /** Computes the next generation of a square, as if all cells outside were dead. */
  private static int[] advance(int[] square, int count) {
    int[] result = new int[square.length];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        int around = -square[i * count + j];
        for (int k = Math.max(0, i - 1); k <= Math.min(count - 1, i + 1); k++) {
          for (int l = Math.max(0, j - 1); l <= Math.min(count - 1, j + 1); l++) {
            around += square[k * count + l];
          }
        }
        result[i * count + j] = around == 3 || around == 2 && square[i * count + j] == 1 ? 1 : 0;
      }
    }
    return result;
  }

  /** Collects a number for each cell of a square at rank 0. */
  private int[] gather(int top, int left, int count, IntUnaryOperator number) {
    int row = Math.clamp(firstRow, top, top + count);
    int column = Math.clamp(firstColumn, left, left + count);
    int height = Math.clamp(firstRow + rows, row, top + count) - row;
    int wide = Math.clamp(firstColumn + columns, column, left + count) - column;
    int[] numbers = new int[height * wide];
    for (int i = 0; i < numbers.length; i++) {
      int cell = at(row - firstRow + i / wide + 1, column - firstColumn + i % wide + 1);
      numbers[i] = number.applyAsInt(cell);
    }
    return new Tile(column - left, row - top, wide, height, numbers).gather(grid, count, count);
  }

  /**
   * Arranges ranks as a torus.
   *
   * @param comm all of them, which call this together
   * @return a communicator that may number them in another order
   */
  static CartComm torus(IntraComm comm) {
    return comm.cartCreate(Mpi.dimsCreate(comm.size(), 0, 0), new boolean[] {true, true}, true);
  }

  private static int border(int side, int parts, int part) {
    return (int) ((long) side * part / parts);
  }

  private int at(int row, int column) {
    return row * width + column;
  }

  /**
   * Lets generations pass.
   *
   * @param steps how many
   */
  void run(int steps) {
    try (Datatype<Byte> column = Datatype.vector(rows, 1, width, Datatype.INT8_T).commit()) {
      for (int done = 0; done < steps; done++) {
        exchange(column);
        advance();
        step++;
        remember();
      }
    }
  }

  private void exchange(Datatype<Byte> column) {
    CartComm.Shift right = grid.shift(1, 1);
    pass(column(1, column), right.source(), column(columns + 1, column), right.dest());
    pass(column(columns, column), right.dest(), column(0, column), right.source());
    CartComm.Shift down = grid.shift(0, 1);
    pass(row(1), down.source(), row(rows + 1), down.dest());
    pass(row(rows), down.dest(), row(0), down.source());
  }

  private void pass(Buf<Byte> mine, int to, Buf<Byte> theirs, int from) {
    grid.sendrecv(mine, to, TAG, theirs, from, TAG);
  }

  private Buf<Byte> column(int number, Datatype<Byte> column) {
    return Buf.of(cells, 1, column).at(at(1, number));
  }

  private Buf<Byte> row(int number) {
    return Buf.of(cells, at(number, 0), width);
  }

  private void advance() {
    for (int i = 1; i <= rows; i++) {
      for (int j = 1; j <= columns; j++) {
        int here = at(i, j);
        int around = cells[here - 1] + cells[here + 1];
        for (int k = here - 1; k <= here + 1; k++) {
          around += cells[k - width] + cells[k + width];
        }
        next[here] = (byte) (around == 3 || around == 2 && cells[here] == 1 ? 1 : 0);
      }
    }
    byte[] old = cells;
    cells = next;
    next = old;
  }

  private void remember() {
    for (int i = 0; lastAlive != null && i < cells.length; i++) {
      lastAlive[i] = cells[i] == 1 ? step : lastAlive[i];
    }
  }

  /**
   * Adds the living cells of all ranks up.
   *
   * @param weighted whether each counts by where it is, so that different pictures have different sums
   * @return the same at all ranks, which call this together
   */
  long sum(boolean weighted) {
    long[] sum = {0};
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        if (cells[at(i + 1, j + 1)] == 1) {
          sum[0] += weighted ? (firstRow + i) * 1_000_003L + (firstColumn + j) * 7919L + 1 : 1;
        }
      }
    }
    grid.allreduce(Buf.of(sum), Op.SUM);
    return sum[0];
  }
}
