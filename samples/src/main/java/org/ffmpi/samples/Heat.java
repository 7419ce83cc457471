// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import org.ffmpi.Mpi;
import org.ffmpi.samples.heat.HeatOptions;
import org.ffmpi.samples.heat.HeatProgram;
import org.ffmpi.samples.show.Console;

/**
 * The heat equation on a square plate whose edges are kept at temperature 0.
 *
 * <p>The plate is cut into blocks of rows, one per rank, or with {@code --grid} into rectangles. In every time step the
 * ranks exchange the rows (and columns) at the edges of their blocks with nonblocking messages while they compute the
 * inner rows. The plate starts with a sum of sine modes, for which the exact temperature is known at every point and
 * time: in the end the program compares, fails when the error is larger than that of the numerical scheme, and draws
 * the temperatures.
 *
 * <p>The field is the same to the last bit whatever the number of ranks, their arrangement and the kind of memory; the
 * checksum shows it.
 */
public final class Heat {
  private Heat() {}

  /**
   * Runs one rank.
   *
   * @param args see {@link HeatOptions#USAGE}
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Console console = new Console("heat", mpi.world());
      HeatOptions options =
          console.options(HeatOptions.USAGE, args, words -> HeatOptions.parse(words, mpi.world().size()));
      if (options != null) {
        HeatProgram.run(mpi, options, console);
      }
    });
  }
}
