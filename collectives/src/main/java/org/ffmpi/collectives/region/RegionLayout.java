// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The memory layout of a {@link Region}.
 *
 * <pre>
 *    0 | left |                                        counted up by each rank that needs the region no more
 *    4 | waiting |                                     the rank that sleeps until its slot is free
 *  128 | part of rank 0 | part of rank 1 | …
 *
 *  a rank's part, which that rank alone writes
 *    0 | finished |                                    the last collective up to which this rank has finished all
 *    8 | gone |                                        1 when this rank needs the region no more
 *   64 | failed, for each slot |                       the last that this rank will never contribute to
 *  128 | elsewhere, for each slot |                    the last in which this rank sends messages instead
 *  192 | call, for each slot |                         the low half of the last number, and this rank's call
 *  256 | slot 0 | slot 1 | …
 *
 *  a slot
 *    0          8          16                              capacity + 64      capacity + 128
 *   +----------+----------+------------------------------+--+------------------+
 *   | flag     |          | payload, capacity bytes      |  | stage            |
 *   +----------+----------+------------------------------+--+------------------+
 * </pre>
 *
 * <p>The flag holds the number and the signature of the collective, and whether its rank has finished all earlier ones;
 * it is stored with release order after everything else in the slot. The first 48 bytes of payload lie in its own cache
 * line, so that a short contribution moves one line to each reader. The stage counts the rank's later steps, in a line
 * of its own.
 */
final class RegionLayout {
  static final long LINE_PAIR = 128;

  /** Region slots of each rank: the collectives that can be in flight between two looks at the other ranks. */
  static final int SLOTS = 8;

  static final long LEFT_OFFSET = 0;
  static final long WAITING_OFFSET = LEFT_OFFSET + 4;
  static final long FIRST_PART_OFFSET = LINE_PAIR;

  static final long PART_FINISHED_OFFSET = 0;
  static final long PART_GONE_OFFSET = 8;
  static final long PART_FAILED_OFFSET = 64;
  static final long PART_ELSEWHERE_OFFSET = LINE_PAIR;
  static final long PART_CALL_OFFSET = PART_ELSEWHERE_OFFSET + 64;
  static final long FIRST_SLOT_OFFSET = 2 * LINE_PAIR;

  static final long FLAG_OFFSET = 0;
  static final long PAYLOAD_OFFSET = 16; // elements of 16 bytes are aligned
  static final long STAGE_AFTER_CAPACITY = 64;

  /** The same layout as data, for tests and tools; of a slot what comes before the payload. */
  static final class Shape {
    static final StructLayout REGION = structLayout(
        JAVA_INT.withName("left"), JAVA_INT.withName("waiting"), paddingLayout(LINE_PAIR - 8));
    static final StructLayout PART = structLayout(
        JAVA_LONG.withName("partFinished"), JAVA_INT.withName("partGone"), paddingLayout(PART_FAILED_OFFSET - 12),
        sequenceLayout(SLOTS, JAVA_LONG).withName("partFailed"),
        sequenceLayout(SLOTS, JAVA_LONG).withName("partElsewhere"),
        sequenceLayout(SLOTS, JAVA_LONG).withName("partCall"));
    static final StructLayout SLOT = structLayout(JAVA_LONG.withName("flag"), paddingLayout(PAYLOAD_OFFSET - 8));

    private Shape() {}
  }

  private RegionLayout() {}

  static long slotBytes(long capacity) {
    return capacity + LINE_PAIR;
  }

  static long partBytes(int slots, long capacity) {
    return FIRST_SLOT_OFFSET + slots * slotBytes(capacity);
  }

  static long bytes(int ranks, int slots, long capacity) {
    return FIRST_PART_OFFSET + ranks * partBytes(slots, capacity);
  }

  /** Counts one more rank that has left; returns how many have. */
  static int incrementLeft(long region) {
    return Raw.getAndAddInt(region + LEFT_OFFSET, 1) + 1;
  }

  static int getAcquireLeft(long region) {
    return Raw.getAcquireInt(region + LEFT_OFFSET);
  }

  /** Returns where the part of a rank lies. */
  static long part(long region, int rank, int slots, long capacity) {
    return region + FIRST_PART_OFFSET + rank * partBytes(slots, capacity);
  }

  static void setReleasePartGone(long part) {
    Raw.putReleaseInt(part + PART_GONE_OFFSET, 1);
  }

  static int getAcquirePartGone(long part) {
    return Raw.getAcquireInt(part + PART_GONE_OFFSET);
  }

  static int getOpaqueWaiting(long region) {
    return Raw.getOpaqueInt(region + WAITING_OFFSET);
  }

  static int getVolatileWaiting(long region) {
    return Raw.getVolatileInt(region + WAITING_OFFSET);
  }

  static boolean casWaiting(long region, int expected, int waiting) {
    return Raw.compareAndSetInt(region + WAITING_OFFSET, expected, waiting);
  }

  static int getAndSetWaiting(long region, int waiting) {
    return Raw.getAndSetInt(region + WAITING_OFFSET, waiting);
  }

  static long getAcquirePartFinished(long part) {
    return Raw.getAcquireLong(part + PART_FINISHED_OFFSET);
  }

  static void setReleasePartFinished(long part, long sequence) {
    Raw.putReleaseLong(part + PART_FINISHED_OFFSET, sequence);
  }

  static boolean casPartFinished(long part, long expected, long sequence) {
    return Raw.compareAndSetLong(part + PART_FINISHED_OFFSET, expected, sequence);
  }

  static long getAcquirePartFailed(long part, int slot) {
    return Raw.getAcquireLong(part + PART_FAILED_OFFSET + slot * 8L);
  }

  static void setReleasePartFailed(long part, int slot, long sequence) {
    Raw.putReleaseLong(part + PART_FAILED_OFFSET + slot * 8L, sequence);
  }

  static long getAcquirePartElsewhere(long part, int slot) {
    return Raw.getAcquireLong(part + PART_ELSEWHERE_OFFSET + slot * 8L);
  }

  static void setReleasePartElsewhere(long part, int slot, long sequence) {
    Raw.putReleaseLong(part + PART_ELSEWHERE_OFFSET + slot * 8L, sequence);
  }

  static long getOpaquePartCall(long part, int slot) {
    return Raw.getOpaqueLong(part + PART_CALL_OFFSET + slot * 8L);
  }

  static void setOpaquePartCall(long part, int slot, long call) {
    Raw.putOpaqueLong(part + PART_CALL_OFFSET + slot * 8L, call);
  }

  static long getAcquireFlag(long slot) {
    return Raw.getAcquireLong(slot + FLAG_OFFSET);
  }

  static void setReleaseFlag(long slot, long flag) {
    Raw.putReleaseLong(slot + FLAG_OFFSET, flag);
  }

  static long getAcquireStage(long slot, long capacity) {
    return Raw.getAcquireLong(slot + capacity + STAGE_AFTER_CAPACITY);
  }

  static void setReleaseStage(long slot, long capacity, long stage) {
    Raw.putReleaseLong(slot + capacity + STAGE_AFTER_CAPACITY, stage);
  }
}
