// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.match;

import org.ffmpi.base.Constants;

/**
 * An index of unexpected messages by one kind of pattern. It has a queue, in the order in which they came, for each
 * combination of context and, as far as the pattern names them, peer and tag. The last messages are not hashed as long
 * as they all belong to one queue.
 */
final class UnexpectedIndex {
  private final QueueTable<UnexpectedPlace> queues = new QueueTable<>();
  private final boolean anyPeer;
  private final boolean anyTag;

  /** The oldest of the last messages, which all belong to one queue and follow its part in the table. */
  private UnexpectedPlace run;

  /** Slot in which the last search found a message, usually the next to be removed. */
  private int seen;

  UnexpectedIndex(boolean anyPeer, boolean anyTag) {
    this.anyPeer = anyPeer;
    this.anyTag = anyTag;
  }

  /** Appends a message to its queue. */
  void append(UnexpectedPlace place) {
    Unexpected a = place.message();
    UnexpectedPlace head = run;
    place.next = null;
    if (head != null && fits(head, a.context, a.peer, a.tag)) {
      UnexpectedPlace tail = head.previous;
      tail.next = place;
      place.previous = tail;
      head.previous = place;
      return;
    }
    if (head != null) {
      file(head);
    }
    place.previous = place;
    run = place;
  }

  private void file(UnexpectedPlace head) {
    Unexpected a = head.message();
    int hash = hash(a.context, a.peer, a.tag);
    int slot = slot(hash, a.context, a.peer, a.tag);
    if (slot < 0) {
      queues.add(~slot, hash, head);
    } else {
      UnexpectedPlace oldest = queues.head(slot);
      UnexpectedPlace tail = oldest.previous;
      tail.next = head;
      oldest.previous = head.previous;
      head.previous = tail;
    }
  }

  /** Returns the oldest message that fits, or null; arguments that are wildcards in this index are ignored. */
  Unexpected first(long context, int peer, int tag) {
    if (queues.size() != 0) {
      int slot = slot(hash(context, peer, tag), context, peer, tag);
      if (slot >= 0) {
        seen = slot;
        return queues.head(slot).message();
      }
    }
    return run != null && fits(run, context, peer, tag) ? run.message() : null;
  }

  /** Removes a message from its queue. */
  void remove(UnexpectedPlace place) {
    UnexpectedPlace before = place.previous;
    UnexpectedPlace after = place.next;
    if (before.next == null) { // the oldest of its queue, since its predecessor is the youngest
      if (after != null) {
        after.previous = before;
      }
      replaceHead(place, after);
    } else {
      before.next = after;
      if (after == null) {
        head(place).previous = before;
      } else {
        after.previous = before;
      }
    }
    place.previous = null;
    place.next = null;
  }

  private void replaceHead(UnexpectedPlace old, UnexpectedPlace head) {
    if (old == run) {
      run = head;
      return;
    }
    int slot = queues.isAt(seen, old) ? seen : slotOf(old);
    if (head == null) {
      queues.remove(slot);
    } else {
      queues.replace(slot, head);
    }
  }

  /** Returns the oldest of the queue whose youngest message is given. */
  private UnexpectedPlace head(UnexpectedPlace youngest) {
    return run != null && run.previous == youngest ? run : queues.head(slotOf(youngest));
  }

  private int slotOf(UnexpectedPlace place) {
    Unexpected a = place.message();
    return slot(hash(a.context, a.peer, a.tag), a.context, a.peer, a.tag);
  }

  private int slot(int hash, long context, int peer, int tag) {
    int slot = queues.find(hash);
    while (slot >= 0 && !fits(queues.head(slot), context, peer, tag)) {
      slot = queues.findAfter(slot);
    }
    return slot;
  }

  private boolean fits(UnexpectedPlace place, long context, int peer, int tag) {
    Unexpected a = place.message();
    return (anyTag || a.tag == tag) && (anyPeer || a.peer == peer) && a.context == context;
  }

  private int hash(long context, int peer, int tag) {
    return QueueTable.hash(
        context, anyPeer ? Constants.ANY_SOURCE : peer, anyTag ? Constants.ANY_TAG : tag);
  }
}
