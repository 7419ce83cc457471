// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.SequenceLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The ring directory, which holds the place of the ring from each rank of a node to each other one. Ranks are counted
 * within the node.
 *
 * <pre>
 *   0         8                     8 · ranks
 *  +---------+---------+---------+---------+
 *  | 0 → 0   | 1 → 0   |    …    | n → 0   |   the rings to rank 0
 *  +---------+---------+---------+---------+
 *  | 0 → 1   | 1 → 1   |    …    | n → 1   |   the rings to rank 1
 *  +---------+---------+---------+---------+
 *  | …                                     |
 * </pre>
 *
 * <p>An entry is the segment offset of the ring, 0 while there is none. The sender writes it once, with release order,
 * after it has formatted the ring; the receiver reads it with acquire order, and checks it before it uses it.
 */
public final class RingDirectory {
  /** Bytes of one entry. */
  static final long ENTRY_BYTES = 8;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    private Shape() {}

    static SequenceLayout of(int ranks) {
      return sequenceLayout(ranks, sequenceLayout(ranks, JAVA_LONG));
    }
  }

  private RingDirectory() {}

  /** Returns the memory that the directory needs. */
  static long bytes(int ranks) {
    return ENTRY_BYTES * ranks * ranks;
  }

  /** Returns the offset of an entry in the directory. */
  static long entryOffset(int ranks, int from, int to) {
    return ENTRY_BYTES * ((long) to * ranks + from);
  }

  static long getAcquireEntry(long directory, int ranks, int from, int to) {
    return Raw.getAcquireLong(directory + entryOffset(ranks, from, to));
  }

  static void setReleaseEntry(long directory, int ranks, int from, int to, long offset) {
    Raw.putReleaseLong(directory + entryOffset(ranks, from, to), offset);
  }
}
