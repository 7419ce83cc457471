// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;

/** The distribution of rows over ranks, neighbours to neighbours, as evenly as possible. */
record Blocks(int rows, int ranks) {
  /** The first row of a rank; of the rank after the last one, the number of rows. */
  int first(int rank) {
    return (int) ((long) rows * rank / ranks);
  }

  /** Returns the number of rows of a rank. */
  int count(int rank) {
    return first(rank + 1) - first(rank);
  }

  /** Returns the number of elements of each rank, in rows of some length. */
  long[] counts(int rowLength) {
    long[] counts = new long[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      counts[rank] = (long) count(rank) * rowLength;
    }
    return counts;
  }

  /** Returns the place of each rank's first element among all, in rows of some length. */
  long[] displacements(int rowLength) {
    long[] displacements = new long[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      displacements[rank] = (long) first(rank) * rowLength;
    }
    return displacements;
  }

  /**
   * Reads the size of a problem from the command line; ends the job where it is no number, or less than a row per rank.
   *
   * @param mpi this rank
   * @param args the size first; may be empty
   * @param otherwise the size without an argument
   * @param largest the largest size allowed
   */
  static int size(Mpi mpi, String[] args, int otherwise, int largest) {
    IntraComm world = mpi.world();
    int size;
    try {
      size = args.length == 0 ? otherwise : Integer.parseInt(args[0]);
    } catch (NumberFormatException e) {
      size = 0;
    }
    if (size < world.size() || size > largest) {
      if (world.rank() == 0) {
        System.err.println("size = " + String.join(" ", args) + ": allowed are " + world.size() + ".." + largest);
        mpi.abort(2);
      }
      world.barrier(); // rank 0 ends the job
    }
    return size;
  }
}
