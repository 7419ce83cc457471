// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * The source, tag and length of a received or probed message. Mutable and reusable, so that a receive into a kept
 * object allocates nothing; one thread at a time uses it.
 *
 * <p>The source is a <em>peer</em> number of the engine; {@link Channel#rankOf} turns it into a rank of a communicator.
 */
public final class Envelope {
  private int peer;
  private int tag;
  private long bytes;
  private boolean cancelled;

  /** Creates an empty envelope: no peer, no tag, zero bytes, not cancelled. */
  public Envelope() {
    clear();
  }

  /** Makes this the empty envelope: source PROC_NULL's stand-in {@code ANY_SOURCE}, tag {@code ANY_TAG}, no bytes. */
  public void clear() {
    set(org.ffmpi.base.Constants.ANY_SOURCE, org.ffmpi.base.Constants.ANY_TAG, 0, false);
  }

  /**
   * Fills the envelope.
   *
   * @param peer peer number of the sender, or a negative special value
   * @param tag tag of the message
   * @param bytes bytes of payload that arrived (after truncation, the stored ones)
   * @param cancelled whether the operation was cancelled
   */
  public void set(int peer, int tag, long bytes, boolean cancelled) {
    this.peer = peer;
    this.tag = tag;
    this.bytes = bytes;
    this.cancelled = cancelled;
  }

  /**
   * Returns the sender.
   *
   * @return peer number of the sender, or a negative special value
   */
  public int peer() {
    return peer;
  }

  /**
   * Returns the message's tag.
   *
   * @return the tag
   */
  public int tag() {
    return tag;
  }

  /**
   * Returns the length of the payload.
   *
   * @return bytes of packed payload
   */
  public long bytes() {
    return bytes;
  }

  /**
   * Returns whether the operation was cancelled.
   *
   * @return true when cancelled
   */
  public boolean cancelled() {
    return cancelled;
  }
}
