// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The head of the job segment, which the whole job shares.
 *
 * <pre>
 *   0                   8                  16                  24                  32
 *  +-------------------+---------+---------+-------------------+-------------------+
 *  | magic             | version | ranks   | limit             | launcher pid      |   line 0: written once
 *  +-------------------+---------+---------+-------------------+-------------------+
 *  | key               | local   | work    |
 * 128 | ended | code | rank | reasonBytes | shortage | failure |                       line 1: the end of the job
 * 256 | top               |                                                            line 2: bytes handed out
 * 384 | numbers           | call              |                                        line 3: next unused number
 * 512 | reason (UTF-8, 3584 bytes)                                                  |
 * 4096 rank blocks ({@link RankLayout}), one for every rank of the job, then the {@link RingDirectory} of this node's
 * ranks, a page for each of them with its account of its long waits and its work, one for all others, then the dynamic
 * area
 * </pre>
 *
 * <p>The offsets are literal sums, so that starting a rank loads no layout classes; {@link Shape} states the same as a
 * {@link StructLayout}, and a test holds the two together.
 */
public final class JobLayout {
  /** First word of a segment that is ready: "ffmpi" and a layout number. */
  public static final long MAGIC = 0x6666_6d70_6900_0001L;

  /** Version of every structure in the segment. */
  public static final int VERSION = 7;

  /** Bytes between two words that different processes write: two lines, since the prefetcher fetches pairs. */
  public static final long LINE_PAIR = 128;

  /** Bytes of a page: slabs are whole pages. */
  public static final long PAGE = 4096;

  /** More ranks need more bytes than a long counts. */
  private static final int MOST_RANKS = 1 << 28;

  static final long MAGIC_OFFSET = 0;
  static final long VERSION_OFFSET = MAGIC_OFFSET + 8;
  static final long RANKS_OFFSET = VERSION_OFFSET + 4;
  static final long LIMIT_OFFSET = RANKS_OFFSET + 4;
  static final long LAUNCHER_OFFSET = LIMIT_OFFSET + 8;
  static final long KEY_OFFSET = LAUNCHER_OFFSET + 8;
  static final long LOCAL_OFFSET = KEY_OFFSET + 8;
  static final long WORK_OFFSET = LOCAL_OFFSET + 4;
  static final long ENDED_OFFSET = LINE_PAIR;
  static final long CODE_OFFSET = ENDED_OFFSET + 4;
  static final long RANK_OFFSET = CODE_OFFSET + 4;
  static final long REASON_BYTES_OFFSET = RANK_OFFSET + 4;
  static final long SHORTAGE_OFFSET = REASON_BYTES_OFFSET + 4;
  static final long FAILURE_OFFSET = SHORTAGE_OFFSET + 4;
  static final long TOP_OFFSET = 2 * LINE_PAIR;
  static final long NUMBERS_OFFSET = 3 * LINE_PAIR;
  static final long CALL_OFFSET = NUMBERS_OFFSET + 8;
  static final long REASON_OFFSET = 4 * LINE_PAIR;
  static final int REASON_CAPACITY = (int) (PAGE - REASON_OFFSET);

  /** Bytes of the whole head. */
  public static final long BYTES = PAGE;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout LAYOUT =
        structLayout(
            JAVA_LONG.withName("magic"),
            JAVA_INT.withName("version"),
            JAVA_INT.withName("ranks"),
            JAVA_LONG.withName("limit"),
            JAVA_LONG.withName("launcher"),
            JAVA_LONG.withName("key"),
            JAVA_INT.withName("local"),
            JAVA_INT.withName("work"),
            paddingLayout(LINE_PAIR - 48),
            JAVA_INT.withName("ended"),
            JAVA_INT.withName("code"),
            JAVA_INT.withName("rank"),
            JAVA_INT.withName("reasonBytes"),
            JAVA_INT.withName("shortage"),
            JAVA_INT.withName("failure"),
            paddingLayout(LINE_PAIR - 24),
            JAVA_LONG.withName("top"),
            paddingLayout(LINE_PAIR - 8),
            JAVA_LONG.withName("numbers"),
            JAVA_LONG.withName("call"),
            paddingLayout(LINE_PAIR - 16),
            sequenceLayout(REASON_CAPACITY, JAVA_BYTE).withName("reason"));

