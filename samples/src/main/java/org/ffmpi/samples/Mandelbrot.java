// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.ffmpi.Comm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Status;
import org.ffmpi.samples.show.Arguments;
import org.ffmpi.samples.show.ColourMap;
import org.ffmpi.samples.show.Console;
import org.ffmpi.samples.show.PngFile;
import org.ffmpi.samples.show.ProgressBar;

/**
 * The Mandelbrot set, row by row. Some rows take a hundred times longer than others, so no fixed division is fair: rank
 * 0 hands out a row to each worker that has finished one. It receives from any source and learns from the status who
 * has answered; the tag is the number of the row.
 *
 * <p>In the end rank 0 computes some rows itself and compares.
 */
public final class Mandelbrot {
  private static final String USAGE =
      """
      usage: mandelbrot [--width N] [--height N] [--limit N] [--output FILE | --output none]

        --width     pixels in a row; default 960
        --height    rows; default 640
        --limit     iterations after which a point counts as inside; default 4000
        --output    picture, as PNG; default mandelbrot.png
      """;

  /** Each pixel is the mean of this many points in each direction. */
  private static final int POINTS = 2;

  private static final int MANAGER = 0;
  private static final int ROWS_TO_COMPARE = 16;

  // Seahorses and spirals at the edge of the set.
  private static final double CENTRE_RE = -0.743643887;
  private static final double CENTRE_IM = 0.131825904;
  private static final double WIDTH = 0.0036;

  private static final double ESCAPE = 1 << 16;
  private static final double COLOURS_PER_DOUBLING = 0.42;

  /**
   * The picture that the command line asks for.
   *
   * @param width pixels in a row
   * @param height rows
   * @param limit iterations after which a point counts as inside
   * @param output file for the picture, or null
   */
  record Options(int width, int height, int limit, Path output) {
    private static Options of(Arguments arguments) {
      return new Options(
          arguments.number("--width", 960, 1, 16_384),
          arguments.number("--height", 640, 1, 16_384),
          arguments.number("--limit", 4000, 1, 10_000_000),
          arguments.output("--output", "mandelbrot.png"));
    }
  }

  private final Options options;

  Mandelbrot(Options options) {
    this.options = options;
  }

  /**
   * Runs one rank.
   *
   * @param args see {@link #USAGE}
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Console console = new Console("mandelbrot", mpi.world());
      Options options = console.options(USAGE, args, Options::of);
      if (options != null) {
        new Mandelbrot(options).run(mpi.world(), console);
      }
    });
  }

  private void run(IntraComm world, Console console) throws IOException {
    double start = Mpi.wtime();
    int[][] rows = compute(world, console.progress(options.height, "row"));
    if (world.rank() != MANAGER) {
      return;
    }
    double seconds = Mpi.wtime() - start;
    long iterations = Arrays.stream(rows).mapToLong(this::iterations).sum();
    console.print("%d x %d pixels of %d points, %,d iterations by %d workers%n", options.width, options.height,
        POINTS * POINTS, iterations, Math.max(1, world.size() - 1));
    console.print("time      %.3f s, %.1f million iterations per second%n", seconds, iterations / seconds * 1e-6);
    int wrong = differences(rows, ROWS_TO_COMPARE);
    console.print("checksum  %016x; %d of %d rows that rank 0 computed again are different%n",
        checksum(rows), wrong, Math.min(ROWS_TO_COMPARE, options.height));
    if (options.output != null) {
      PngFile.write(options.output, options.width, colours(rows), 1);
      console.print("picture   %s (%d x %d)%n", options.output, options.width, options.height);
    }
    if (wrong > 0) {
      System.err.println("mandelbrot: the workers' rows are not those that rank 0 computes");
      world.abort(1);
    }
  }

  /**
   * Computes all rows.
   *
   * @param world all ranks, which call this together; one rank alone computes itself
   * @param progress shown by rank 0
   * @return at rank 0 what {@link #row} computes, for each row; null elsewhere
   */
  int[][] compute(Comm world, ProgressBar progress) {
    if (world.size() == 1) {
      int[][] rows = new int[options.height][];
      for (int y = 0; y < options.height; y++) {
        rows[y] = row(y);
        progress.show(y + 1);
      }
      progress.clear();
      return rows;
    }
    if (world.rank() == MANAGER) {
      return handOut(world, progress);
    }
    workFor(world);
    return null;
  }

