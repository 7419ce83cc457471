// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

/**
 * The reading end of a ring. One thread at a time may use it: the caller serialises.
 *
 * <p>Wait-free. {@link #peek} returns the next record or nothing; {@link #pop} steps over it locally; {@link #credit}
 * gives all popped space back to the producer with one or two stores. Credit is given in batches because the producer
 * reads it only when its ring seems full: a store per batch stays in this core's cache.
 */
public final class RingConsumer {
  private final long ring;
  private final long firstSlot;
  private final long firstBulk;
  private final int slotMask;
  private final int sequenceShift;
  private final int bulkBytes;

  private long head;
  private long bulkHead;
  private long creditedHead;
  private long creditedBulk;

  /**
   * Opens the reading end of a ring that its producer has just opened.
   *
   * @param ring address, whose whole range the caller has checked
   * @param slots number of slots, checked
   * @param bulkBytes bulk bytes, checked
   */
  public RingConsumer(long ring, int slots, int bulkBytes) {
    this.ring = ring;
    this.firstSlot = ring + RingLayout.FIRST_SLOT_OFFSET;
    this.firstBulk = firstSlot + (long) slots * RingLayout.SLOT_BYTES;
    this.slotMask = slots - 1;
    this.sequenceShift = Integer.numberOfTrailingZeros(slots);
    this.bulkBytes = bulkBytes;
  }

  /**
   * Returns whether a record is there.
   *
   * @return true when {@link #peek} would return one
   */
  public boolean isReady() {
    long slot = firstSlot + ((head & slotMask) << RingLayout.SLOT_SHIFT);
    return RingLayout.getAcquireSequence(slot) == (int) (head >>> sequenceShift) + 1;
  }

  /**
   * Looks at the next record.
   *
   * @return the slot's address, or 0 when there is none
   */
  public long peek() {
    long slot = firstSlot + ((head & slotMask) << RingLayout.SLOT_SHIFT);
    return RingLayout.getAcquireSequence(slot) == (int) (head >>> sequenceShift) + 1 ? slot : 0;
  }

  /**
   * Turns what a record says of its bulk bytes into an address.
   *
   * @param offset offset from the first bulk byte, as the record says
   * @param bytes how many, as the record says
   * @return the absolute address, or 0 when the range does not lie in the ring
   */
  public long bulk(int offset, long bytes) {
    return offset < 0 || bytes < 0 || bytes > bulkBytes - (long) offset ? 0 : firstBulk + offset;
  }

  /**
   * Returns how many records have been consumed.
   *
   * @return records since the ring was opened
   */
  public long consumed() {
    return head;
  }

  /**
   * Returns how many bulk bytes have been consumed, gaps included.
   *
   * @return bytes since the ring was opened
   */
  public long consumedBulk() {
    return bulkHead;
  }

  /** Steps over the record that {@link #peek} returned, which had no bulk bytes. */
  public void pop() {
    head++;
  }

  /**
   * Steps over the record that {@link #peek} returned.
   *
   * @param bulkEnd bulk position after its bytes, as the record says
   * @return false when that position is impossible, and nothing was done
   */
  public boolean pop(long bulkEnd) {
    if (bulkEnd < bulkHead || bulkEnd - creditedBulk > bulkBytes) {
      return false;
    }
    bulkHead = bulkEnd;
    head++;
    return true;
  }

  /**
   * Looks for words that no correct writer leaves, and for credit that this end has not given. Not on a hot path.
   *
   * @return what is wrong, or null
   */
  public String fault() {
    int written = (int) (head >>> sequenceShift);
    int stamp = RingLayout.getAcquireSequence(firstSlot + ((head & slotMask) << RingLayout.SLOT_SHIFT));
    if (stamp != written && stamp != written + 1) {
      return "record " + head + " has the stamp " + stamp + ", allowed are " + written + " and " + (written + 1);
    }
    long slots = RingLayout.getAcquireSlotHead(ring);
    long bytes = RingLayout.getAcquireBulkHead(ring);
    if (slots != creditedHead || bytes != creditedBulk) {
      return "the credit is " + slots + " records and " + bytes + " bytes where " + creditedHead + " and "
          + creditedBulk + " were given";
    }
    return null;
  }

  /**
   * Returns how many bytes of bulk the consumer has stepped over and not yet given back.
   *
   * @return bytes
   */
  public long owedBulk() {
    return bulkHead - creditedBulk;
  }

  /**
   * Returns how many slots the consumer has stepped over and not yet given back.
   *
   * @return slots
   */
  public long owedSlots() {
    return head - creditedHead;
  }

  /**
   * Gives the space of all popped records back.
   *
   * @return true when there was any, so that a producer that waits for space may have to be woken
   */
  public boolean credit() {
    if (head == creditedHead) {
      return false;
    }
    if (bulkHead != creditedBulk) {
      creditedBulk = bulkHead;
      RingLayout.setReleaseBulkHead(ring, bulkHead);
    }
    creditedHead = head;
    RingLayout.setReleaseSlotHead(ring, head);
    return true;
  }
}
