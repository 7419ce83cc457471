// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.io.PrintStream;
import org.ffmpi.Mpi;

/** Every rank prints its number. The lines come in any order. */
public final class Hello {
  private Hello() {}

  /**
   * Runs one rank.
   *
   * @param args none
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> greet(mpi, System.out));
  }

  static void greet(Mpi mpi, PrintStream out) {
    out.printf("rank %d of %d on %s%n", mpi.world().rank(), mpi.world().size(), Mpi.processorName());
  }
}