    private Shape() {}
  }

  private JobLayout() {}

  // ---- the fixed part behind the head

  static long rankBlock(long base, int rank) {
    return base + BYTES + rank * RankLayout.BYTES;
  }

  static long directory(long base, int ranks) {
    return base + BYTES + ranks * RankLayout.BYTES;
  }

  static long survivalOffset(int ranks, int local) {
    return (directory(0, ranks) + RingDirectory.bytes(local) + LINE_PAIR - 1) & -LINE_PAIR;
  }

  /**
   * Returns the page of a rank's account.
   *
   * @param index the rank's number among those of this node; any other number stands for a rank of another node
   */
  static long accountBlock(long base, int ranks, int local, int index) {
    int page = index < 0 || index > local ? local : index;
    long pages = survivalOffset(ranks, local) + SurvivalLayout.bytes(ranks) + LINE_PAIR - 1 & -LINE_PAIR;
    return base + pages + page * PAGE;
  }

  /**
   * Returns the bytes of head and fixed part, in whole pages; at most the largest page-aligned long.
   *
   * @param ranks ranks of the job
   * @param local ranks of this node
   */
  static long fixedBytes(int ranks, int local) {
    if (ranks > MOST_RANKS) {
      return Long.MAX_VALUE & -PAGE;
    }
    return pages(accountBlock(0, ranks, local, local) + (local < ranks ? PAGE : 0));
  }

  static long pages(long bytes) {
    return (bytes + PAGE - 1) & -PAGE;
  }

  // ---- the head

  static long getAcquireMagic(long base) {
    return Raw.getAcquireLong(base + MAGIC_OFFSET);
  }

  static void setReleaseMagic(long base, long magic) {
    Raw.putReleaseLong(base + MAGIC_OFFSET, magic);
  }

  static int getPlainVersion(long base) {
    return Raw.getInt(base + VERSION_OFFSET);
  }

  static int getPlainRanks(long base) {
    return Raw.getInt(base + RANKS_OFFSET);
  }

  static long getPlainLimit(long base) {
    return Raw.getLong(base + LIMIT_OFFSET);
  }

  static int getPlainLocal(long base) {
    return Raw.getInt(base + LOCAL_OFFSET);
  }

  static int getPlainWork(long base) {
    return Raw.getInt(base + WORK_OFFSET);
  }

  static void setPlainWork(long base, int work) {
    Raw.putInt(base + WORK_OFFSET, work);
  }

  static void setPlainFacts(long base, int ranks, int local, long limit, long launcherPid, long key) {
    Raw.putInt(base + VERSION_OFFSET, VERSION);
    Raw.putInt(base + RANKS_OFFSET, ranks);
    Raw.putInt(base + LOCAL_OFFSET, local);
    Raw.putLong(base + LIMIT_OFFSET, limit);
    Raw.putLong(base + LAUNCHER_OFFSET, launcherPid);
    Raw.putLong(base + KEY_OFFSET, key);
  }

  static long getPlainKey(long base) {
    return Raw.getLong(base + KEY_OFFSET);
  }

  static int getAcquireEnded(long base) {
    return Raw.getAcquireInt(base + ENDED_OFFSET);
  }

  static boolean casEnded(long base, int expected, int value) {
    return Raw.compareAndSetInt(base + ENDED_OFFSET, expected, value);
  }

  static void setVolatileEnded(long base, int value) {
    Raw.putVolatileInt(base + ENDED_OFFSET, value);
  }

  static int getAcquireShortage(long base) {
    return Raw.getAcquireInt(base + SHORTAGE_OFFSET);
  }

  static boolean casShortage(long base, int expected, int value) {
    return Raw.compareAndSetInt(base + SHORTAGE_OFFSET, expected, value);
  }

  static int getAcquireFailure(long base) {
    return Raw.getAcquireInt(base + FAILURE_OFFSET);
  }

  static boolean casFailure(long base, int expected, int value) {
    return Raw.compareAndSetInt(base + FAILURE_OFFSET, expected, value);
  }

  /** Writes the reason of the job's end, between {@link #casEnded} and {@link #setVolatileEnded}. */
  static void setPlainReason(long base, int code, int rank, byte[] reason, int bytes) {
    for (int i = 0; i < bytes; i++) {
      Raw.putByte(base + REASON_OFFSET + i, reason[i]);
    }
    Raw.putInt(base + CODE_OFFSET, code);
    Raw.putInt(base + RANK_OFFSET, rank);
    Raw.putInt(base + REASON_BYTES_OFFSET, bytes);
  }

  static int getPlainCode(long base) {
    return Raw.getInt(base + CODE_OFFSET);
  }

  static int getPlainRank(long base) {
    return Raw.getInt(base + RANK_OFFSET);
  }

  /** Returns a copy of the reason; a length that is out of bounds is clamped. */
  static byte[] getPlainReason(long base) {
    int bytes = Math.clamp(Raw.getInt(base + REASON_BYTES_OFFSET), 0, REASON_CAPACITY);
    byte[] reason = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      reason[i] = Raw.getByte(base + REASON_OFFSET + i);
    }
    return reason;
  }

  static long getAndAddTop(long base, long bytes) {
    return Raw.getAndAddLong(base + TOP_OFFSET, bytes);
  }

  static boolean casTop(long base, long expected, long value) {
    return Raw.compareAndSetLong(base + TOP_OFFSET, expected, value);
  }

  /** Returns the number of a port at which a rank waits for the launcher; 0: none. */
  static long getAcquireCall(long base) {
    return Raw.getAcquireLong(base + CALL_OFFSET);
  }

  static boolean casCall(long base, long expected, long port) {
    return Raw.compareAndSetLong(base + CALL_OFFSET, expected, port);
  }

  static long getVolatileTop(long base) {
    return Raw.getVolatileLong(base + TOP_OFFSET);
  }

  static long getVolatileNumbers(long base) {
    return Raw.getVolatileLong(base + NUMBERS_OFFSET);
  }

  static long getAndAddNumbers(long base, long count) {
    return Raw.getAndAddLong(base + NUMBERS_OFFSET, count);
  }
}
