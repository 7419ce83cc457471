// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

import org.ffmpi.base.raw.Raw;

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

  /** The position at the last {@link #fault}, and a sum over the record before it, which does not change any more. */
  private long watchedHead;

  private long watchedSum;

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
    if (found == before && hasChanged()) {
      return "record " + (head - 1) + " was written again after it had been read";
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

  /**
   * Returns whether the last record that was read has changed since the last call at this position. Its slot is written
   * again only behind the record at this position. A change shows that the stamp by which it was read was not that of
   * its producer, which has written the record now, and no later one would be read.
   */
  private boolean hasChanged() {
    if (head == 0) {
      return false;
    }
    long sum = 0;
    for (long at = slot(head - 1), end = at + RingLayout.SLOT_BYTES; at < end; at += Long.BYTES) {
      sum = sum * 31 + Raw.getAcquireLong(at);
    }
    boolean isChanged = head == watchedHead && sum != watchedSum && !isReady();
    watchedHead = head;
    watchedSum = sum;
    return isChanged;
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
