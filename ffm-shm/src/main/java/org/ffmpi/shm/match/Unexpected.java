// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.match;

/**
 * The part of an unexpected message that the {@link Matcher} knows, with an envelope, and links that belong to the
 * matcher alone. It is its own place in the queue of its envelope; its places in the queues of wildcards exist as soon
 * as there are such queues.
 */
public abstract class Unexpected extends UnexpectedPlace {
  long context;
  int peer;
  int tag;

  /** Its neighbours among all unexpected messages, oldest first. */
  Unexpected previousInOrder;

  Unexpected nextInOrder;

  /** Places in the queues of patterns, by {@link Matcher#pattern}; kept when the object is reused. */
  UnexpectedPlace[] places;

  /** Creates a message that is not queued. */
  protected Unexpected() {}

  /**
   * Sets the envelope; the message must not be queued.
   *
   * @param context matching context
   * @param peer the sender
   * @param tag the tag
   */
  protected final void envelope(long context, int peer, int tag) {
    this.context = context;
    this.peer = peer;
    this.tag = tag;
  }

  /**
   * Returns the matching context.
   *
   * @return the context
   */
  public final long context() {
    return context;
  }

  /**
   * Returns the sender.
   *
   * @return a peer
   */
  public final int peer() {
    return peer;
  }

  /**
   * Returns the tag.
   *
   * @return the tag
   */
  public final int tag() {
    return tag;
  }

  @Override
  final Unexpected message() {
    return this;
  }

  /**
   * Returns the next younger message with the same envelope.
   *
   * @return the message, or null
   */
  public final Unexpected nextAlike() {
    return (Unexpected) next;
  }
}
