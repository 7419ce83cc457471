// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

/**
 * The result of one run of one implementation at one point.
 *
 * @param point the point
 * @param unit unit of the values
 * @param values one per repetition
 * @param hop half a round trip of one cache line between the cores of ranks 0 and 1 meanwhile, in ns; 0 when unknown
 * @param foreignPercent CPU time others used meanwhile, in per cent of one core, as precise as ticks allow
 * @param quiet whether that was little enough
 */
record Sample(Point point, String unit, double[] values, double hop, double foreignPercent, boolean quiet) {
  /** Makes a sample of the values measured between two readings of the CPU account. */
  static Sample between(CpuAccount.Reading from, CpuAccount.Reading to, BenchOptions o, Point point, String unit,
      double hop, double... values) {
    return new Sample(point, unit, values, hop, CpuAccount.foreignPercent(from, to),
        CpuAccount.within(from, to, o.maxForeign));
  }
}
