// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

/**
 * The writing end of a way to a peer, which is a ring in shared memory or the packets for a peer on another node. The
 * protocol is {@code claim → fill the slot's body and the bulk bytes → publish}; a claim that is not published is
 * simply claimed again. Callers serialise.
 *
 * <p>It is a class and not an interface because a JVM whose peers all share memory loads one kind of end, whose methods
 * the JIT compiler inlines.
 */
public abstract class RecordWriter {
  /** Creates an end. */
  protected RecordWriter() {}

  /**
   * Claims the next slot, without bulk bytes.
   *
   * @return the slot's address, or 0 when there is no space now
   */
  public abstract long claim();

  /**
   * Claims the next slot and a run of bulk bytes.
   *
   * @param bytes how many bulk bytes, at most {@link #bulkCapacity}
   * @return the slot's address, or 0 when there is no space now
   */
  public abstract long claim(int bytes);

  /**
   * Returns the largest run of bulk bytes that can ever be claimed at once.
   *
   * @return bytes
   */
  public abstract int bulkCapacity();

  /**
   * Returns the address of the claimed bulk bytes.
   *
   * @return their absolute address
   */
  public abstract long bulk();

  /**
   * Returns the place of the claimed bulk bytes in the form that the record carries.
   *
   * @return an offset, which the reader turns into an address
   */
  public abstract int bulkOffset();

  /**
   * Returns the bulk position after the claimed bytes, which the record carries to the reader.
   *
   * @return a position, growing for ever
   */
  public abstract long bulkEnd();

  /**
   * Publishes the claimed slot: after this the reader may see it.
   *
   * @param slot the claimed slot
   * @param info the record's info, 48 bits
   */
  public abstract void publish(long slot, long info);

  /**
   * Returns how many records have been published.
   *
   * @return records since the way was opened
   */
  public abstract long published();

  /**
   * Returns how many bulk bytes have been published, gaps included.
   *
   * @return bytes since the way was opened
   */
  public abstract long publishedBulk();

  /**
   * Checks the words of the reader for impossible values. Not for a hot path.
   *
   * @return a description of the fault, or null
   */
  public abstract String fault();
}
