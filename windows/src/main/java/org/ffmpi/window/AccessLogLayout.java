// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The table of {@link AccessLog} for one target: accesses of all ranks that are not complete.
 *
 * <pre>
 *   0            8            16          20          24           64            96
 *  +------------+------------+-----------+-----------+------------+-------------+-------------+--
 *  | holder     | length     | last      | quiet     |            | entry 0     | entry 1     | …
 *  +------------+------------+-----------+-----------+------------+-------------+-------------+--
 *
 *  an entry
 *   0         4         8         12        16             24             32
 *  +---------+---------+---------+---------+--------------+--------------+
 *  | rank    | kind    | epoch   | serial  | first        | end          |
 *  +---------+---------+---------+---------+--------------+--------------+
 * </pre>
 *
 * <p>{@code holder} is a lock as in {@link StripeLayout} and guards all else, which is plain. {@code length} counts the
 * entries in use. {@code last} is the number of the epoch of the last access, and {@code quiet} that of the last epoch
 * without puts, as the owner has promised; both begin with 1. Fences lie between their stores and their reads. An entry
 * has the origin's rank, the kind of the access with its operation, the number of the epoch between two fences, the
 * number of the access at its origin, and the first position of the access and the one after its last.
 */
final class AccessLogLayout {
  static final long HOLDER_OFFSET = StripeLayout.HOLDER_OFFSET;
  static final long LENGTH_OFFSET = HOLDER_OFFSET + 8;
  static final long LAST_OFFSET = LENGTH_OFFSET + 8;
  static final long QUIET_OFFSET = LAST_OFFSET + 4;
  static final long ENTRIES_OFFSET = 64;

  static final long RANK_OFFSET = 0;
  static final long KIND_OFFSET = RANK_OFFSET + 4;
  static final long EPOCH_OFFSET = KIND_OFFSET + 4;
  static final long SERIAL_OFFSET = EPOCH_OFFSET + 4;
  static final long FIRST_OFFSET = SERIAL_OFFSET + 4;
  static final long END_OFFSET = FIRST_OFFSET + 8;

  /** Length of an entry. */
  static final long ENTRY_BYTES = END_OFFSET + 8;

  /** Most entries of a table. */
  static final int CAPACITY = 512;

  /** Length of a table. */
  static final long BYTES = ENTRIES_OFFSET + CAPACITY * ENTRY_BYTES;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout HEAD = structLayout(
        JAVA_LONG.withName("holder"), JAVA_LONG.withName("length"), JAVA_INT.withName("last"),
        JAVA_INT.withName("quiet"), paddingLayout(ENTRIES_OFFSET - 24));
    static final StructLayout ENTRY = structLayout(
        JAVA_INT.withName("rank"), JAVA_INT.withName("kind"), JAVA_INT.withName("epoch"),
        JAVA_INT.withName("serial"), JAVA_LONG.withName("first"), JAVA_LONG.withName("end"));

    private Shape() {}
  }

  private AccessLogLayout() {}

  static long getPlainLength(long log) {
    return Raw.getLong(log + LENGTH_OFFSET);
  }

  static void setPlainLength(long log, long length) {
    Raw.putLong(log + LENGTH_OFFSET, length);
  }

  static int getPlainLast(long log) {
    return Raw.getInt(log + LAST_OFFSET);
  }

  static void setPlainLast(long log, int epoch) {
    Raw.putInt(log + LAST_OFFSET, epoch);
  }

  static int getPlainQuiet(long log) {
    return Raw.getInt(log + QUIET_OFFSET);
  }

  static void setPlainQuiet(long log, int epoch) {
    Raw.putInt(log + QUIET_OFFSET, epoch);
  }

  static long entryAddress(long log, long index) {
    return log + ENTRIES_OFFSET + index * ENTRY_BYTES;
  }

  static void setPlainEntry(long entry, int rank, int kind, int epoch, int serial, long first, long end) {
    Raw.putInt(entry + RANK_OFFSET, rank);
    Raw.putInt(entry + KIND_OFFSET, kind);
    Raw.putInt(entry + EPOCH_OFFSET, epoch);
    Raw.putInt(entry + SERIAL_OFFSET, serial);
    Raw.putLong(entry + FIRST_OFFSET, first);
    Raw.putLong(entry + END_OFFSET, end);
  }

  static int getPlainRank(long entry) {
    return Raw.getInt(entry + RANK_OFFSET);
  }

  static int getPlainKind(long entry) {
    return Raw.getInt(entry + KIND_OFFSET);
  }

  static int getPlainEpoch(long entry) {
    return Raw.getInt(entry + EPOCH_OFFSET);
  }

  static int getPlainSerial(long entry) {
    return Raw.getInt(entry + SERIAL_OFFSET);
  }

  static long getPlainFirst(long entry) {
    return Raw.getLong(entry + FIRST_OFFSET);
  }

  static long getPlainEnd(long entry) {
    return Raw.getLong(entry + END_OFFSET);
  }
}
