// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ffmpi.base.Constants;

/**
 * The two queues of MPI's matching rules (MPI-4.1 section 3.5): posted receives and unexpected messages. A pure data
 * structure: no memory, no threads, no time. The engine calls it with its lock held.
 *
 * <p>Whatever is asked, a match costs the same however long the queues are. Posted receives stand in one queue for each
 * pattern, wildcards included, and these are hashed by (context, peer, tag): a message looks into up to four of them,
 * and sequence numbers settle which receive came first. A run of equal receives at the young end is not even hashed.
 * Unexpected messages stand in one queue for each envelope, hashed as well, and all in one list in arrival order, where
 * searches with a wildcard begin. The first that walks far there has them put into queues for its kind of pattern,
 * which are kept up until no unexpected message is left. The order of messages from one peer in one context is the
 * order in which the engine offers them, and is never changed here.
 */
final class Matcher {
  /** A search that has passed by so many messages has paid for an index. */
  private static final int FAR = 32;

  private static final int ANY_PEER = 1;
  private static final int ANY_TAG = 2;
  private static final int ALL_PATTERNS = 4;

  private final QueueTable<Posted> posted = new QueueTable<>();

  /** How many queues of each kind of pattern there are in {@link #posted}. */
  private final int[] postedQueues = new int[ALL_PATTERNS];

  private int wildQueues;

  /** Where the last search found a receive, which is what is usually withdrawn next. */
  private int seen;

  /** The receives posted last, as long as they are all alike: the youngest of all, found without hashing. */
  private Posted run;

  private int postedCount;
  private long sequence;

  /** By kind of pattern; the first serves exact ones, and is always kept up. */
  private final ArrivedIndex[] indexes = {
      new ArrivedIndex(false, false), new ArrivedIndex(true, false), new ArrivedIndex(false, true),
      new ArrivedIndex(true, true)};

  private final ArrivedIndex exact = indexes[0];

  /** Whether any index for wildcards is kept up, and which. */
  private boolean isIndexed;

  private final boolean[] indexed = new boolean[ALL_PATTERNS];
  private Arrived orderHead;
  private Arrived orderTail;
  private int arrivedCount;

  /** Returns which kind of pattern this is. */
  static int pattern(int peer, int tag) {
    return (peer < 0 ? ANY_PEER : 0) | (tag < 0 ? ANY_TAG : 0);
  }

  // ---------------------------------------------------------------- posted receives

  /** Queues a receive for which nothing has arrived. */
  void post(Posted p) {
    p.sequence = sequence++;
    p.linked = true;
    p.next = null;
    postedCount++;
    Posted head = run;
    if (head != null && head.isAlike(p)) {
      Posted tail = head.previous;
      tail.next = p;
      p.previous = tail;
      head.previous = p;
      return;
    }
    if (head != null) {
      file(head);
    }
    p.previous = p;
    run = p;
  }

  /** Puts the run where it is found by pattern, behind the older receives that are like it. */
  private void file(Posted head) {
    int hash = QueueTable.hash(head.context, head.peer, head.tag);
    int slot = slot(hash, head.context, head.peer, head.tag);
    if (slot < 0) {
      posted.add(~slot, hash, head);
      count(head, 1);
    } else {
      Posted oldest = posted.head(slot);
      Posted tail = oldest.previous;
      tail.next = head;
      oldest.previous = head.previous;
      head.previous = tail;
    }
  }

  private void count(Posted p, int change) {
    int pattern = pattern(p.peer, p.tag);
    postedQueues[pattern] += change;
    if (pattern != 0) {
      wildQueues += change;
    }
  }

  /**
   * Takes the receive that a message matches: the oldest one whose pattern fits.
   *
   * @return the receive, no longer queued, or null
   */
  Posted matchPosted(long context, int peer, int tag) {
    Posted found = findPosted(context, peer, tag);
    if (found != null) {
      unlink(found);
    }
    return found;
  }

  /**
   * Finds the receive that a message matches: the oldest one whose pattern fits.
   *
   * @return the receive, still queued, or null
   */
  Posted findPosted(long context, int peer, int tag) {
    if (posted.size() != 0) {
      Posted found = postedQueues[0] == 0 ? null : oldest(context, peer, tag);
      if (wildQueues != 0) {
        found = findWild(found, context, peer, tag);
      }
      if (found != null) {
        return found;
      }
    }
    Posted p = run;
    boolean fits = p != null && p.context == context && (p.tag == tag || p.tag < 0) && (p.peer == peer || p.peer < 0);
    return fits ? p : null;
  }

  private Posted findWild(Posted exact, long context, int peer, int tag) {
    Posted found = exact;
    if (postedQueues[ANY_PEER] != 0) {
      found = older(found, oldest(context, Constants.ANY_SOURCE, tag));
    }
    if (postedQueues[ANY_TAG] != 0) {
      found = older(found, oldest(context, peer, Constants.ANY_TAG));
    }
    if (postedQueues[ANY_PEER | ANY_TAG] != 0) {
      found = older(found, oldest(context, Constants.ANY_SOURCE, Constants.ANY_TAG));
    }
    return found;
  }

  private static Posted older(Posted a, Posted b) {
    return a == null || b != null && b.sequence < a.sequence ? b : a;
  }

  /** Returns the oldest receive with this very pattern that is not in the run, or null. */
  private Posted oldest(long context, int peer, int tag) {
    int slot = slot(QueueTable.hash(context, peer, tag), context, peer, tag);
    if (slot < 0) {
      return null;
    }
    seen = slot;
    return posted.head(slot);
  }

