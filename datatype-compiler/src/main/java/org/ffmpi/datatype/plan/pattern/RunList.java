// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.Arrays;

/** A growing list of byte runs in typemap order; a run that begins where the one before it ends is joined to it. */
public final class RunList implements RunSink {
  private static final int FIRST_CAPACITY = 4;

  private long[] displacements;
  private long[] lengths;
  private int count;

  public RunList() {
    this(FIRST_CAPACITY);
  }

  /** Creates a list with room for some runs; more of them make it grow. */
  RunList(int capacity) {
    displacements = new long[Math.max(1, capacity)];
    lengths = new long[displacements.length];
  }

  /** Appends a run; an empty one is dropped. */
  @Override
  public void run(long displacement, long bytes) {
    if (bytes == 0) {
      return;
    }
    int last = count - 1;
    if (last >= 0 && displacements[last] + lengths[last] == displacement) {
      lengths[last] = Math.addExact(lengths[last], bytes);
      return;
    }
    if (count == displacements.length) {
      displacements = Arrays.copyOf(displacements, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    displacements[count] = displacement;
    lengths[count] = bytes;
    count++;
  }

  public int count() {
    return count;
  }

  /**
   * Returns the simplest pattern of the runs in their order, or null when the list is empty. The list's own arrays
   * become the pattern's: it cannot be used any more.
   */
  public PlacedPattern toPattern() {
    if (count == 0) {
      return null;
    }
    long first = displacements[0];
    if (count == 1) {
      return new PlacedPattern(first, new BlockPattern(lengths[0]));
    }
    long[] places = fitted(displacements);
    long low = 0;
    long high = 0;
    boolean even = true;
    for (int i = 0; i < places.length; i++) {
      long place = Math.subtractExact(places[i], first);
      places[i] = place;
      low = Math.min(low, place);
      high = Math.max(high, Math.addExact(place, lengths[i]));
      even &= lengths[i] == lengths[0];
    }
    if (!even) {
      return new PlacedPattern(first, new RunsPattern(places, fitted(lengths), low, high));
    }
    if (Patterns.isRegular(places)) {
      return new PlacedPattern(first, Patterns.loop(count, places[1], new BlockPattern(lengths[0])));
    }
    return new PlacedPattern(first, new EqualRunsPattern(lengths[0], places, low, high));
  }

  private long[] fitted(long[] values) {
    return values.length == count ? values : Arrays.copyOf(values, count);
  }
}
