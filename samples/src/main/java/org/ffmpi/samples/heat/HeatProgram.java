// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import java.io.IOException;
import java.util.Locale;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.samples.show.Console;
import org.ffmpi.samples.show.ProgressBar;

/** One rank's run of the program, from the first temperature to the picture. */
public final class HeatProgram {
  private static final long MIXER = 0x9E3779B97F4A7C15L;

  private final Mpi mpi;
  private final IntraComm comm;
  private final HeatOptions options;
  private final SineModes exact;
  private final Field field;
  /** The window of the field when neighbours read each other's rows; otherwise null. */
  private final RowWindow window;
  private final Console console;

  /**
   * Prepares a run.
   *
   * @param mpi this rank's environment
   * @param options the same at all ranks
   * @param comm the world, or a grid of its ranks when the plate is cut in both directions
   * @param console where rank 0 prints
   */
  private HeatProgram(Mpi mpi, HeatOptions options, IntraComm comm, Console console) {
    this.mpi = mpi;
    this.comm = comm;
    this.options = options;
    this.console = console;
    this.exact = new SineModes(SineModes.PLATE, options.size());
    Block block =
        comm instanceof CartComm grid
            ? Block.of(options.size(), grid.dims(), grid.coords())
            : Block.of(options.size(), comm.size(), comm.rank());
    this.window = options.exchange() == HeatOptions.Exchange.WINDOW ? new RowWindow(comm, block) : null;
    this.field = window != null ? window.field() : Field.of(mpi, block, options);
  }

  /**
   * Runs. All ranks call this together.
   *
   * @param mpi this rank's environment
   * @param options the same at all ranks
   * @param console where rank 0 prints
   * @return the result, the same at all ranks
   * @throws IOException at rank 0, when the picture cannot be written
   */
  public static HeatResult run(Mpi mpi, HeatOptions options, Console console) throws IOException {
    IntraComm world = mpi.world();
    if (!options.grid()) {
      return new HeatProgram(mpi, options, world, console).run();
    }
    int[] dims = Mpi.dimsCreate(world.size(), 0, 0);
    try (CartComm grid = world.cartCreate(dims, new boolean[] {false, false}, false)) {
      return new HeatProgram(mpi, options, grid, console).run();
    }
  }

  private HeatResult run() throws IOException {
    try (window; field) {
      return compute();
    }
  }

  private HeatResult compute() throws IOException {
    console.print("heat: %,d x %,d cells, %,d steps, %s, %s buffers%n", options.size(), options.size(), options.steps(),
        ranks(), window != null ? "window" : options.buffers().name().toLowerCase(Locale.ROOT));
    int done = options.saves().restart() == null ? begin() : restored();
    double seconds = advance(done);
    HeatResult result = compare(seconds);
    console.print("total heat     %.9f (exact %.9f)%n", result.heat(), result.exactHeat());
    console.print("largest error  %.3e (the scheme's is at most %.3e)%n", result.error(), result.errorBound());
    console.print("field          %016x (its checksum, the same for any number of ranks)%n", result.checksum());
    console.print("time           %.3f s, %.1f million cell updates per second%n", seconds,
        updatesPerSecond(options.steps() - done, seconds) * 1e-6);
    if (options.output() != null) {
      draw(result);
    }
    console.check(result.isGood(), "largest error %.3e: at most %.3e is what the scheme explains", result.error(),
        result.errorBound());
    return result;
  }

  private int restored() {
    int step = new Checkpoint(comm, field).restore(options.saves().restart());
    if (step > options.steps()) {
      throw new IllegalArgumentException(
          "--restart " + options.saves().restart() + ": it has step " + step + ", --steps is " + options.steps());
    }
    console.print("restart        %s, from step %,d%n", options.saves().restart(), step);
    return step;
  }

