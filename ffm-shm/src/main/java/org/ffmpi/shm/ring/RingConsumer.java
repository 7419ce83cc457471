// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

/**
 * The reading end of a ring. Callers serialise.
 *
 * <p>Wait-free. {@link #peek} returns the next record or nothing; {@link #pop} steps over it locally; {@link #credit}
 * gives all popped space back to the producer with one or two stores. Credit is given in batches because the producer
 * reads it only when its ring seems full: a store per batch stays in this core's cache.
 */
public final class RingConsumer extends RecordReader {
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
   * Opens the reading end of a ring that its producer has opened.
   *
   * @param ring address; the caller has checked the whole range
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

  @Override
  public boolean isReady() {
    long slot = firstSlot + ((head & slotMask) << RingLayout.SLOT_SHIFT);
    return RingLayout.getAcquireSequence(slot) == (int) (head >>> sequenceShift) + 1;
  }

  @Override
  public long peek() {
    long slot = firstSlot + ((head & slotMask) << RingLayout.SLOT_SHIFT);
    return RingLayout.getAcquireSequence(slot) == (int) (head >>> sequenceShift) + 1 ? slot : 0;
  }

  @Override
  public long bulk(int offset, long bytes) {
    return offset < 0 || bytes < 0 || bytes > bulkBytes - (long) offset ? 0 : firstBulk + offset;
  }

  @Override
  public long consumed() {
    return head;
  }

  @Override
  public long consumedBulk() {
    return bulkHead;
  }

  @Override
  public void pop() {
    head++;
  }

  @Override
  public boolean pop(long bulkEnd) {
    if (bulkEnd < bulkHead || bulkEnd - creditedBulk > bulkBytes) {
      return false;
    }
    bulkHead = bulkEnd;
    head++;
    return true;
  }

  @Override
  public String fault() {
    int written = (int) (head >>> sequenceShift);
    int found = RingLayout.getAcquireSequence(firstSlot + ((head & slotMask) << RingLayout.SLOT_SHIFT));
    if (found != written && found != written + 1) {
      return "record " + head + " has the stamp " + found + ", allowed are " + written + " and " + (written + 1);
    }
    long slots = RingLayout.getAcquireSlotHead(ring);
    long bytes = RingLayout.getAcquireBulkHead(ring);
    if (slots != creditedHead || bytes != creditedBulk) {
      return "the credit is " + slots + " records and " + bytes + " bytes where " + creditedHead + " and "
          + creditedBulk + " were given";
    }
    return null;
  }

  @Override
  public long owedBulk() {
    return bulkHead - creditedBulk;
  }

  /**
   * Returns the number of slots that the consumer has stepped over and not yet given back.
   *
   * @return slots
   */
  public long owedSlots() {
    return head - creditedHead;
  }

  @Override
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
