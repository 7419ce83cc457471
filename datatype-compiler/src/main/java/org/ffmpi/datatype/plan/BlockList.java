// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.Arrays;

/** A growing list of byte runs in typemap order; a run that begins where the one before it ends is joined to it. */
final class BlockList {
  private static final int FIRST_CAPACITY = 4;

  private long[] displacements = new long[FIRST_CAPACITY];
  private long[] lengths = new long[FIRST_CAPACITY];
  private int count;

  /**
   * Appends a run.
   *
   * @param displacement bytes from the start of the element
   * @param length bytes; an empty run is dropped
   */
  void add(long displacement, long length) {
    if (length == 0) {
      return;
    }
    int last = count - 1;
    if (last >= 0 && displacements[last] + lengths[last] == displacement) {
      lengths[last] += length;
      return;
    }
    if (count == displacements.length) {
      displacements = Arrays.copyOf(displacements, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    displacements[count] = displacement;
    lengths[count] = length;
    count++;
  }

  int count() {
    return count;
  }

  long[] displacements() {
    return Arrays.copyOf(displacements, count);
  }

  long[] lengths() {
    return Arrays.copyOf(lengths, count);
  }
}
