// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The distance between the cores of ranks 0 and 1, half a round trip of one cache line in a page that both map. MPI has
 * no part in it, so that a slow engine cannot pass for a slow machine.
 */
final class Hop {
  private static final int HOPS = 1000;
  private static final int TRIALS = 5;
  private static final int PAGE = 4096;
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment page;
  private final boolean first;
  private long done;

  /** Maps the page; {@code rank} is 0 or 1. */
  Hop(Path file, int rank) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      page = channel.map(FileChannel.MapMode.READ_WRITE, 0, PAGE, Arena.global());
    }
    first = rank == 0;
  }

  /** Returns the least of a few short trials in ns; the other rank must be doing the same. */
  double measure() {
    double least = Double.MAX_VALUE;
    for (int t = 0; t < TRIALS; t++) {
      long start = System.nanoTime();
      if (first) {
        lead();
      } else {
        follow();
      }
      least = Math.min(least, (System.nanoTime() - start) / (2.0 * HOPS));
    }
    return least;
  }

  private void lead() {
    long n = done;
    for (int i = 0; i < HOPS; i++, n += 2) {
      WORD.setRelease(page, 0L, n + 1);
      while ((long) WORD.getAcquire(page, 0L) != n + 2) {
        // the other core's turn
      }
    }
    done = n;
  }

  private void follow() {
    long n = done;
    for (int i = 0; i < HOPS; i++, n += 2) {
      while ((long) WORD.getAcquire(page, 0L) != n + 1) {
        // the other core's turn
      }
      WORD.setRelease(page, 0L, n + 2);
    }
    done = n;
  }
}
