// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The table in which a rank publishes the memory that it has attached to a dynamic window: entries in ascending order
 * of their addresses.
 *
 * <pre>
 *  an entry
 *   0           8           16          24
 *  +-----------+-----------+-----------+
 *  | address   | bytes     | offset    |
 *  +-----------+-----------+-----------+
 * </pre>
 *
 * <p>{@code address} is that of the memory in its owner's process, {@code offset} its place in shared memory or {@link
 * org.ffmpi.spi.SharedMemory#NOT_SHARED}. All words are plain: the version in {@link SyncLayout} shows a reader whether
 * the table has changed meanwhile.
 */
final class AttachmentTableLayout {
  static final long ADDRESS_OFFSET = 0;
  static final long BYTES_OFFSET = ADDRESS_OFFSET + 8;
  static final long OFFSET_OFFSET = BYTES_OFFSET + 8;

  /** Length of an entry. */
  static final long ENTRY_BYTES = OFFSET_OFFSET + 8;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout ENTRY =
        structLayout(JAVA_LONG.withName("address"), JAVA_LONG.withName("bytes"), JAVA_LONG.withName("offset"));

    private Shape() {}
  }

  private AttachmentTableLayout() {}

  /** Returns the length of a table. */
  static long bytes(long entries) {
    return entries * ENTRY_BYTES;
  }

  static long entryAddress(long table, long index) {
    return table + index * ENTRY_BYTES;
  }

  static void setPlainEntry(long entry, long address, long bytes, long offset) {
    Raw.putLong(entry + ADDRESS_OFFSET, address);
    Raw.putLong(entry + BYTES_OFFSET, bytes);
    Raw.putLong(entry + OFFSET_OFFSET, offset);
  }

  static long getPlainAddress(long entry) {
    return Raw.getLong(entry + ADDRESS_OFFSET);
  }

  static long getPlainBytes(long entry) {
    return Raw.getLong(entry + BYTES_OFFSET);
  }

  static long getPlainOffset(long entry) {
    return Raw.getLong(entry + OFFSET_OFFSET);
  }
}
