// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.match;

import org.ffmpi.spi.Operation;

/** The part of a receive that the {@link Matcher} knows, with a pattern, and links that belong to the matcher alone. */
public abstract class PostedReceive extends Operation {
  long context;

  /** A peer, or ANY_SOURCE. */
  int peer;

  /** A tag, or ANY_TAG. */
  int tag;

  /** Order of posting; receives with and without wildcards compete by it. */
  long sequence;

  /** The one posted before with the same pattern; of the oldest, the youngest. */
  PostedReceive previous;

  /** The one posted after this with the same pattern; of the youngest, null. */
  PostedReceive next;

  boolean linked;

  /** Creates a receive that is not posted. */
  protected PostedReceive() {}

  /**
   * Sets the pattern; the receive must not be posted.
   *
   * @param context matching context
   * @param peer a peer, or ANY_SOURCE
   * @param tag a tag, or ANY_TAG
   */
  protected final void pattern(long context, int peer, int tag) {
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
   * Returns the wanted sender.
   *
   * @return a peer, or ANY_SOURCE
   */
  public final int peer() {
    return peer;
  }

  /**
   * Returns the wanted tag.
   *
   * @return a tag, or ANY_TAG
   */
  public final int tag() {
    return tag;
  }

  final boolean isWild() {
    return peer < 0 || tag < 0;
  }

  final boolean isAlike(PostedReceive other) {
    return tag == other.tag && peer == other.peer && context == other.context;
  }
}
