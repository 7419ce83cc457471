// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/**
 * An unexpected message as the {@link Matcher} sees it: an envelope, and links that belong to the matcher alone. It is
 * its own place in the queue of its envelope; its places in the queues of wildcards exist as soon as there are such
 * queues.
 */
abstract class Arrived extends ArrivedPlace {
  long context;
  int peer;
  int tag;

  /** Its neighbours among all unexpected messages, oldest first. */
  Arrived previousInOrder;

  Arrived nextInOrder;

  /** Places in the queues of patterns, by {@link Matcher#pattern}; kept when the object is used again. */
  ArrivedPlace[] places;

  final void envelope(long context, int peer, int tag) {
    this.context = context;
    this.peer = peer;
    this.tag = tag;
  }

  @Override
  final Arrived message() {
    return this;
  }

  /** Returns the next younger message with the same envelope, or null. */
  final Arrived nextAlike() {
    return (Arrived) next;
  }
}
