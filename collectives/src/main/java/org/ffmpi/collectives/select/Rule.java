// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.select;

import org.ffmpi.collectives.algorithm.Algorithm;
import org.ffmpi.collectives.algorithm.Algorithms;
import org.ffmpi.spi.Collective;

/**
 * A line of the table that a {@link Selector} chooses by.
 *
 * @param collective the operation
 * @param fewestRanks smallest number of ranks the line is for
 * @param mostRanks largest number of ranks the line is for
 * @param mostBytes largest contribution the line is for, in bytes
 * @param algorithm the algorithm to use
 * @param setting name of the setting that the line comes from; null in the table itself
 */
record Rule(
    Collective collective, int fewestRanks, int mostRanks, long mostBytes, Algorithm algorithm, String setting) {
  private static final String UNITS = "KMG";

  static Rule of(Collective collective, int fewestRanks, int mostRanks, long mostBytes, String algorithm) {
    return new Rule(collective, fewestRanks, mostRanks, mostBytes, Algorithms.find(collective, algorithm), null);
  }

  boolean covers(int ranks, long bytes) {
    return ranks >= fewestRanks && ranks <= mostRanks && bytes <= mostBytes;
  }

  /** Returns the numbers of ranks the line is for, for people. */
  String ranks() {
    return mostRanks == Integer.MAX_VALUE ? fewestRanks + " or more" : fewestRanks + ".." + mostRanks;
  }

  /** Returns the lengths the line is for, for people. */
  String bytes() {
    return mostBytes == Long.MAX_VALUE ? "any" : "up to " + size(mostBytes);
  }

  @Override
  public String toString() {
    String from = setting == null ? "" : " (" + setting + ")";
    return String.format("%-20s %-12s %-14s %s%s", collective, ranks(), bytes(), algorithm.name(), from);
  }

  private static String size(long bytes) {
    int unit = -1;
    while (unit < UNITS.length() - 1 && bytes != 0 && bytes % 1024 == 0) {
      bytes /= 1024;
      unit++;
    }
    return unit < 0 ? Long.toString(bytes) : bytes + UNITS.substring(unit, unit + 1);
  }
}
