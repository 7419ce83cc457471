// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Locale;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.samples.show.Console;
import org.ffmpi.samples.show.ProgressBar;

/**
 * Finds the number whose way to 1 is longest, when even numbers are halved and odd ones become three times themselves
 * and one more (Collatz). Ranks take their work from a queue without a manager. A counter in a window of rank 0 has
 * the numbers that come next, and another word there the best result of all ranks.
 */
public final class Collatz {
  private static final String USAGE =
      """
      usage: collatz [--below N] [--chunk N]

        --below     looks at all numbers below this one; default 20000000
        --chunk     numbers that a rank takes at a time; default 20000
      """;

  /** Words of the window at rank 0. */
  private static final int NEXT = 0;
  private static final int BEST = 1;

  /** Below a length, {@code FIRST_WINS} less the number: of equal lengths the lowest number is the greatest word. */
  private static final int LENGTH_SHIFT = 40;
  private static final long FIRST_WINS = (1L << LENGTH_SHIFT) - 1;

  private Collatz() {}

  /**
   * Runs one rank.
   *
   * @param args see {@link #USAGE}
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      Console console = new Console("collatz", world);
      int[] given = console.options(USAGE, args, options -> new int[] {
        options.number("--below", 20_000_000, 2, Integer.MAX_VALUE), options.number("--chunk", 20_000, 1, 1 << 30)});
      if (given != null) {
        Found found = search(world, given[0], given[1], console.progress(given[0], "number"));
        console.print("longest way below %,d: from %,d in %,d steps%n", given[0], found.number, found.length);
        console.print("numbers of the ranks: %s%n", found.shares);
        console.check(found.looked == given[0] - 1, "%,d numbers have been looked at", found.looked);
        console.check(length(found.number) == found.length, "that way has %,d steps", length(found.number));
      }
    });
  }

  /**
   * The result of all ranks together.
   *
   * @param number the number with the longest way
   * @param length steps of its way
   * @param looked how many numbers have been examined
   * @param shares how many by each rank
   */
  record Found(long number, int length, long looked, String shares) {}

  /** Examines all numbers from 1 to below a limit; all ranks call this together. */
  static Found search(IntraComm comm, int below, int chunk, ProgressBar progress) {
    try (Win win = comm.winAllocate(comm.rank() == 0 ? 2 * Long.BYTES : 0, Long.BYTES)) {
      long looked = 0;
      long[] best = {0};
      try (Epoch _ = win.lockAll()) {
        while (true) {
          long first = 1 + win.fetchAndAdd(chunk, 0, NEXT);
          progress.show((int) Math.min(first, below));
          if (first >= below) {
            break;
          }
          long end = Math.min(below, first + chunk);
          for (long n = first; n < end; n++) {
            best[0] = Math.max(best[0], (long) length(n) << LENGTH_SHIFT | FIRST_WINS - n);
          }
          looked += end - first;
        }
        win.accumulate(Buf.of(best), 0, BEST, Op.MAX);
      }
      progress.clear();
      comm.barrier(); // all have given their best
      try (Epoch _ = win.lockAll()) {
        win.get(Buf.of(best), 0, BEST);
      }
      long[] shares = new long[comm.size()];
      comm.allgather(Buf.of(new long[] {looked}), Buf.of(shares));
      StringBuilder text = new StringBuilder();
      long all = 0;
      for (long share : shares) {
        text.append(text.isEmpty() ? "" : ", ").append(String.format(Locale.ROOT, "%,d", share));
        all += share;
      }
      return new Found(FIRST_WINS - (best[0] & FIRST_WINS), (int) (best[0] >>> LENGTH_SHIFT), all, text.toString());
    }
  }

  /** Returns how many steps lead from a number to 1. */
  static int length(long number) {
    int steps = 0;
    for (long n = number; n != 1; steps++) {
      n = (n & 1) == 0 ? n >> 1 : 3 * n + 1;
    }
    return steps;
  }
}
