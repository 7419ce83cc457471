// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.io.IOException;
import java.nio.file.Path;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.samples.fft.Mirror;
import org.ffmpi.samples.fft.SlabTransform;
import org.ffmpi.samples.show.Arguments;
import org.ffmpi.samples.show.Console;
import org.ffmpi.samples.show.PngFile;
import org.ffmpi.samples.show.ProgressBar;
import org.ffmpi.samples.show.Tile;

/**
 * A star in a telescope, whose image is the Fourier transform of the mirror, squared. The transform in two
 * dimensions is one of all rows, a transpose and one of all rows again; the transpose is an alltoall with derived
 * types.
 *
 * <p>For red light the mirror is smaller, in wavelengths, than for blue light. Each transform is checked: by the
 * energy, by some numbers computed by the definition, and by the transform back.
 */
public final class Fft {
  private static final String USAGE =
      """
      usage: fft [--size N] [--pixels N] [--output FILE | --output none]

        --size      points along an edge of the transformed square, a power of two; default 1024
        --pixels    width and height of the picture, from the middle of the transform; default 512
        --output    picture of the star, as PNG; default fft.png
      """;

  /** Of the light, in nanometres. */
  private static final double[] WAVELENGTHS = {440, 465, 490, 515, 540, 565, 590, 615, 640};

  /** The brightest wavelengths of red, green and blue, and the spread of their light. */
  private static final double[] COLOURS = {605, 540, 465};

  private static final double SPREAD = 34;
  private static final double MIDDLE = 540;
  /** The part of the square that the mirror fills for light of the middle wavelength. */
  private static final double FILL = 1 / 3.4;

  private static final int[][] BINS = {{0, 0}, {1, 0}, {0, 1}, {5, 11}, {-1, -3}};
  private static final int STEPS_PER_WAVELENGTH = 4;
  private static final double TOLERANCE = 1e-12;
  /** Light that is this much weaker than the brightest is black. */
  private static final double RANGE = 3e5;

  /**
   * The computation that the command line asks for.
   *
   * @param size points along an edge
   * @param pixels of the picture along an edge
   * @param output file for the picture, or null
   */
  record Options(int size, int pixels, Path output) {
    private static Options of(Arguments arguments, int ranks) {
      int size = arguments.number("--size", 1024, 8, 16_384);
      if (Integer.bitCount(size) != 1) {
        throw new IllegalArgumentException("--size " + size + ": a power of two is needed");
      }
      if (size % ranks != 0) {
        throw new IllegalArgumentException(ranks + " ranks: a power of two of at most " + size + " is needed");
      }
      int pixels = arguments.number("--pixels", Math.min(size, 512), 1, size);
      return new Options(size, pixels, arguments.output("--output", "fft.png"));
    }
  }

  /** The largest relative errors, and the time. */
  private double energyError;
  private double binError;
  private double backError;
  private double seconds;

  private final IntraComm comm;
  private final Options options;
  private final SlabTransform square;
  private final ProgressBar progress;
  private int steps;

  private Fft(IntraComm comm, Options options, SlabTransform square, ProgressBar progress) {
    this.comm = comm;
    this.options = options;
    this.square = square;
    this.progress = progress;
  }

  /**
   * Runs one rank.
   *
   * @param args see {@link #USAGE}
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      Console console = new Console("fft", world);
      Options options = console.options(USAGE, args, words -> Options.of(words, world.size()));
      if (options != null) {
        run(world, options, console);
      }
    });
  }

  private static void run(IntraComm world, Options options, Console console) throws IOException {
    ProgressBar progress = console.progress(STEPS_PER_WAVELENGTH * WAVELENGTHS.length, "step");
    try (SlabTransform square = new SlabTransform(world, options.size)) {
      Fft fft = new Fft(world, options, square, progress);
      double[][] image = fft.image();
      progress.clear();
      fft.report(console);
      if (options.output != null) {
        int[] colours = fft.colours(image).gather(world, options.pixels, options.pixels);
        if (world.rank() == 0) {
          PngFile.write(options.output, options.pixels, colours, 1);
        }
        console.print("picture   %s (%d x %d)%n", options.output, options.pixels, options.pixels);
      }
      double worst = Math.max(fft.energyError, Math.max(fft.binError, fft.backError));
      console.check(worst <= TOLERANCE, "the largest error is %.1e: at most %.0e is what rounding explains",
          worst, TOLERANCE);
    }
  }

  /** Transforms the light of all wavelengths; returns this rank's part of the image, for each of three colours. */
  private double[][] image() {
    double[][] image = new double[COLOURS.length][(endColumn() - firstColumn()) * options.pixels];
    for (double wavelength : WAVELENGTHS) {
      Mirror mirror = new Mirror(options.size, FILL * options.size * MIDDLE / wavelength);
      fill(mirror);
      progress.show(++steps);
      double largest = transform();
      for (int colour = 0; colour < COLOURS.length; colour++) {
        double distance = (wavelength - COLOURS[colour]) / SPREAD;
        addLight(image[colour], Math.exp(-distance * distance / 2) / (largest * largest));
      }
      square.back();
      backError = Math.max(backError, distance(mirror));
      progress.show(++steps);
    }
    return image;
  }

