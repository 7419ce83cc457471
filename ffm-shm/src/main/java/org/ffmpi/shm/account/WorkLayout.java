// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.account;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The report of a rank's program on its work, behind the account in the rank's page of the segment. The rank writes it,
 * a launcher reads it.
 *
 * <pre>
 *    0         4         8         16        24        32
 *   +---------+---------+---------+---------+---------+---------+
 *   | version | pad     | done    | total   | since   | at      |
 *   +---------+---------+---------+---------+---------+---------+
 *   40 | what, 88 bytes of UTF-8, padded with zeros |
 *  128
 * </pre>
 *
 * <p>{@code version} is 0 before the first report, odd while one is being written, and changes with each.
 */
final class WorkLayout {
  /** Where it begins in the page: the line pair after the account, whose lines have other readers. */
  static final long PLACE = (AccountLayout.BYTES + 255) & -128;

  static final long VERSION_OFFSET = 0;
  static final long DONE_OFFSET = VERSION_OFFSET + 8;
  static final long TOTAL_OFFSET = DONE_OFFSET + 8;
  static final long SINCE_OFFSET = TOTAL_OFFSET + 8;
  static final long AT_OFFSET = SINCE_OFFSET + 8;
  static final long WHAT_OFFSET = AT_OFFSET + 8;
  static final int WHAT_BYTES = 88;
  static final long BYTES = WHAT_OFFSET + WHAT_BYTES;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout LAYOUT = structLayout(
        JAVA_INT.withName("version"), paddingLayout(4), JAVA_LONG.withName("done"), JAVA_LONG.withName("total"),
        JAVA_LONG.withName("since"), JAVA_LONG.withName("at"),
        sequenceLayout(WHAT_BYTES, JAVA_BYTE).withName("what"));

    private Shape() {}
  }

  private WorkLayout() {}

  static int getAcquireVersion(long work) {
    return Raw.getAcquireInt(work + VERSION_OFFSET);
  }

  static int getOpaqueVersion(long work) {
    return Raw.getOpaqueInt(work + VERSION_OFFSET);
  }

  static void setOpaqueVersion(long work, int version) {
    Raw.putOpaqueInt(work + VERSION_OFFSET, version);
  }

  static void setReleaseVersion(long work, int version) {
    Raw.putReleaseInt(work + VERSION_OFFSET, version);
  }

  static long getOpaqueDone(long work) {
    return Raw.getOpaqueLong(work + DONE_OFFSET);
  }

  static long getOpaqueTotal(long work) {
    return Raw.getOpaqueLong(work + TOTAL_OFFSET);
  }

  static long getOpaqueSince(long work) {
    return Raw.getOpaqueLong(work + SINCE_OFFSET);
  }

  static long getOpaqueAt(long work) {
    return Raw.getOpaqueLong(work + AT_OFFSET);
  }

  static void setOpaqueNumbers(long work, long done, long total, long since, long at) {
    Raw.putOpaqueLong(work + DONE_OFFSET, done);
    Raw.putOpaqueLong(work + TOTAL_OFFSET, total);
    Raw.putOpaqueLong(work + SINCE_OFFSET, since);
    Raw.putOpaqueLong(work + AT_OFFSET, at);
  }
}
