// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

/**
 * The writing end of a way to a peer: a ring in shared memory, or packets for a peer on another node. The protocol is
 * {@code claim → fill the slot's body and the bulk bytes → publish}; a claim that is not published is simply claimed
 * again. One thread at a time may use it: the caller serialises.
 *
 * <p>A class, not an interface: where all peers share memory there is one kind of end, and the JIT compiler inlines it.
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
   * Returns where the claimed bulk bytes lie.
   *
   * @return their absolute address
   */
  public abstract long bulk();

  /**
   * Returns where the claimed bulk bytes lie, as the reader will compute it.
   *
   * @return an offset that the record carries
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
   * @param slot what a claim returned
   * @param info the record's info word
   */
  public abstract void publish(long slot, int info);

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
   * Looks for what no correct reader leaves. Not on a hot path.
   *
   * @return what is wrong, or null
   */
  public abstract String fault();
}