  private void fill(Mirror mirror) {
    double[] field = square.field();
    for (int i = 0; i < field.length / 2; i++) {
      field[2 * i] = reflected(mirror, i);
      field[2 * i + 1] = 0;
    }
  }

  /** Returns the light at a point of this rank's rows. The alternating sign moves frequency 0 to the middle. */
  private double reflected(Mirror mirror, int point) {
    int x = point % options.size;
    int y = square.firstRow() + point / options.size;
    return (x + y) % 2 == 0 ? mirror.at(x, y) : -mirror.at(x, y);
  }

  private double distance(Mirror mirror) {
    double[] field = square.field();
    double[] distance = {0};
    for (int i = 0; i < field.length / 2; i++) {
      double error = Math.hypot(field[2 * i] - reflected(mirror, i), field[2 * i + 1]);
      distance[0] = Math.max(distance[0], error);
    }
    comm.allreduce(Buf.of(distance), Op.MAX);
    return distance[0];
  }

  /** Transforms and checks; returns the largest number of the transformed square. */
  private double transform() {
    double energy = square.energy();
    double[][] expected = new double[BINS.length][];
    for (int i = 0; i < BINS.length; i++) {
      expected[i] = square.bin(frequency(BINS[i][0]), frequency(BINS[i][1]));
    }
    progress.show(++steps);
    comm.barrier();
    double start = Mpi.wtime();
    square.forth();
    comm.barrier();
    seconds += Mpi.wtime() - start;
    progress.show(++steps);
    double points = (double) options.size * options.size;
    energyError = Math.max(energyError, Math.abs(square.energy() / (energy * points) - 1));
    double largest = Math.hypot(expected[0][0], expected[0][1]); // all light arrives in the middle
    for (int i = 0; i < BINS.length; i++) {
      double error = square.distance(frequency(BINS[i][0]), frequency(BINS[i][1]), expected[i]);
      binError = Math.max(binError, error / largest);
    }
    return largest;
  }

  /** Returns the index of a frequency, with 0 in the middle. */
  private int frequency(int number) {
    return options.size / 2 + number;
  }

  /** Adds the light of the points of this rank's rows that are in the picture. */
  private void addLight(double[] image, double weight) {
    int first = firstColumn();
    double[] field = square.field();
    int low = (options.size - options.pixels) / 2;
    for (int i = 0; i < image.length; i++) {
      int point = (first - square.firstRow() + i / options.pixels) * options.size + low + i % options.pixels;
      image[i] += weight * (field[2 * point] * field[2 * point] + field[2 * point + 1] * field[2 * point + 1]);
    }
  }

  /** The first of this rank's rows that is in the picture. The square is transposed: it is a column there. */
  private int firstColumn() {
    return Math.max(square.firstRow(), (options.size - options.pixels) / 2);
  }

  private int endColumn() {
    int end = Math.min(square.firstRow() + square.rows(), (options.size - options.pixels) / 2 + options.pixels);
    return Math.max(end, firstColumn());
  }

  private Tile colours(double[][] image) {
    int width = endColumn() - firstColumn();
    int[] colours = new int[image[0].length];
    for (int i = 0; i < colours.length; i++) {
      int rgb = 0;
      for (double[] colour : image) {
        double brightness = Math.log1p(RANGE * colour[i]) / Math.log1p(RANGE);
        rgb = rgb << 8 | (int) Math.round(255 * Math.min(1, brightness));
      }
      colours[i % options.pixels * width + i / options.pixels] = rgb;
    }
    int x = firstColumn() - (options.size - options.pixels) / 2;
    return new Tile(Math.min(x, options.pixels), 0, width, options.pixels, colours);
  }

  private void report(Console console) {
    double points = (double) options.size * options.size;
    double operations = 5 * points * Math.log(points) / Math.log(2) * WAVELENGTHS.length;
    console.print("fft: %,d x %,d points, light of %d wavelengths, %d ranks%n", options.size, options.size,
        WAVELENGTHS.length, comm.size());
    console.print("transform %.3f s for each wavelength, %.2f GFLOP/s%n", seconds / WAVELENGTHS.length,
        operations / seconds * 1e-9);
    console.print("errors    %.1e in the energy, %.1e in %d numbers by the definition, %.1e after the way back%n",
        energyError, binError, BINS.length, backError);
  }
}
