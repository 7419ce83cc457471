// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

/**
 * The reading end of a way from a peer: a ring in shared memory, or packets of a peer on another node. {@link #peek}
 * returns the next record or nothing, {@link #pop} steps over it, {@link #credit} gives all space behind it back. One
 * thread at a time may use it: the caller serialises.
 *
 * <p>A class, not an interface, for the reason that {@link RecordWriter} has.
 */
public abstract class RecordReader {
  /** Creates an end. */
  protected RecordReader() {}

  /**
   * Returns whether a record is there.
   *
   * @return true when {@link #peek} would return one
   */
  public abstract boolean isReady();

  /**
   * Looks at the next record.
   *
   * @return the slot's address, or 0 when there is none
   */
  public abstract long peek();

  /**
   * Turns what a record says of its bulk bytes into an address.
   *
   * @param offset what {@link RecordWriter#bulkOffset} was at the writer, as the record says
   * @param bytes how many, as the record says
   * @return the absolute address, or 0 when there are no such bytes
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
   * @param bulkEnd bulk position after its bytes, as the record says
   * @return false when that position is impossible, and nothing was done
   */
  public abstract boolean pop(long bulkEnd);

  /**
   * Returns how many bytes of bulk were stepped over and not yet given back.
   *
   * @return bytes
   */
  public abstract long owedBulk();

  /**
   * Gives the space of all popped records back.
   *
   * @return true when a writer that waits for space may have to be woken
   */
  public abstract boolean credit();

  /**
   * Looks for what no correct writer leaves. Not on a hot path.
   *
   * @return what is wrong, or null
   */
  public abstract String fault();
}
