// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.base.Constants;

/**
 * Unexpected messages by one kind of pattern: for each combination of context and, as far as the pattern names them,
 * peer and tag, a queue in the order of arrival.
 */
final class ArrivedIndex {
  private final QueueTable<ArrivedPlace> queues = new QueueTable<>();
  private final boolean anyPeer;
  private final boolean anyTag;

  /** Where the last search found something, which is what is usually removed next. */
  private int seen;

  ArrivedIndex(boolean anyPeer, boolean anyTag) {
    this.anyPeer = anyPeer;
    this.anyTag = anyTag;
  }

  /** Puts a message at the young end of its queue. */
  void append(ArrivedPlace place) {
    Arrived a = place.message();
    int hash = hash(a.context, a.peer, a.tag);
    int slot = slot(hash, a.context, a.peer, a.tag);
    place.next = null;
    if (slot < 0) {
      place.previous = place;
      queues.add(~slot, hash, place);
    } else {
      ArrivedPlace head = queues.head(slot);
      ArrivedPlace tail = head.previous;
      tail.next = place;
      place.previous = tail;
      head.previous = place;
    }
  }

  /** Returns the oldest message that fits, or null; what is a wildcard in this kind of pattern does not matter. */
  Arrived first(long context, int peer, int tag) {
    int slot = slot(hash(context, peer, tag), context, peer, tag);
    if (slot < 0) {
      return null;
    }
    seen = slot;
    return queues.head(slot).message();
  }

  /** Takes a message out of its queue. */
  void remove(ArrivedPlace place) {
    ArrivedPlace before = place.previous;
    ArrivedPlace after = place.next;
    if (before.next == null) {
      int slot = queues.isAt(seen, place) ? seen : slotOf(place); // the oldest: its predecessor is the youngest
      if (after == null) {
        queues.remove(slot);
      } else {
        after.previous = before;
        queues.replace(slot, after);
      }
    } else {
      before.next = after;
      if (after == null) {
        queues.head(slotOf(place)).previous = before;
      } else {
        after.previous = before;
      }
    }
    place.previous = null;
    place.next = null;
  }

  private int slotOf(ArrivedPlace place) {
    Arrived a = place.message();
    return slot(hash(a.context, a.peer, a.tag), a.context, a.peer, a.tag);
  }

  private int slot(int hash, long context, int peer, int tag) {
    int slot = queues.find(hash);
    while (slot >= 0) {
      Arrived a = queues.head(slot).message();
      if ((anyTag || a.tag == tag) && (anyPeer || a.peer == peer) && a.context == context) {
        return slot;
      }
      slot = queues.findAfter(slot);
    }
    return slot;
  }

  private int hash(long context, int peer, int tag) {
    return QueueTable.hash(
        context, anyPeer ? Constants.ANY_SOURCE : peer, anyTag ? Constants.ANY_TAG : tag);
  }
}
