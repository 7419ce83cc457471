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
 * One rank's block, which the other ranks read.
 *
 * <pre>
 *   0 | state | exit  | pid | endConfirmed | index | job | born | home |
 *                                                   line 0: written by the rank, and by the launcher at its end
 * 128 | wait  |                                     line 1: 1 while the rank sleeps and has to be woken
 * 256 | rings |                                     line 2: number of senders that have opened a ring to this rank
 * 384 | pressure |                                  line 3: 1 while unexpected payload exceeds its bound
 * 512
 * </pre>
 */
public final class RankLayout {
  /** The rank has not joined yet. */
  public static final int EMPTY = 0;

  /** The rank takes part. */
  public static final int JOINED = 1;

  /** The rank finalizes: it starts no operation, and completes those that it has started. */
  public static final int LEAVING = 2;

  /** The rank has finalized; its last records lie in its rings. */
  public static final int FINALIZED = 3;

  /** The rank ended without finalizing, or its body failed. */
  public static final int DEAD = 4;

  static final long STATE_OFFSET = 0;
  static final long EXIT_OFFSET = STATE_OFFSET + 4;
  static final long PID_OFFSET = EXIT_OFFSET + 4;
  static final long END_CONFIRMED_OFFSET = PID_OFFSET + 8;
  static final long INDEX_OFFSET = END_CONFIRMED_OFFSET + 4;
  static final long JOB_OFFSET = INDEX_OFFSET + 4;
  static final long BORN_OFFSET = JOB_OFFSET + 8;
  static final long HOME_OFFSET = BORN_OFFSET + 8;
  static final long WAIT_OFFSET = LINE_PAIR;
  static final long RINGS_OFFSET = 2 * LINE_PAIR;
  static final long PRESSURE_OFFSET = 3 * LINE_PAIR;

  /** Bytes of one block. */
  public static final long BYTES = 4 * LINE_PAIR;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout LAYOUT =
        structLayout(
            JAVA_INT.withName("state"),
            JAVA_INT.withName("exit"),
            JAVA_LONG.withName("pid"),
            JAVA_INT.withName("endConfirmed"),
            JAVA_INT.withName("index"),
            JAVA_LONG.withName("job"),
            JAVA_LONG.withName("born"),
            JAVA_INT.withName("home"),
            paddingLayout(LINE_PAIR - 44),
            JAVA_INT.withName("wait"),
            paddingLayout(LINE_PAIR - 4),
            JAVA_INT.withName("rings"),
            paddingLayout(LINE_PAIR - 4),
            JAVA_INT.withName("pressure"),
            paddingLayout(LINE_PAIR - 4));

    private Shape() {}
  }

  private RankLayout() {}

  static int getAcquireState(long block) {
    return Raw.getAcquireInt(block + STATE_OFFSET);
  }

  static void setVolatileState(long block, int state) {
    Raw.putVolatileInt(block + STATE_OFFSET, state);
  }

  static boolean casState(long block, int expected, int state) {
    return Raw.compareAndSetInt(block + STATE_OFFSET, expected, state);
  }

  static void setPlainExit(long block, int exit) {
    Raw.putInt(block + EXIT_OFFSET, exit);
  }

  static boolean casPid(long block, long expected, long pid) {
    return Raw.compareAndSetLong(block + PID_OFFSET, expected, pid);
  }

  static long getPlainPid(long block) {
    return Raw.getLong(block + PID_OFFSET);
  }

  /** Returns the rank's number among those of this node, from 0; -1 for a rank of another node. */
  static int getPlainIndex(long block) {
    return Raw.getInt(block + INDEX_OFFSET) - 1;
  }

  /** Sets the number; a zeroed block is that of a rank of another node. */
  static void setPlainIndex(long block, int index) {
    Raw.putInt(block + INDEX_OFFSET, index + 1);
  }

  /** Returns the key of the job that a process of a meeting comes from; 0 in the memory of a job. */
  static long getPlainJob(long block) {
    return Raw.getLong(block + JOB_OFFSET);
  }

  /** Returns the rank in that job. */
  static int getPlainHome(long block) {
    return Raw.getInt(block + HOME_OFFSET);
  }

  /** Returns when the process began, in the kernel's ticks; 0 when nobody has to look whether it lives. */
  static long getPlainBorn(long block) {
    return Raw.getLong(block + BORN_OFFSET);
  }

  /** Sets where a process of a meeting comes from, before it joins. */
  static void setPlainOrigin(long block, long job, int home, long born) {
    Raw.putLong(block + JOB_OFFSET, job);
    Raw.putInt(block + HOME_OFFSET, home);
    Raw.putLong(block + BORN_OFFSET, born);
  }

  static int getAcquireEndConfirmed(long block) {
    return Raw.getAcquireInt(block + END_CONFIRMED_OFFSET);
  }

  static void setReleaseEndConfirmed(long block) {
    Raw.putReleaseInt(block + END_CONFIRMED_OFFSET, 1);
  }

  /**
   * Reads the wait word, in program order with other opaque accesses.
   *
   * @param block address of the rank's block
   * @return 1 while the rank sleeps
   */
  public static int getOpaqueWait(long block) {
    return Raw.getOpaqueInt(block + WAIT_OFFSET);
  }

  /**
   * Announces or withdraws sleep, followed by a full fence.
   *
   * @param block address of the rank's block
   * @param value 1 to announce, 0 to withdraw
   */
  public static void setVolatileWait(long block, int value) {
    Raw.putVolatileInt(block + WAIT_OFFSET, value);
  }

  /**
   * Claims the duty to wake the rank.
   *
   * @param block address of the rank's block
   * @return true when this caller has claimed it and must wake
   */
  public static boolean casWaitToAwake(long block) {
    return Raw.compareAndSetInt(block + WAIT_OFFSET, 1, 0);
  }

  /**
   * Returns the wait word's address, for the futex call.
   *
   * @param block address of the rank's block
   * @return absolute address of the word
   */
  public static long waitAddress(long block) {
    return block + WAIT_OFFSET;
  }

  /**
   * Reads the number of senders that have opened a ring to this rank.
   *
   * @param block address of the rank's block
   * @return the number of opened rings
   */
  public static int getAcquireRings(long block) {
    return Raw.getAcquireInt(block + RINGS_OFFSET);
  }

  /**
   * Counts one more opened ring, after its directory entry was stored.
   *
   * @param block address of the rank's block
   */
  public static void incrementRings(long block) {
    Raw.getAndAddInt(block + RINGS_OFFSET, 1);
  }

  /**
   * Reads whether the rank asks senders to keep their payload.
   *
   * @param block address of the rank's block
   * @return 1 while unexpected payload is over its bound
   */
  public static int getOpaquePressure(long block) {
    return Raw.getOpaqueInt(block + PRESSURE_OFFSET);
  }

  /**
   * Asks senders to keep their payload, or allows them to send it. A sender may see the word late, so that the payload
   * may exceed its bound by the content of the rings.
   *
   * @param block address of the rank's block
   * @param value 1 or 0
   */
  public static void setOpaquePressure(long block, int value) {
    Raw.putOpaqueInt(block + PRESSURE_OFFSET, value);
  }
}