  private int slot(int hash, long context, int peer, int tag) {
    int slot = posted.find(hash);
    while (slot >= 0) {
      Posted p = posted.head(slot);
      if (p.tag == tag && p.peer == peer && p.context == context) {
        return slot;
      }
      slot = posted.findAfter(slot);
    }
    return slot;
  }

  /** Withdraws a receive; false when it is not queued any more. */
  boolean withdraw(Posted p) {
    if (!p.linked) {
      return false;
    }
    unlink(p);
    return true;
  }

  private void unlink(Posted p) {
    Posted before = p.previous;
    Posted after = p.next;
    if (before.next == null) { // the oldest of its queue, since its predecessor is the youngest
      if (after != null) {
        after.previous = before;
      }
      replaceHead(p, after);
    } else {
      before.next = after;
      if (after == null) {
        head(p).previous = before;
      } else {
        after.previous = before;
      }
    }
    p.previous = null;
    p.next = null;
    p.linked = false;
    postedCount--;
  }

  private void replaceHead(Posted old, Posted head) {
    if (old == run) {
      run = head;
      return;
    }
    int slot = posted.isAt(seen, old) ? seen : slotOf(old);
    if (head == null) {
      posted.remove(slot);
      count(old, -1);
    } else {
      posted.replace(slot, head);
    }
  }

  /** Returns the oldest of the queue whose youngest receive is given. */
  private Posted head(Posted youngest) {
    return run != null && run.previous == youngest ? run : posted.head(slotOf(youngest));
  }

  private int slotOf(Posted p) {
    return slot(QueueTable.hash(p.context, p.peer, p.tag), p.context, p.peer, p.tag);
  }

  /** Withdraws every receive that the predicate accepts and hands it on, in no particular order. */
  void withdrawIf(Predicate<Posted> which, Consumer<Posted> to) {
    List<Posted> chosen = new ArrayList<>();
    for (int slot = 0; slot < posted.slots(); slot++) {
      choose(posted.head(slot), which, chosen);
    }
    choose(run, which, chosen);
    for (Posted p : chosen) {
      if (withdraw(p)) {
        to.accept(p);
      }
    }
  }

  private static void choose(Posted head, Predicate<Posted> which, List<Posted> chosen) {
    for (Posted p = head; p != null; p = p.next) {
      if (which.test(p)) {
        chosen.add(p);
      }
    }
  }

  int postedCount() {
    return postedCount;
  }

  // ---------------------------------------------------------------- unexpected messages

  /** Queues a message for which no receive is posted. */
  void arrive(Arrived a) {
    exact.append(a);
    a.previousInOrder = orderTail;
    a.nextInOrder = null;
    if (orderTail == null) {
      orderHead = a;
    } else {
      orderTail.nextInOrder = a;
    }
    orderTail = a;
    arrivedCount++;
    if (isIndexed) {
      for (int pattern = 1; pattern < ALL_PATTERNS; pattern++) {
        if (indexed[pattern]) {
          append(a, pattern);
        }
      }
    }
  }

  /**
   * Finds the message that a receive with this pattern gets: the oldest that fits.
   *
   * @return the message, still queued, or null
   */
  Arrived findArrived(long context, int peer, int tag) {
    if (arrivedCount == 0) {
      return null;
    }
    int pattern = pattern(peer, tag);
    return pattern == 0 || indexed[pattern]
        ? indexes[pattern].first(context, peer, tag)
        : search(pattern, context, peer, tag);
  }

  private Arrived search(int pattern, long context, int peer, int tag) {
    Arrived a = orderHead;
    for (int passed = 0; a != null; passed++) {
      if (a.context == context && (tag < 0 || a.tag == tag) && (peer < 0 || a.peer == peer)) {
        return a;
      }
      if (passed == FAR) {
        index(pattern);
        return indexes[pattern].first(context, peer, tag);
      }
      a = a.nextInOrder;
    }
    return null;
  }

  private void index(int pattern) {
    for (Arrived a = orderHead; a != null; a = a.nextInOrder) {
      append(a, pattern);
    }
    indexed[pattern] = true;
    isIndexed = true;
  }

  private void append(Arrived a, int pattern) {
    if (a.places == null) {
      a.places = new ArrivedPlace[ALL_PATTERNS];
    }
    if (a.places[pattern] == null) {
      a.places[pattern] = new ArrivedPlace.OfWildcard(a);
    }
    indexes[pattern].append(a.places[pattern]);
  }

  /** Takes a message that {@link #findArrived} returned out of the queue. */
  void remove(Arrived a) {
    exact.remove(a);
    if (a.previousInOrder == null) {
      orderHead = a.nextInOrder;
    } else {
      a.previousInOrder.nextInOrder = a.nextInOrder;
    }
    if (a.nextInOrder == null) {
      orderTail = a.previousInOrder;
    } else {
      a.nextInOrder.previousInOrder = a.previousInOrder;
    }
    a.previousInOrder = null;
    a.nextInOrder = null;
    arrivedCount--;
    if (isIndexed) {
      removeFromIndexes(a);
    }
  }

  private void removeFromIndexes(Arrived a) {
    for (int pattern = 1; pattern < ALL_PATTERNS; pattern++) {
      if (indexed[pattern]) {
        indexes[pattern].remove(a.places[pattern]);
        indexed[pattern] = arrivedCount != 0;
      }
    }
    isIndexed = arrivedCount != 0;
  }

  int arrivedCount() {
    return arrivedCount;
  }

  boolean isEmpty() {
    return (postedCount | arrivedCount) == 0;
  }
}
