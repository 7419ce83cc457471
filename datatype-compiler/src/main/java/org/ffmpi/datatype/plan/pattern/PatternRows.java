// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.Arrays;

/**
 * Rows of copies of a pattern on their way into normal form. No row is empty, and a row that continues the one before
 * it is joined to that.
 *
 * @param displacements one for each row
 * @param counts copies in each row
 */
record PatternRows(long[] displacements, long[] counts) {

  static PatternRows of(long[] displacements, long[] counts, long stride) {
    long[] places = new long[counts.length];
    long[] copies = new long[counts.length];
    int rows = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 0) {
        continue;
      }
      int last = rows - 1;
      if (last >= 0
          && Math.addExact(places[last], Math.multiplyExact(copies[last], stride)) == displacements[i]) {
        copies[last] = Math.addExact(copies[last], counts[i]);
      } else {
        places[rows] = displacements[i];
        copies[rows++] = counts[i];
      }
    }
    return new PatternRows(Arrays.copyOf(places, rows), Arrays.copyOf(copies, rows));
  }

  int count() {
    return counts.length;
  }

  /** Returns the places of the rows from the first of them. */
  long[] relative() {
    long[] relative = new long[displacements.length];
    for (int i = 0; i < relative.length; i++) {
      relative[i] = Math.subtractExact(displacements[i], displacements[0]);
    }
    return relative;
  }

  /** Returns the loop that equals the rows when all are equal and equally distant; otherwise null. */
  PlacedPattern even(long stride, Pattern body) {
    long count = counts[0];
    for (long c : counts) {
      if (c != count) {
        return null;
      }
    }
    if (!Patterns.isRegular(displacements)) {
      return null;
    }
    Pattern row = Patterns.loop(count, stride, body);
    return new PlacedPattern(0, displacements.length == 1
        ? row
        : Patterns.loop(displacements.length, Math.subtractExact(displacements[1], displacements[0]), row));
  }

  /** Returns the list of all runs when the rows are short, so that the list is not much longer; else null. */
  PlacedPattern expanded(long stride, Pattern body) {
    if (body.runs > Patterns.FEW_RUNS) {
      return null;
    }
    long runs = 0;
    for (long c : counts) {
      runs += Math.min(c, Patterns.EXPANSION_LIMIT) * body.runs;
      if (runs > Patterns.EXPANSION_LIMIT) {
        return null;
      }
    }
    if (runs > (long) Patterns.FEW_RUNS * counts.length) {
      return null;
    }
    RunList list = new RunList();
    long first = displacements[0];
    for (int i = 0; i < counts.length; i++) {
      for (long c = 0; c < counts[i]; c++) {
        body.forEachRun(Math.subtractExact(displacements[i], first) + c * stride, list);
      }
    }
    return list.toPattern();
  }
}
