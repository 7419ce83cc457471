// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import org.ffmpi.base.raw.Raw;

/**
 * Table in a region slot of the blocks that a rank publishes.
 *
 * <pre>
 *   0          8          16
 *   +----------+----------+- ... -+-----------------------------------------------+
 *   | entries  | entry 0  |       | blocks, and 8 bytes for each that is not here |
 *   +----------+----------+- ... -+-----------------------------------------------+
 *   an entry: where it is, 2 bits | position, 14 bits | reader, 16 bits | bytes, 32 bits
 * </pre>
 *
 * <p>All words are plain: the sequence number of the slot, stored with release order, publishes them. A reader checks
 * what it reads.
 */
public final class BlockTableLayout {
  static final long ENTRIES_OFFSET = 0;

  /** Where the first entry begins. */
  public static final long FIRST_ENTRY_OFFSET = ENTRIES_OFFSET + 8;

  /** Length of an entry. */
  public static final long ENTRY_BYTES = 8;

  /** Length of the offset or address of a block that is not in the slot. */
  public static final long LOCATION_BYTES = 8;

  static final int WHERE_SHIFT = 62;
  static final int POSITION_SHIFT = 48;
  static final long POSITION_MASK = (1L << WHERE_SHIFT - POSITION_SHIFT) - 1;
  static final int READER_SHIFT = 32;
  static final int READER_MASK = 0xFFFF;
  static final long BYTES_MASK = 0xFFFF_FFFFL;

  private BlockTableLayout() {}

  /** Returns how many blocks a table can list in a slot of a capacity. */
  public static long mostEntries(long capacity) {
    return (capacity - FIRST_ENTRY_OFFSET) / (ENTRY_BYTES + LOCATION_BYTES);
  }

  /** Returns where the blocks of a table begin. */
  public static long blocksFrom(int entries) {
    return FIRST_ENTRY_OFFSET + entries * ENTRY_BYTES;
  }

  /** Returns the room of a block in the slot. */
  public static long aligned(long bytes) {
    return bytes + LOCATION_BYTES - 1 & -LOCATION_BYTES;
  }

  /** Returns the entry of a block. */
  public static long entry(int where, long position, int reader, long bytes) {
    return (long) where << WHERE_SHIFT | position << POSITION_SHIFT
        | (long) (reader & READER_MASK) << READER_SHIFT | bytes & BYTES_MASK;
  }

  public static int where(long entry) {
    return (int) (entry >>> WHERE_SHIFT);
  }

  public static long position(long entry) {
    return entry >>> POSITION_SHIFT & POSITION_MASK;
  }

  public static int reader(long entry) {
    return (int) (entry >>> READER_SHIFT & READER_MASK);
  }

  public static long bytes(long entry) {
    return entry & BYTES_MASK;
  }

  public static long getPlainEntries(long table) {
    return Raw.getLong(table + ENTRIES_OFFSET);
  }

  public static void setPlainEntries(long table, long entries) {
    Raw.putLong(table + ENTRIES_OFFSET, entries);
  }

  public static long getPlainEntry(long table, int index) {
    return Raw.getLong(table + FIRST_ENTRY_OFFSET + index * ENTRY_BYTES);
  }

  public static void setPlainEntry(long table, int index, long entry) {
    Raw.putLong(table + FIRST_ENTRY_OFFSET + index * ENTRY_BYTES, entry);
  }

  /** Reads the offset or address of a block that is not in the slot. */
  public static long getPlainLocation(long at) {
    return Raw.getLong(at);
  }

  public static void setPlainLocation(long at, long location) {
    Raw.putLong(at, location);
  }
}
