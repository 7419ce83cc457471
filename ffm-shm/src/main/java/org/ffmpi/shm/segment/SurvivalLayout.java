// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.ffmpi.shm.segment.JobLayout.LINE_PAIR;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The shared structures of a job that outlives its dead, behind the {@link RingDirectory}.
 *
 * <pre>
 *   0 | survives | lock |    1 when the job outlives its dead; rank + 1 of the holder of the table of agreements
 * 128 | agreements |         offset of the first {@linkplain org.ffmpi.shm.survive.AgreementLayout chunk}, 0: none
 * 256 | revoked |            offset of the first chunk of a {@link NumberLog}, 0: none
 * 384 | failed, for each rank |   rank + 1 of the first that has failed, of the second, …; 0 behind the last
 * </pre>
 *
 * <p>The list of failed ranks only grows, each entry is written once, and free entries are at the end. So all ranks see
 * the same order, and a number of failures identifies the failed ranks.
 */
public final class SurvivalLayout {
  static final long SURVIVES_OFFSET = 0;
  static final long LOCK_OFFSET = SURVIVES_OFFSET + 4;
  static final long AGREEMENTS_OFFSET = LINE_PAIR;
  static final long REVOKED_OFFSET = 2 * LINE_PAIR;
  static final long FAILED_OFFSET = 3 * LINE_PAIR;

  /** The same layout as data, for tests and tools; without the list. */
  static final class Shape {
    static final StructLayout LAYOUT =
        structLayout(
            JAVA_INT.withName("survives"),
            JAVA_INT.withName("lock"),
            paddingLayout(LINE_PAIR - 8),
            JAVA_LONG.withName("agreements"),
            paddingLayout(LINE_PAIR - 8),
            JAVA_LONG.withName("revoked"),
            paddingLayout(LINE_PAIR - 8),
            JAVA_INT.withName("failed"));

    private Shape() {}
  }

  private SurvivalLayout() {}

  static long bytes(int ranks) {
    return FAILED_OFFSET + (long) Integer.BYTES * ranks;
  }

  static int getPlainSurvives(long block) {
    return Raw.getInt(block + SURVIVES_OFFSET);
  }

  static void setPlainSurvives(long block, int survives) {
    Raw.putInt(block + SURVIVES_OFFSET, survives);
  }

  /**
   * Reads the holder of the lock of the table of agreements.
   *
   * @param block address of the block
   * @return rank + 1, or 0
   */
  public static int getAcquireLock(long block) {
    return Raw.getAcquireInt(block + LOCK_OFFSET);
  }

  /**
   * Acquires the lock, if need be from a rank that has failed.
   *
   * @param block address of the block
   * @param holder the expected holder, rank + 1, or 0
   * @param rank the new holder, rank + 1
   * @return true when the holder was the expected one
   */
  public static boolean casLock(long block, int holder, int rank) {
    return Raw.compareAndSetInt(block + LOCK_OFFSET, holder, rank);
  }

  /**
   * Releases the lock.
   *
   * @param block address of the block
   */
  public static void setReleaseLockFree(long block) {
    Raw.putReleaseInt(block + LOCK_OFFSET, 0);
  }

  /**
   * Returns the address of the word with the offset of the first chunk of agreements.
   *
   * @param block address of the block
   * @return absolute address
   */
  public static long agreementsAddress(long block) {
    return block + AGREEMENTS_OFFSET;
  }

  static long revokedAddress(long block) {
    return block + REVOKED_OFFSET;
  }

  /** Reads an entry of the list of failed ranks: rank + 1, or 0. */
  static int getAcquireFailed(long block, int index) {
    return Raw.getAcquireInt(block + FAILED_OFFSET + (long) Integer.BYTES * index);
  }

  /** Writes an entry of the list that is free. */
  static boolean casFailed(long block, int index, int rank) {
    return Raw.compareAndSetInt(block + FAILED_OFFSET + (long) Integer.BYTES * index, 0, rank);
  }
}
