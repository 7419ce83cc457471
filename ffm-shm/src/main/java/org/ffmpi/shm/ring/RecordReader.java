// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

/**
 * The reading end of a way from a peer, which is a ring in shared memory or the packets of a peer on another node.
 * {@link #peek} returns the next record or nothing, {@link #pop} steps over it, {@link #credit} gives all space behind
 * it back. Callers serialise.
 *
 * <p>It is a class for the same reason as {@link RecordWriter}.
 */
public abstract class RecordReader {
  /** What {@link #info} returns, for {@link #peek} to set. */
  protected long info;

  /** Creates an end. */
  protected RecordReader() {}

  /**
   * Returns the next record, which stays in place.
   *
   * @return the slot's address, or 0 when there is none
   */
  public abstract long peek();

  /**
   * Returns the info of the record that {@link #peek} returned last.
   *
   * @return what its writer gave to {@link RecordWriter#publish}
   */
  public final long info() {
    return info;
  }

  /**
   * Returns the address of a record's bulk bytes.
   *
   * @param offset the writer's {@link RecordWriter#bulkOffset}, as the record has it
   * @param bytes the number of bytes, as the record has it
   * @return the absolute address, or 0 for an impossible range
   */
  public abstract long bulk(int offset, long bytes);

  /**
   * Returns how many records have been consumed.
   *
   * @return records since the way was opened
   */
  public abstract long consumed();

  /**
   * Returns how many bulk bytes have been consumed, gaps included.
   *
   * @return bytes since the way was opened
   */
  public abstract long consumedBulk();

  /** Steps over the record that {@link #peek} returned, which had no bulk bytes. */
  public abstract void pop();

  /**
   * Steps over the record that {@link #peek} returned.
   *
   * @param bulkEnd bulk position after its bytes, as the record has it
   * @return false when that position is impossible; then the record stays
   */
  public abstract boolean pop(long bulkEnd);

  /**
   * Returns the number of bulk bytes that were stepped over and not yet given back.
   *
   * @return bytes
   */
  public abstract long owedBulk();

  /**
   * Gives the space of popped records back, if it is enough to be worth it or a writer could wait for it.
   *
   * @return true when a writer that waits for space may have to be woken
   */
  public abstract boolean credit();

  /**
   * Checks the words of the writer for impossible values. Not for a hot path.
   *
   * @return a description of the fault, or null
   */
  public abstract String fault();
}
