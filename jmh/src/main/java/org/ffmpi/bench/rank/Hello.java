// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import org.ffmpi.Mpi;

/** Starts, says hello and ends; {@code scripts/bench startup} times it from outside. */
public final class Hello {
  private Hello() {}

  /**
   * Says hello.
   *
   * @param args unused
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> System.out.println(
        // Not by +, which would start the machinery of run-time string concatenation just for this line.
        new StringBuilder("hello from rank ").append(mpi.world().rank()).append(" of ").append(mpi.world().size())));
  }
}
