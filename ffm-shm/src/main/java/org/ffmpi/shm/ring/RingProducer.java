// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The writing end of a ring. Callers serialise, by a producer lock per peer.
 *
 * <p>Wait-free: a claim succeeds or returns 0. A claim that is not published is simply claimed again.
 */
public final class RingProducer extends RecordWriter {
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
   * @param ring address of memory that {@link RingLayout#format} has prepared
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
   * Returns the ring's address.
   *
   * @return absolute address
   */
  public long address() {
    return ring;
  }

  @Override
  public long claim() {
    if (tail - knownSlotHead > slotMask && !hasFreeSlot()) {
      return 0;
    }
    claimedBulkEnd = bulkTail;
    return firstSlot + ((tail & slotMask) << RingLayout.SLOT_SHIFT);
  }

  @Override
  public long claim(int bytes) {
    if (tail - knownSlotHead > slotMask && !hasFreeSlot()) {
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
        return 0; // impossible: fault() reports it
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

  private boolean hasFreeSlot() {
    long head = RingLayout.getAcquireSlotHead(ring);
    if (head < knownSlotHead || head > tail) {
      return false; // impossible: fault() reports it
    }
    knownSlotHead = head;
    return tail - head <= slotMask;
  }

  @Override
  public int bulkCapacity() {
    return bulkBytes >> 1; // a run that skips the area's end must fit at its beginning
  }

  @Override
  public long bulk() {
    return firstBulk + (claimedBulkStart & (bulkBytes - 1));
  }

  @Override
  public int bulkOffset() {
    return (int) (claimedBulkStart & (bulkBytes - 1));
  }

  @Override
  public long bulkEnd() {
    return claimedBulkEnd;
  }

  /**
   * {@inheritDoc}
   *
   * @throws MpiException ERR_INTERN when the slot's stamp is not the one of its last record: the reader may have taken
   *     that record for this one, and would wait for it for ever
   */
  @Override
  public void publish(long slot, long info) {
    long lap = tail >>> sequenceShift;
    short found = (short) RingLayout.getPlainHead(slot);
    if (found != (short) lap) {
      throw altered(found);
    }
    RingLayout.setReleaseHead(slot, info << RingLayout.SEQUENCE_BITS | lap + 1 & 0xffff);
    tail++;
    bulkTail = claimedBulkEnd;
  }

  private MpiException altered(short found) {
    return new MpiException(
        ErrorClass.ERR_INTERN,
        "a ring is corrupt: the slot of record " + tail + " has the stamp " + found + " where "
            + (short) (tail >>> sequenceShift) + " was written");
  }

  @Override
  public long published() {
    return tail;
  }

  @Override
  public long publishedBulk() {
    return bulkTail;
  }

  /**
   * Returns whether a claim without bulk bytes would fail now. The race is benign: a slot may
   * become free right after.
   *
   * @return true when full
   */
  public boolean isFull() {
    return tail - knownSlotHead > slotMask && !hasFreeSlot();
  }

  @Override
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
      short found = (short) RingLayout.getAcquireHead(firstSlot + ((record & slotMask) << RingLayout.SLOT_SHIFT));
      short written = RingLayout.sequence(record, sequenceShift);
      if (found != written) {
        return "record " + record + " has the stamp " + found + " where " + written + " was written";
      }
    }
    return null;
  }

  /**
   * Returns whether the consumer has read all published records.
   *
   * @return true when drained
   */
  public boolean isDrained() {
    return RingLayout.getAcquireSlotHead(ring) == tail;
  }
}