  /** A worker's first message, which is empty, asks for work; each other one is a row, and its tag the row's number. */
  private int[][] handOut(Comm workers, ProgressBar progress) {
    int[][] rows = new int[options.height][];
    int noRow = options.height;
    int next = 0;
    int[] received = new int[pointsInRow()];
    Status status = new Status();
    for (int working = workers.size() - 1; working > 0;) {
      workers.recv(received, Mpi.ANY_SOURCE, Mpi.ANY_TAG, status);
      if (status.tag() != noRow) {
        rows[status.tag()] = received.clone();
      }
      workers.send(new int[] {next}, status.source(), 0);
      if (next < noRow) {
        next++;
      } else {
        working--; // has been told that there is nothing left to do
      }
      progress.show(next);
    }
    progress.clear();
    return rows;
  }

  private void workFor(Comm world) {
    int noRow = options.height;
    world.send(new int[0], MANAGER, noRow);
    int[] row = {0};
    for (world.recv(row, MANAGER, 0); row[0] != noRow; world.recv(row, MANAGER, 0)) {
      world.send(row(row[0]), MANAGER, row[0]);
    }
  }

  private int pointsInRow() {
    return options.width * POINTS * POINTS;
  }

  /**
   * Computes a row.
   *
   * @param y number of the row
   * @return for each point the iterations until it has escaped, in 1/256; 0 for points inside
   */
  int[] row(int y) {
    int[] counts = new int[pointsInRow()];
    double step = WIDTH / (options.width * POINTS);
    for (int line = 0; line < POINTS; line++) {
      double im = CENTRE_IM + step * (options.height * POINTS / 2.0 - (y * POINTS + line));
      for (int x = 0; x < options.width * POINTS; x++) {
        double re = CENTRE_RE + step * (x - options.width * POINTS / 2.0);
        counts[line * options.width * POINTS + x] = count(re, im);
      }
    }
    return counts;
  }

  private int count(double re, double im) {
    double x = 0;
    double y = 0;
    double xx = 0;
    double yy = 0;
    int n = 0;
    while (xx + yy < ESCAPE && n < options.limit) {
      y = 2 * x * y + im;
      x = xx - yy + re;
      xx = x * x;
      yy = y * y;
      n++;
    }
    if (xx + yy < ESCAPE) {
      return 0;
    }
    // The fraction makes colours flow from one count to the next.
    double fraction = 1 - StrictMath.log(StrictMath.log(xx + yy) / StrictMath.log(ESCAPE)) / StrictMath.log(2);
    return (int) Math.round(256 * (n + fraction));
  }

  private long iterations(int[] row) {
    return Arrays.stream(row).mapToLong(count -> count == 0 ? options.limit : count / 256).sum();
  }

  /** Returns a number that depends on every count and its place. */
  static long checksum(int[][] rows) {
    return Arrays.deepHashCode(rows) * 0x9E3779B97F4A7C15L;
  }

  /** Computes some rows again, evenly spread, and returns how many are different. */
  int differences(int[][] rows, int howMany) {
    int count = Math.min(howMany, options.height);
    int wrong = 0;
    for (int i = 0; i < count; i++) {
      int y = (int) ((2L * i + 1) * options.height / (2L * count));
      wrong += Arrays.equals(rows[y], row(y)) ? 0 : 1;
    }
    return wrong;
  }

  /** Returns the colours of all pixels, each the mean of its points. */
  private int[] colours(int[][] rows) {
    int[] colours = new int[options.width * options.height];
    int line = options.width * POINTS;
    for (int i = 0; i < colours.length; i++) {
      int x = i % options.width * POINTS;
      int[] sums = new int[3];
      for (int p = 0; p < POINTS * POINTS; p++) {
        int rgb = colour(rows[i / options.width][p / POINTS * line + x + p % POINTS]);
        sums[0] += rgb >> 16;
        sums[1] += rgb >> 8 & 255;
        sums[2] += rgb & 255;
      }
      int points = POINTS * POINTS;
      colours[i] = sums[0] / points << 16 | sums[1] / points << 8 | sums[2] / points;
    }
    return colours;
  }

  private static int colour(int count) {
    if (count == 0) {
      return 0;
    }
    double turns = COLOURS_PER_DOUBLING * Math.log(count / 256.0) / Math.log(2);
    return ColourMap.DUSK.rgb(turns - Math.floor(turns));
  }
}
