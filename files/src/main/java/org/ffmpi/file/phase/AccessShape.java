// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.phase;

import java.util.stream.IntStream;
import org.ffmpi.file.view.FilePlaces;

/**
 * The shape of a collective access, with the span of the file and its windows. The same at all ranks, since it is made
 * of words that all have exchanged. Immutable.
 */
final class AccessShape {
  /** The words that each rank sends to the others. */
  private static final int START = 0;
  private static final int END = 1;
  private static final int BYTES = 2;
  private static final int FLAGS = 3;
  private static final int RUN = 4;
  /** Those of rank 0 count, should the ranks have different hints. */
  private static final int BUFFERING = 5;
  private static final int NODES = 6;
  private static final int BUFFER = 7;
  private static final int WORDS = 8;

  private static final long ASCENDING = 1;
  private static final long READABLE = 2;
  private static final long KNOWN = 4;

  /** Runs of so many bytes are accessed by their own rank: an exchange costs more than the calls that it saves. */
  private static final long LONG_RUN_READ = 8 << 10;

  private static final long LONG_RUN_WRITTEN = 32 << 10;

  /** The ranks do not exchange when so small a part of what lies between first and last byte is accessed. */
  private static final long SPARSE = 16;

  private static final long PAGE = 4096;
  private static final long SMALLEST_WINDOW = 64 << 10;

  /** Places of the first byte that any rank accesses, and of the first behind the last. */
  final long low;
  final long high;
  /** The place that windows are counted from, their size, and how many there are. */
  final long origin;
  final long window;
  final long windows;
  /** How many ranks access the file, and how often. */
  final int aggregators;
  final long rounds;
  final boolean exchanges;
  /** The largest size of a window. */
  final long bufferBytes;
  /** Whether some rank does not know yet whether the views are apart. */
  final boolean isUnknown;

  private AccessShape(long[] all, int ranks, boolean writes) {
    int nodes = (int) all[NODES];
    long lowest = Long.MAX_VALUE;
    long highest = Long.MIN_VALUE;
    long bytes = 0;
    long flags = -1;
    long run = Long.MAX_VALUE;
    for (int r = 0; r < ranks; r++) {
      long own = all[r * WORDS + BYTES];
      flags &= all[r * WORDS + FLAGS];
      if (own > 0) {
        lowest = Math.min(lowest, all[r * WORDS + START]);
        highest = Math.max(highest, all[r * WORDS + END]);
        bytes += own;
        run = Math.min(run, all[r * WORDS + RUN]);
      }
    }
    boolean possible = bytes > 0 && (flags & ASCENDING) != 0 && (!writes || (flags & READABLE) != 0);
    bufferBytes = all[BUFFER];
    exchanges = possible && switch (PhaseHints.Buffering.values()[(int) all[BUFFERING]]) {
      case NEVER -> false;
      case ALWAYS -> true;
      case AUTOMATIC -> run < (writes ? LONG_RUN_WRITTEN : LONG_RUN_READ) && (highest - lowest) / SPARSE < bytes
          && interleave(all, ranks);
    };
    low = lowest;
    high = highest;
    isUnknown = (flags & KNOWN) == 0;
    aggregators = nodes == 0 ? ranks : Math.min(nodes, ranks);
    origin = exchanges ? low / PAGE * PAGE : 0;
    long span = exchanges ? high - origin : 0;
    long even = Math.ceilDiv(Math.ceilDiv(span, aggregators), PAGE) * PAGE;
    window = Math.min(bufferBytes, Math.max(SMALLEST_WINDOW, even));
    windows = Math.ceilDiv(span, window);
    rounds = Math.ceilDiv(windows, aggregators);
  }

  /** Returns the words of one rank. */
  static long[] words(
      FilePlaces view, long from, long bytes, boolean readable, boolean known, PhaseHints hints) {
    long[] words = new long[WORDS];
    words[BUFFERING] = hints.buffering().ordinal();
    words[NODES] = hints.nodes();
    words[BUFFER] = hints.bufferBytes();
    words[BYTES] = bytes;
    words[FLAGS] = (view.isAscending() || bytes == 0 ? ASCENDING : 0) | (readable ? READABLE : 0) | (known ? KNOWN : 0);
    if (bytes > 0) {
      words[START] = view.place(from);
      words[END] = view.place(from + bytes - 1) + 1;
      words[RUN] = view.meanRun();
    }
    return words;
  }

  /** Returns the shape that the words of all ranks make. */
  static AccessShape of(long[] all, int ranks, boolean writes) {
    return new AccessShape(all, ranks, writes);
  }

  /** Returns whether the spans of two ranks overlap. */
  private static boolean interleave(long[] all, int ranks) {
    int[] byStart = IntStream.range(0, ranks).filter(r -> all[r * WORDS + BYTES] > 0).boxed()
        .sorted((a, b) -> Long.compare(all[a * WORDS + START], all[b * WORDS + START])).mapToInt(r -> r).toArray();
    for (int i = 1; i < byStart.length; i++) {
      if (all[byStart[i] * WORDS + START] < all[byStart[i - 1] * WORDS + END]) {
        return true;
      }
    }
    return false;
  }

  /** Returns where a window begins that is accessed in a round; the end of all for those behind the last. */
  long begin(long round, int aggregator) {
    return Math.clamp(origin + (round * aggregators + aggregator) * window, low, high);
  }
}
