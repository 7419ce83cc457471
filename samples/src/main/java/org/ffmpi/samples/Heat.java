// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import org.ffmpi.Mpi;
import org.ffmpi.samples.heat.HeatOptions;
import org.ffmpi.samples.heat.HeatProgram;

/**
 * The heat equation on a square plate whose edges are kept at temperature 0.
 *
 * <p>The plate is cut into blocks of rows, one per rank. In every time step the ranks exchange the rows at the edges of
 * their blocks with nonblocking messages while they compute the inner rows. The plate starts with a sum of sine modes,
 * for which the exact temperature is known at every point and time: in the end the program compares, fails when the
 * error is larger than that of the numerical scheme, and draws the temperatures.
 *
 * <p>The field is the same to the last bit whatever the number of ranks and the kind of memory; the checksum shows it.
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
      HeatOptions options;
      try {
        options = HeatOptions.parse(args, mpi.world().size());
      } catch (IllegalArgumentException e) {
        if (mpi.world().rank() == 0) {
          System.err.println("heat: " + e.getMessage());
          mpi.abort(2);
        }
        mpi.world().barrier(); // rank 0 ends the job
        return;
      }
      if (options != null) {
        new HeatProgram(mpi, options, System.out, terminalColumns()).run();
      } else if (mpi.world().rank() == 0) {
        System.out.print(HeatOptions.USAGE);
      }
    });
  }

  /** Returns the width of the terminal that standard output ends on, as the launcher says; 0 for none. */
  private static int terminalColumns() {
    String columns = System.getenv("FFMPI_TERMINAL");
    return columns == null ? 0 : Integer.parseInt(columns);
  }
}
