// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.io.IOException;
import java.nio.file.Path;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.samples.nbody.Exposure;
import org.ffmpi.samples.nbody.Gravity;
import org.ffmpi.samples.show.Arguments;
import org.ffmpi.samples.show.Console;
import org.ffmpi.samples.show.PngFile;
import org.ffmpi.samples.show.ProgressBar;

/**
 * Two galaxies meet, and their tides draw out arms of stars. Each rank moves some of the bodies; in every step all
 * ranks learn all bodies, as arrays of a record, by an allgatherv. In the end energy and momentum are compared with
 * those of the beginning.
 */
public final class Nbody {
  private static final String USAGE =
      """
      usage: nbody [--bodies N] [--steps N] [--pixels N] [--output FILE | --output none]

        --bodies    an even number of bodies; default 2000
        --steps     steps in time; default 300
        --pixels    width of the picture; default 800
        --output    picture of the galaxies in the end, as PNG; default nbody.png
      """;

  private static final double STEP = 0.02;
  /** The picture shows the way of each body in the last steps. */
  private static final int EXPOSED_STEPS = 10;

  private static final double ACROSS = 11.4;
  private static final double ENERGY_TOLERANCE = 1e-3;
  private static final double MOMENTUM_TOLERANCE = 1e-10;

  private Nbody() {}

  /**
   * The computation that the command line asks for.
   *
   * @param bodies how many
   * @param steps in time
   * @param pixels width of the picture
   * @param output file for the picture, or null
   */
  record Options(int bodies, int steps, int pixels, Path output) {
    private static Options of(Arguments arguments) {
      int bodies = arguments.number("--bodies", 2000, 4, 1_000_000);
      if (bodies % 2 != 0) {
        throw new IllegalArgumentException("--bodies " + bodies + ": an even number is needed");
      }
      return new Options(bodies, arguments.number("--steps", 300, 0, 1_000_000),
          arguments.number("--pixels", 800, 16, 8192), arguments.output("--output", "nbody.png"));
    }
  }

  /**
   * Runs one rank.
   *
   * @param args see {@link #USAGE}
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Console console = new Console("nbody", mpi.world());
      Options options = console.options(USAGE, args, Options::of);
      if (options != null) {
        run(mpi.world(), options, console);
      }
    });
  }

  private static void run(IntraComm world, Options options, Console console) throws IOException {
    Gravity gravity = new Gravity(world, options.bodies);
    Gravity.Conserved before = gravity.conserved();
    int height = options.pixels * 5 / 8;
    Exposure exposure = new Exposure(options.pixels, height, ACROSS);
    ProgressBar progress = console.progress(options.steps, "step");
    world.barrier();
    double start = Mpi.wtime();
    for (int step = 1; step <= options.steps; step++) {
      gravity.step(STEP);
      if (step > options.steps - EXPOSED_STEPS) {
        exposure.expose(gravity.bodies(), gravity.first(), options.bodies, 1.0 / EXPOSED_STEPS);
      }
      progress.show(step);
    }
    double seconds = Mpi.wtime() - start;
    progress.clear();
    Gravity.Conserved after = gravity.conserved();
    double energyError = Math.abs(after.energy() / before.energy() - 1);
    double momentumError = after.momentumFrom(before);

    double pairs = (double) options.bodies * options.bodies * options.steps;
    console.print("nbody: %,d bodies, %,d steps, %d ranks%n", options.bodies, options.steps, world.size());
    console.print("time      %.3f s, %.1f million attractions per second%n", seconds, pairs / seconds * 1e-6);
    console.print("energy    %.6f, changed by %.1e of it%n", after.energy(), energyError);
    console.print("momentum  changed by %.1e%n", momentumError);
    if (options.output != null) {
      int[] colours = exposure.develop(world);
      if (world.rank() == 0) {
        PngFile.write(options.output, options.pixels, colours, 1);
      }
      console.print("picture   %s (%d x %d)%n", options.output, options.pixels, height);
    }
    console.check(energyError <= ENERGY_TOLERANCE, "the energy changed by %.1e of it: at most %.0e is allowed",
        energyError, ENERGY_TOLERANCE);
    console.check(momentumError <= MOMENTUM_TOLERANCE, "the momentum changed by %.1e: at most %.0e is allowed",
        momentumError, MOMENTUM_TOLERANCE);
  }
}
