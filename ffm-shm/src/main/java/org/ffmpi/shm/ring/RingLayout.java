// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The memory of one ring, with slots of two cache lines, and bulk bytes that slots refer to.
 *
 * <pre>
 *    0 | slotHead          | bulkHead          |          line 0: written by the consumer only
 *  128 | slots   | bulkBytes |                            line 1: written once, by the producer that opens the ring
 *  256 | slot 0 | slot 1 | …                              128 bytes each
 *  256 + 128 · slots | bulk bytes …
 *
 *  a slot
 *    0         4         8                                                         128
 *   +---------+---------+-----------------------------------------------------------+
 *   | head              | body, 120 bytes that the ring does not look into           |
 *   +---------+---------+-----------------------------------------------------------+
 * </pre>
 *
 * <p>The head is one word, with a sequence number in its low 16 bits and 48 bits of info above that the ring does not
 * look into. The sequence number counts the writes of a slot from 1. The producer publishes the head with release order
 * after everything else: a consumer that reads the expected number with acquire order sees the whole record, and has
 * its info without another access. Slots have fixed places, so that a stale number is always the one before the
 * expected one, which 16 bits tell apart, and nothing has to be cleared; a small message moves one line
 * from producer to consumer, one of up to 120 bytes two neighbouring lines. {@code slotHead} and {@code bulkHead} are
 * the credit, the positions up to which the consumer has read. The producer reads them only when the ring seems full.
 */
public final class RingLayout {
  static final long LINE_PAIR = 128;
  static final long SLOT_HEAD_OFFSET = 0;
  static final long BULK_HEAD_OFFSET = SLOT_HEAD_OFFSET + 8;
  static final long SLOTS_OFFSET = LINE_PAIR;
  static final long BULK_BYTES_OFFSET = SLOTS_OFFSET + 4;
  static final long FIRST_SLOT_OFFSET = 2 * LINE_PAIR;

  /** Bytes of a cache line; bulk runs begin on one. */
  static final int LINE = 64;

  /** Bytes of a slot: two cache lines, of which a small record uses only the first. */
  public static final int SLOT_BYTES = 2 * LINE;

  /** log2 of {@link #SLOT_BYTES}. */
  static final int SLOT_SHIFT = 7;

  static final long HEAD_OFFSET = 0;

  /** Bits of a head that are the sequence number. */
  static final int SEQUENCE_BITS = 16;

  /** Offset of the body within a slot. */
  public static final int BODY_OFFSET = 8;

  /** Fewest slots of a ring. */
  public static final int MIN_SLOTS = 2;

  /** Most slots of a ring. */
  public static final int MAX_SLOTS = 1 << 20;

  /** Fewest bulk bytes of a ring. */
  public static final int MIN_BULK = 64;

  /** Most bulk bytes of a ring. */
  public static final int MAX_BULK = 1 << 30;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout CONTROL =
        structLayout(
            JAVA_LONG.withName("slotHead"),
            JAVA_LONG.withName("bulkHead"),
            paddingLayout(LINE_PAIR - 16),
            JAVA_INT.withName("slots"),
            JAVA_INT.withName("bulkBytes"),
            paddingLayout(LINE_PAIR - 8));
    static final StructLayout SLOT =
        structLayout(
            JAVA_LONG.withName("head"),
            sequenceLayout(SLOT_BYTES - BODY_OFFSET, JAVA_BYTE).withName("body"));

    private Shape() {}
  }

  private RingLayout() {}

  /**
   * Returns the memory that a ring needs.
   *
   * @param slots number of slots, a power of two
   * @param bulkBytes bulk bytes, a power of two
   * @return bytes
   */
  public static long bytes(int slots, int bulkBytes) {
    return FIRST_SLOT_OFFSET + (long) slots * SLOT_BYTES + bulkBytes;
  }

  /**
   * Writes the sizes of a new ring into zeroed memory; the caller then publishes the ring's address with release order.
   *
   * @param ring address
   * @param slots number of slots, a power of two
   * @param bulkBytes bulk bytes, a power of two
   */
  public static void format(long ring, int slots, int bulkBytes) {
    Raw.putInt(ring + SLOTS_OFFSET, slots);
    Raw.putInt(ring + BULK_BYTES_OFFSET, bulkBytes);
  }

  /**
   * Reads the number of slots, unchecked.
   *
   * @param ring address
   * @return the word in the ring
   */
  public static int getPlainSlots(long ring) {
    return Raw.getInt(ring + SLOTS_OFFSET);
  }

  /**
   * Reads the number of bulk bytes, unchecked.
   *
   * @param ring address
   * @return the word in the ring
   */
  public static int getPlainBulkBytes(long ring) {
    return Raw.getInt(ring + BULK_BYTES_OFFSET);
  }

  /**
   * Returns whether a ring may have this shape.
   *
   * @param slots number of slots
   * @param bulkBytes bulk bytes
   * @return true when both are powers of two within bounds
   */
  public static boolean isShape(int slots, int bulkBytes) {
    return Integer.bitCount(slots) == 1 && slots >= MIN_SLOTS && slots <= MAX_SLOTS
        && Integer.bitCount(bulkBytes) == 1 && bulkBytes >= MIN_BULK && bulkBytes <= MAX_BULK;
  }

  static long getAcquireSlotHead(long ring) {
    return Raw.getAcquireLong(ring + SLOT_HEAD_OFFSET);
  }

  static long getAcquireBulkHead(long ring) {
    return Raw.getAcquireLong(ring + BULK_HEAD_OFFSET);
  }

  static void setReleaseSlotHead(long ring, long head) {
    Raw.putReleaseLong(ring + SLOT_HEAD_OFFSET, head);
  }

  static void setReleaseBulkHead(long ring, long head) {
    Raw.putReleaseLong(ring + BULK_HEAD_OFFSET, head);
  }

  static long getAcquireHead(long slot) {
    return Raw.getAcquireLong(slot + HEAD_OFFSET);
  }

  static long getPlainHead(long slot) {
    return Raw.getLong(slot + HEAD_OFFSET);
  }

  static void setReleaseHead(long slot, long head) {
    Raw.putReleaseLong(slot + HEAD_OFFSET, head);
  }

  /** Returns the sequence number of the record at a position of a ring of {@code 1 << shift} slots. */
  static short sequence(long position, int shift) {
    return (short) ((position >>> shift) + 1);
  }

  /**
   * Writes the head of a record that lies in no ring, and so has no sequence number.
   *
   * @param slot its address
   * @param info what {@link #getPlainInfo} returns
   */
  public static void setPlainInfo(long slot, long info) {
    Raw.putLong(slot + HEAD_OFFSET, info << SEQUENCE_BITS);
  }

  /**
   * Reads the info in a record's head.
   *
   * @param slot address of the record
   * @return the info that its producer gave to {@link RecordWriter#publish}
   */
  public static long getPlainInfo(long slot) {
    return Raw.getLong(slot + HEAD_OFFSET) >>> SEQUENCE_BITS;
  }
}
