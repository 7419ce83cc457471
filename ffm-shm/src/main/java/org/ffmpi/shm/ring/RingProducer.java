// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

/**
 * The writing end of a ring. One thread at a time may use it: the caller serialises (a producer lock per peer).
 *
 * <p>Wait-free: a claim either succeeds or says that there is no space now. The protocol is
 * {@code claim → fill slot body and bulk bytes → publish}; a claim that is not published is simply claimed again.
 */
public final class RingProducer {
  private final long ring;
  private final long firstSlot;
  private final long firstBulk;
  private final int slotMask;
  private final int sequenceShift;
  private final int bulkBytes;

  private long tail;
  private long bulkTail;
  private long knownSlotHead;
  private long knownBulkHead;
  private long claimedBulkStart;
  private long claimedBulkEnd;

  /**
   * Opens the writing end of a new ring.
   *
   * @param ring address of memory that {@link RingLayout#format} prepared
   * @param slots number of slots
   * @param bulkBytes bulk bytes
   */
  public RingProducer(long ring, int slots, int bulkBytes) {
    this.ring = ring;
    this.firstSlot = ring + RingLayout.FIRST_SLOT_OFFSET;
    this.firstBulk = firstSlot + (long) slots * RingLayout.SLOT_BYTES;
    this.slotMask = slots - 1;
    this.sequenceShift = Integer.numberOfTrailingZeros(slots);
    this.bulkBytes = bulkBytes;
  }

  /**
   * Returns where the ring lies.
   *
   * @return its address
   */
  public long address() {
    return ring;
  }

  /**
   * Claims the next slot, without bulk bytes.
   *
   * @return the slot's address, or 0 when the ring is full
   */
  public long claim() {
    if (tail - knownSlotHead > slotMask && !slotFreed()) {
      return 0;
    }
    claimedBulkEnd = bulkTail;
    return firstSlot + ((tail & slotMask) << RingLayout.SLOT_SHIFT);
  }

  /**
   * Claims the next slot and a run of bulk bytes.
   *
   * @param bytes how many bulk bytes, at most {@link #bulkCapacity}
   * @return the slot's address, or 0 when slots or bulk bytes are full
   */
  public long claim(int bytes) {
    if (tail - knownSlotHead > slotMask && !slotFreed()) {
      return 0;
    }
    long start = bulkTail;
    int toEnd = bulkBytes - ((int) start & (bulkBytes - 1));
    if (bytes > toEnd) {
      start += toEnd; // a run never wraps: the rest of the area is skipped
    }
    long end = start + ((bytes + (RingLayout.LINE - 1)) & -RingLayout.LINE);
    if (end - knownBulkHead > bulkBytes) {
      long head = RingLayout.getAcquireBulkHead(ring);
      if (head < knownBulkHead || head > bulkTail) {
        return 0; // cannot be: fault() says so
      }
      knownBulkHead = head;
      if (end - head > bulkBytes) {
        return 0;
      }
    }
    claimedBulkEnd = end;
    claimedBulkStart = start;
    return firstSlot + ((tail & slotMask) << RingLayout.SLOT_SHIFT);
  }

  private boolean slotFreed() {
    long head = RingLayout.getAcquireSlotHead(ring);
    if (head < knownSlotHead || head > tail) {
      return false; // cannot be: fault() says so
    }
    knownSlotHead = head;
    return tail - head <= slotMask;
  }

  /**
   * Returns the largest run of bulk bytes that can ever be claimed at once. Half the area: a run that does not fit
   * before the end of the area must fit at its beginning even when the skipped rest is as large as the run.
   *
   * @return bytes
   */
  public int bulkCapacity() {
    return bulkBytes >> 1;
  }

  /**
   * Returns where the claimed bulk bytes lie.
   *
   * @return their absolute address
   */
  public long bulk() {
    return firstBulk + (claimedBulkStart & (bulkBytes - 1));
  }

  /**
   * Returns where the claimed bulk bytes lie, as the consumer will compute it.
   *
   * @return offset from the first bulk byte
   */
  public int bulkOffset() {
    return (int) (claimedBulkStart & (bulkBytes - 1));
  }

  /**
   * Returns the bulk position after the claimed bytes, which the record carries to the consumer.
   *
   * @return a position, growing for ever
   */
  public long bulkEnd() {
    return claimedBulkEnd;
  }

  /**
   * Publishes the claimed slot: after this the consumer may see it.
   *
   * @param slot what a claim returned
   * @param info the record's info word
   */
  public void publish(long slot, int info) {
    RingLayout.setPlainInfo(slot, info);
    RingLayout.setReleaseSequence(slot, (int) (tail >>> sequenceShift) + 1);
    tail++;
    bulkTail = claimedBulkEnd;
  }

  /**
   * Returns how many records have been published.
   *
   * @return records since the ring was opened
   */
  public long published() {
    return tail;
  }

  /**
   * Returns how many bulk bytes have been published, gaps included.
   *
   * @return bytes since the ring was opened
   */
  public long publishedBulk() {
    return bulkTail;
  }

  /**
   * Returns whether a claim without bulk bytes would fail now. Racy in the harmless direction: it may be freed right
   * after.
   *
   * @return true when full
   */
  public boolean isFull() {
    return tail - knownSlotHead > slotMask && !slotFreed();
  }

  /**
   * Looks for words that no correct reader leaves, and for records that are not as this end has published them. Not on
   * a hot path.
   *
   * @return what is wrong, or null
   */
  public String fault() {
    int slots = RingLayout.getPlainSlots(ring);
    int bulk = RingLayout.getPlainBulkBytes(ring);
    if (slots != slotMask + 1 || bulk != bulkBytes) {
      return slots + " slots, " + bulk + " bytes where " + (slotMask + 1) + " and " + bulkBytes + " were written";
    }
    long read = RingLayout.getAcquireSlotHead(ring);
    long readBulk = RingLayout.getAcquireBulkHead(ring);
    if (read < knownSlotHead || read > tail || readBulk < knownBulkHead || readBulk > bulkTail) {
      return read + " records and " + readBulk + " bytes are said to be read; " + tail + " and " + bulkTail
          + " are written, " + knownSlotHead + " and " + knownBulkHead + " were read before";
    }
    for (long record = read; record < tail; record++) {
      int stamp = RingLayout.getAcquireSequence(firstSlot + ((record & slotMask) << RingLayout.SLOT_SHIFT));
      if (stamp != (int) (record >>> sequenceShift) + 1) {
        return "record " + record + " has the stamp " + stamp + " where " + ((int) (record >>> sequenceShift) + 1)
            + " was written";
      }
    }
    return null;
  }

  /**
   * Returns whether the consumer has read everything that was published.
   *
   * @return true when drained
   */
  public boolean isDrained() {
    return RingLayout.getAcquireSlotHead(ring) == tail;
  }
}