  private int begin() {
    Block block = field.block();
    double[] row = new double[block.columns()];
    for (int i = 0; i < block.rows(); i++) {
      exact.row(block.first() + i, block.firstColumn(), 0, row);
      field.write(i + 1, row);
    }
    return 0;
  }

  /** Makes all time steps but those that are done; returns the seconds they took at the slowest rank. */
  private double advance(int done) throws IOException {
    HeatOptions.Saves saves = options.saves();
    Checkpoint checkpoint = saves.checkpoint() == null ? null : new Checkpoint(comm, field);
    ProgressBar progress = console.progress(options.steps(), "step");
    HeatSolver solver = new HeatSolver(
        comm, field, window, options.exchange() != HeatOptions.Exchange.FIRST);
    comm.barrier();
    double start = Mpi.wtime();
    for (int step = done + 1; step <= options.steps(); step++) {
      solver.step();
      progress.show(step);
      mpi.progress("step", step, options.steps());
      if (checkpoint != null && (step % saves.every() == 0 || step == options.steps())) {
        checkpoint.save(saves.checkpoint(), step);
      }
    }
    double[] seconds = {Mpi.wtime() - start};
    progress.clear();
    comm.allreduce(Buf.of(seconds), Op.MAX);
    return seconds[0];
  }

  /** Looks at all cells once and combines the findings of all ranks. */
  private HeatResult compare(double seconds) {
    Block block = field.block();
    int size = options.size();
    double[] row = new double[block.columns()];
    double[] expected = new double[block.columns()];
    double heat = 0;
    double exactHeat = 0;
    double error = 0;
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    long checksum = 0;
    for (int i = 0; i < block.rows(); i++) {
      field.read(i + 1, row);
      exact.row(block.first() + i, block.firstColumn(), options.steps(), expected);
      for (int j = 0; j < row.length; j++) {
        heat += row[j];
        exactHeat += expected[j];
        error = Math.max(error, Math.abs(row[j] - expected[j]));
        lowest = Math.min(lowest, row[j]);
        highest = Math.max(highest, row[j]);
      }
      checksum += checksum(row, (block.first() + i) * (long) size + block.firstColumn());
    }
    double area = 1.0 / ((size + 1.0) * (size + 1.0));
    double[] sums = {heat * area, exactHeat * area};
    // NaN has no order: it becomes the greatest error, so that no other value hides it.
    double[] greatest = {Double.isNaN(error) ? Double.POSITIVE_INFINITY : error, highest, -lowest};
    long[] checksums = {checksum};
    comm.allreduce(Buf.of(sums), Op.SUM);
    comm.allreduce(Buf.of(greatest), Op.MAX);
    comm.allreduce(Buf.of(checksums), Op.SUM);
    return new HeatResult(sums[0], sums[1], greatest[0], exact.errorBound(options.steps()), -greatest[2], greatest[1],
        checksums[0], seconds);
  }

  /**
   * Returns the part of the field's checksum that some cells of a row have. It is a sum: order does not matter.
   *
   * @param row temperatures
   * @param first number of its first cell on the plate, row by row
   */
  static long checksum(double[] row, long first) {
    long sum = 0;
    for (int j = 0; j < row.length; j++) {
      sum += mix(Double.doubleToRawLongBits(row[j]) ^ mix(first + j));
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
    int[] pixels = picture.gather(comm, field, result.lowest(), result.highest());
    if (comm.rank() == 0) {
      picture.write(pixels, options.output());
      console.print("picture        %s (%d x %d)%n", options.output(), picture.width(), picture.width());
    }
  }

  private double updatesPerSecond(int steps, double seconds) {
    return seconds == 0 ? 0 : (double) options.size() * options.size() * steps / seconds;
  }

  private String ranks() {
    if (comm instanceof CartComm grid) {
      return grid.dims()[0] + " x " + grid.dims()[1] + " ranks";
    }
    return comm.size() + (comm.size() == 1 ? " rank" : " ranks");
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
