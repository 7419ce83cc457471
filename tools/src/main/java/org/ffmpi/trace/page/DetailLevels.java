// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

import org.ffmpi.trace.analysis.CallWaits;
import org.ffmpi.trace.analysis.JobLane;
import org.ffmpi.trace.analysis.JobLanes;

/**
 * The looks of a lane from afar. The time of the job is cut into bins, coarser and finer, and for each bin it is known
 * which part is spent in calls of each colour. The page draws bins where calls are narrower than pixels.
 */
final class DetailLevels {
  /** Bins of the coarsest level: fewer than the pixels of a narrow window have, so that it serves the overview too. */
  static final int COARSEST = 512;

  /** How many times more bins the next finer level has. */
  static final int STEP = 4;

  /** Bins of the finest level, of which a screen shows a fiftieth: nearer than that, calls are drawn. */
  private static final int FINEST = 1 << 17;

  private static final int FULL = 255;

  private DetailLevels() {}

  /** Returns the numbers of bins of the levels, the coarsest first, for lanes of up to so many calls. */
  static int[] sizes(int calls) {
    int levels = 1;
    for (long bins = COARSEST; bins * STEP <= FINEST && bins * STEP < calls; bins *= STEP) {
      levels++;
    }
    int[] sizes = new int[levels];
    for (int i = 0; i < levels; i++) {
      sizes[i] = COARSEST << 2 * i;
    }
    return sizes;
  }

  /** Writes the bins of all levels of a lane, colour by colour, each part of a bin in 255ths. */
  static void write(JobLanes lanes, int place, CallWaits waits, int[] sizes, Columns columns) {
    int colors = CallColor.values().length;
    int finest = sizes[sizes.length - 1];
    double[][] bins = new double[colors][finest];
    JobLane lane = lanes.get(place);
    double perNano = finest / (double) Math.max(1, lanes.end() - lanes.start());
    for (int i = 0; i < lane.size(); i++) {
      double start = (lane.start(i) - lanes.start()) * perNano;
      double end = (lane.end(i) - lanes.start()) * perNano;
      double waited = Math.min(end, start + waits.waited(place, i) * perNano);
      add(bins[CallColor.WAITING.ordinal()], start, waited);
      add(bins[CallColor.of(lane.call(i).kind()).ordinal()], waited, end);
    }
    for (int level = 0; level < sizes.length; level++) {
      int together = finest / sizes[level];
      for (double[] color : bins) {
        for (int bin = 0; bin < sizes[level]; bin++) {
          double sum = 0;
          for (int i = bin * together; i < (bin + 1) * together; i++) {
            sum += color[i];
          }
          columns.addByte((int) Math.ceil(Math.min(1, sum / together) * FULL));
        }
      }
    }
  }

  private static void add(double[] bins, double start, double end) {
    int first = (int) start;
    int last = Math.min((int) end, bins.length - 1);
    if (first >= last) {
      bins[Math.min(first, bins.length - 1)] += end - start;
      return;
    }
    bins[first] += first + 1 - start;
    for (int bin = first + 1; bin < last; bin++) {
      bins[bin]++;
    }
    bins[last] += end - last;
  }
}
