// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

/**
 * The reading end of a ring. Callers serialise.
 *
 * <p>Wait-free. {@link #peek} returns the next record or nothing; {@link #pop} steps over it locally; {@link #credit}
 * gives all popped space back to the producer with one or two stores. Credit is given in batches because the producer
 * reads it only when its ring seems full. Slots without bulk bytes are owed until they are a quarter of the ring: a
 * producer that finds no slot then waits behind records that are still to be read, and reading them gives the credit.
 * Bulk bytes are given back at once, since a long run may need nearly all of them.
 */
public final class RingConsumer extends RecordReader {
  private final long ring;
  private final long firstSlot;
  private final long firstBulk;
  private final int slotMask;
  private final int sequenceShift;
  private final int bulkBytes;

  /** Most slots owed. */
  private final int mostOwed;

  private long head;

  /** The address and the sequence number of the record at {@link #head}, which is all that a look needs. */
  private long next;

  private short awaited;

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
    this.mostOwed = slots >> 2;
    this.next = firstSlot;
    this.awaited = 1;
  }

  /** Returns whether {@link #peek} would return a record. */
  boolean isReady() {
    return (short) RingLayout.getAcquireHead(next) == awaited;
  }

  @Override
  public long peek() {
    long word = RingLayout.getAcquireHead(next);
    if ((short) word != awaited) {
      return 0;
    }
    info = word >>> RingLayout.SEQUENCE_BITS;
    return next;
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
    next = firstSlot + ((head & slotMask) << RingLayout.SLOT_SHIFT);
    awaited = (short) ((head >>> sequenceShift) + 1);
  }

  @Override
  public boolean pop(long bulkEnd) {
    if (bulkEnd < bulkHead || bulkEnd - creditedBulk > bulkBytes) {
      return false;
    }
    bulkHead = bulkEnd;
    pop();
    return true;
  }

  @Override
  public String fault() {
    short before = (short) (awaited - 1);
    boolean isNextThere =
        (short) RingLayout.getAcquireHead(slot(head + 1)) == RingLayout.sequence(head + 1, sequenceShift);
    short found = (short) RingLayout.getAcquireHead(next);
    if (found != before && found != awaited) {
      return "record " + head + " has the stamp " + found + ", allowed are " + before + " and " + awaited;
    }
    if (isNextThere && found == before) {
      return "record " + (head + 1) + " is there, and record " + head + " before it has the stamp " + found;
    }
    long slots = RingLayout.getAcquireSlotHead(ring);
    long bytes = RingLayout.getAcquireBulkHead(ring);
    if (slots != creditedHead || bytes != creditedBulk) {
      return "the credit is " + slots + " records and " + bytes + " bytes where " + creditedHead + " and "
          + creditedBulk + " were given";
    }
    return null;
  }

  private long slot(long record) {
    return firstSlot + ((record & slotMask) << RingLayout.SLOT_SHIFT);
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
    boolean owesBulk = bulkHead != creditedBulk;
    if (!owesBulk && head - creditedHead <= mostOwed) {
      return false;
    }
    if (owesBulk) {
      creditedBulk = bulkHead;
      RingLayout.setReleaseBulkHead(ring, bulkHead);
    }
    creditedHead = head;
    RingLayout.setReleaseSlotHead(ring, head);
    return true;
  }
}
