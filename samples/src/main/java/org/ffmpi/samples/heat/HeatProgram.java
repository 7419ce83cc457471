// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/** One rank's run of the program, from the first temperature to the picture. */
public final class HeatProgram {
  private static final long MIXER = 0x9E3779B97F4A7C15L;

  private final Mpi mpi;
  private final IntraComm world;
  private final HeatOptions options;
  private final SineModes exact;
  private final Field field;
  private final PrintStream out;
  private final ProgressBar progress;

  /**
   * Prepares a run.
   *
   * @param mpi this rank's environment
   * @param options the same at all ranks
   * @param out where rank 0 prints
   * @param terminalColumns width of the terminal that {@code out} ends on, 0 for none
   */
  public HeatProgram(Mpi mpi, HeatOptions options, PrintStream out, int terminalColumns) {
    this.mpi = mpi;
    this.world = mpi.world();
    this.options = options;
    this.out = out;
    this.exact = new SineModes(SineModes.PLATE, options.size());
    this.field = Field.of(mpi, Block.of(options.size(), world.size(), world.rank()), options.buffers());
    this.progress = new ProgressBar(out, world.rank() == 0 ? terminalColumns : 0, options.steps());
  }

  /**
   * Runs. All ranks call this together.
   *
   * @return what came out, the same at all ranks
   * @throws ArithmeticException at rank 0, when the temperatures are farther from the exact ones than the scheme allows
   * @throws IOException at rank 0, when the picture cannot be written
   */
  public HeatResult run() throws IOException {
    say("heat: %,d x %,d cells, %,d steps, %d %s, %s buffers%n", options.size(), options.size(), options.steps(),
        world.size(), world.size() == 1 ? "rank" : "ranks", options.buffers().name().toLowerCase(Locale.ROOT));
    begin();
    double seconds = advance();
    HeatResult result = compare(seconds);
    say("total heat     %.9f (exact %.9f)%n", result.heat(), result.exactHeat());
    say("largest error  %.3e (the scheme's is at most %.3e)%n", result.error(), result.errorBound());
    say("field          %016x (its checksum, the same for any number of ranks)%n", result.checksum());
    say("time           %.3f s, %.1f million cell updates per second%n", seconds, updatesPerSecond(seconds) * 1e-6);
    if (options.output() != null) {
      draw(result);
    }
    if (world.rank() == 0) {
      result.check(); // one rank's exception ends the job
    }
    return result;
  }

  private void begin() {
    double[] row = new double[options.size()];
    Block block = field.block();
    for (int i = 0; i < block.rows(); i++) {
      exact.row(block.first() + i, 0, row);
      field.write(i + 1, row);
    }
  }

  /** Makes all time steps; returns the seconds they took at the slowest rank. */
  private double advance() {
    HeatSolver solver = new HeatSolver(world, field);
    world.barrier();
    double start = Mpi.wtime();
    for (int step = 1; step <= options.steps(); step++) {
      solver.step();
      progress.show(step);
    }
    double[] seconds = {Mpi.wtime() - start};
    progress.clear();
    world.allreduce(Buf.of(seconds), Op.MAX);
    return seconds[0];
  }

  /** Looks at all cells once and combines the findings of all ranks. */
  private HeatResult compare(double seconds) {
    Block block = field.block();
    int size = options.size();
    double[] row = new double[size];
    double[] expected = new double[size];
    double heat = 0;
    double exactHeat = 0;
    double error = 0;
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    long checksum = 0;
    for (int i = 0; i < block.rows(); i++) {
      field.read(i + 1, row);
      exact.row(block.first() + i, options.steps(), expected);
      for (int j = 0; j < size; j++) {
        heat += row[j];
        exactHeat += expected[j];
        error = Math.max(error, Math.abs(row[j] - expected[j]));
        lowest = Math.min(lowest, row[j]);
        highest = Math.max(highest, row[j]);
      }
      checksum += checksum(row, block.first() + i);
    }
    double area = 1.0 / ((size + 1.0) * (size + 1.0));
    double[] sums = {heat * area, exactHeat * area};
    // NaN has no order: it becomes the greatest error, so that no other value hides it.
    double[] greatest = {Double.isNaN(error) ? Double.POSITIVE_INFINITY : error, highest, -lowest};
    long[] checksums = {checksum};
    world.allreduce(Buf.of(sums), Op.SUM);
    world.allreduce(Buf.of(greatest), Op.MAX);
    world.allreduce(Buf.of(checksums), Op.SUM);
    return new HeatResult(sums[0], sums[1], greatest[0], exact.errorBound(options.steps()), -greatest[2], greatest[1],
        checksums[0], seconds);
  }

  /**
   * Returns a row's part of the field's checksum, which is a sum, so that the order of rows and ranks does not matter.
   *
   * @param row temperatures
   * @param number number of the row on the plate
   */
  static long checksum(double[] row, int number) {
    long sum = 0;
    for (int j = 0; j < row.length; j++) {
      sum += mix(Double.doubleToRawLongBits(row[j]) ^ mix((long) number * row.length + j));
    }
    return sum;
  }

  /** Spreads the bits of a number, so that a sum of such numbers changes when two temperatures change places. */
  private static long mix(long bits) {
    long spread = bits * MIXER;
    spread ^= spread >>> 32;
    spread *= MIXER;
    return spread ^ spread >>> 29;
  }

  private void draw(HeatResult result) throws IOException {
    Picture picture = new Picture(options.size());
    int[] pixels = picture.gather(world, field, result.lowest(), result.highest());
    if (world.rank() == 0) {
      picture.write(pixels, options.output());
      say("picture        %s (%d x %d)%n", options.output(), picture.width(), picture.width());
    }
  }

  private double updatesPerSecond(double seconds) {
    return seconds == 0 ? 0 : (double) options.size() * options.size() * options.steps() / seconds;
  }

  private void say(String format, Object... values) {
    if (world.rank() == 0) {
      out.printf(Locale.ROOT, format, values);
    }
  }

  /**
   * Describes the run for messages.
   *
   * @return the rank and the options
   */
  @Override
  public String toString() {
    return mpi + " " + options;
  }
}
