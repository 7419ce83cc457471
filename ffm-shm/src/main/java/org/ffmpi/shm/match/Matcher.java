// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.match;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ffmpi.base.Constants;
import org.ffmpi.base.Watermarks;

/**
 * The queues of MPI's matching rules (MPI-4.1 section 3.5), of posted receives and of unexpected messages. A pure data
 * structure, without native memory, threads and time. Called with the rank's lock held.
 *
 * <p>The cost of a match does not depend on the length of the queues. Posted receives stand in one queue for each
 * pattern, wildcards included, hashed by (context, peer, tag): a message searches up to four of them, and sequence
 * numbers decide which receive was posted first. A run of equal receives at the young end is not even hashed.
 * Unexpected messages stand in one queue for each envelope, hashed as well, and all in one list in the order in which
 * they came, where searches with a wildcard begin. The first search that walks far there makes queues for its kind of
 * pattern, which are maintained until no unexpected message is left. Messages from one peer in one context keep the
 * order in which the engine offers them.
 */
public final class Matcher {
  /** Messages that a search passes before it makes an index. */
  private static final int FAR = 32;

  private static final int ANY_PEER = 1;
  private static final int ANY_TAG = 2;
  private static final int ALL_PATTERNS = 4;

  private final QueueTable<PostedReceive> posted = new QueueTable<>();

  /** Number of queues of each kind of pattern in {@link #posted}. */
  private final int[] postedQueues = new int[ALL_PATTERNS];

  private int wildQueues;

  /** Slot in which the last search found a receive, usually the next to be withdrawn. */
  private int seen;

  /** The oldest of the last posted receives that are all alike; they are found without hashing. */
  private PostedReceive run;

  private int postedCount;
  private long sequence;

  /** By kind of pattern; the first serves exact patterns, and is always maintained. */
  private final UnexpectedIndex[] indexes = {
      new UnexpectedIndex(false, false), new UnexpectedIndex(true, false), new UnexpectedIndex(false, true),
      new UnexpectedIndex(true, true)};

  private final UnexpectedIndex exact = indexes[0];

  /** Set while any index for wildcards is maintained; the next field has which. */
  private boolean isIndexed;

  private final boolean[] indexed = new boolean[ALL_PATTERNS];
  private Unexpected orderHead;
  private Unexpected orderTail;
  private int unexpectedCount;

  /** The marks of observers at the number of unexpected messages. */
  private final Watermarks marks = new Watermarks();

  /** Creates empty queues. */
  public Matcher() {}

  /** Returns the kind of a pattern. */
  static int pattern(int peer, int tag) {
    return (peer < 0 ? ANY_PEER : 0) | (tag < 0 ? ANY_TAG : 0);
  }

  // ---------------------------------------------------------------- posted receives

  /**
   * Queues a receive that no unexpected message matches.
   *
   * @param p the receive
   */
  public void post(PostedReceive p) {
    p.sequence = sequence++;
    p.linked = true;
    p.next = null;
    postedCount++;
    PostedReceive head = run;
    if (head != null && head.isAlike(p)) {
      PostedReceive tail = head.previous;
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

  /** Moves the run into the table, behind the older receives that are like it. */
  private void file(PostedReceive head) {
    int hash = QueueTable.hash(head.context, head.peer, head.tag);
    int slot = slot(hash, head.context, head.peer, head.tag);
    if (slot < 0) {
      posted.add(~slot, hash, head);
      count(head, 1);
    } else {
      PostedReceive oldest = posted.head(slot);
      PostedReceive tail = oldest.previous;
      tail.next = head;
      oldest.previous = head.previous;
      head.previous = tail;
    }
  }

  private void count(PostedReceive p, int change) {
    int pattern = pattern(p.peer, p.tag);
    postedQueues[pattern] += change;
    if (pattern != 0) {
      wildQueues += change;
    }
  }

  /**
   * Matches a message: finds the oldest receive whose pattern fits, and dequeues it.
   *
   * @param context the message's context
   * @param peer its sender
   * @param tag its tag
   * @return the receive, no longer queued, or null
   */
  public PostedReceive matchPosted(long context, int peer, int tag) {
    PostedReceive found = findPosted(context, peer, tag);
    if (found != null) {
      unlink(found);
    }
    return found;
  }

  /**
   * Finds the receive that a message matches: the oldest one whose pattern fits.
   *
   * @param context the message's context
   * @param peer its sender
   * @param tag its tag
   * @return the receive, still queued, or null
   */
  public PostedReceive findPosted(long context, int peer, int tag) {
    if (posted.size() != 0) {
      PostedReceive found = postedQueues[0] == 0 ? null : oldest(context, peer, tag);
      if (wildQueues != 0) {
        found = findWild(found, context, peer, tag);
      }
      if (found != null) {
        return found;
      }
    }
    PostedReceive p = run;
    boolean fits = p != null && p.context == context && (p.tag == tag || p.tag < 0) && (p.peer == peer || p.peer < 0);
    return fits ? p : null;
  }

  private PostedReceive findWild(PostedReceive exact, long context, int peer, int tag) {
    PostedReceive found = exact;
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

  private static PostedReceive older(PostedReceive a, PostedReceive b) {
    return a == null || b != null && b.sequence < a.sequence ? b : a;
  }

  /** Returns the oldest receive with this very pattern that is not in the run, or null. */
  private PostedReceive oldest(long context, int peer, int tag) {
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
      PostedReceive p = posted.head(slot);
      if (p.tag == tag && p.peer == peer && p.context == context) {
        return slot;
      }
      slot = posted.findAfter(slot);
    }
    return slot;
  }

  /**
   * Withdraws a receive.
   *
   * @param p the receive
   * @return false when it is not queued any more
   */
  public boolean withdraw(PostedReceive p) {
    if (!p.linked) {
      return false;
    }
    unlink(p);
    return true;
  }

  private void unlink(PostedReceive p) {
    PostedReceive before = p.previous;
    PostedReceive after = p.next;
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

  private void replaceHead(PostedReceive old, PostedReceive head) {
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
  private PostedReceive head(PostedReceive youngest) {
    return run != null && run.previous == youngest ? run : posted.head(slotOf(youngest));
  }

  private int slotOf(PostedReceive p) {
    return slot(QueueTable.hash(p.context, p.peer, p.tag), p.context, p.peer, p.tag);
  }

  /**
   * Withdraws every accepted receive and passes it on, in no particular order.
   *
   * @param which accepts receives
   * @param to receives the withdrawn ones
   */
  public void withdrawIf(Predicate<PostedReceive> which, Consumer<PostedReceive> to) {
    List<PostedReceive> chosen = new ArrayList<>();
    for (int slot = 0; slot < posted.slots(); slot++) {
      choose(posted.head(slot), which, chosen);
    }
    choose(run, which, chosen);
    for (PostedReceive p : chosen) {
      if (withdraw(p)) {
        to.accept(p);
      }
    }
  }

  /**
   * Returns whether the predicate accepts a posted receive. Walks all of them.
   *
   * @param which accepts receives
   * @return true when there is one
   */
  public boolean anyPosted(Predicate<PostedReceive> which) {
    boolean found = anyOf(run, which);
    for (int slot = 0; !found && slot < posted.slots(); slot++) {
      found = anyOf(posted.head(slot), which);
    }
    return found;
  }

  private static boolean anyOf(PostedReceive head, Predicate<PostedReceive> which) {
    for (PostedReceive p = head; p != null; p = p.next) {
      if (which.test(p)) {
        return true;
      }
    }
    return false;
  }

  private static void choose(PostedReceive head, Predicate<PostedReceive> which, List<PostedReceive> chosen) {
    for (PostedReceive p = head; p != null; p = p.next) {
      if (which.test(p)) {
        chosen.add(p);
      }
    }
  }

  /**
   * Returns the number of posted receives. Racy without the lock.
   *
   * @return their number
   */
  public int postedCount() {
    return postedCount;
  }

  // ---------------------------------------------------------------- unexpected messages

  /**
   * Queues a message for which no receive is posted.
   *
   * @param m the message
   */
  public void addUnexpected(Unexpected m) {
    exact.append(m);
    m.previousInOrder = orderTail;
    m.nextInOrder = null;
    if (orderTail == null) {
      orderHead = m;
    } else {
      orderTail.nextInOrder = m;
    }
    orderTail = m;
    unexpectedCount++;
    marks.raise(unexpectedCount);
    if (isIndexed) {
      for (int pattern = 1; pattern < ALL_PATTERNS; pattern++) {
        if (indexed[pattern]) {
          append(m, pattern);
        }
      }
    }
  }

  /** Returns the oldest message that a receive matches, still queued, or null. */
  public Unexpected findUnexpected(PostedReceive receive) {
    return unexpectedCount == 0 ? null : findUnexpected(receive.context, receive.peer, receive.tag);
  }

  /**
   * Finds the message that a receive with this pattern matches: the oldest that fits.
   *
   * @param context the receive's context
   * @param peer a sender, or ANY_SOURCE
   * @param tag a tag, or ANY_TAG
   * @return the message, still queued, or null
   */
  public Unexpected findUnexpected(long context, int peer, int tag) {
    if (unexpectedCount == 0) {
      return null;
    }
    int pattern = pattern(peer, tag);
    return pattern == 0 || indexed[pattern]
        ? indexes[pattern].first(context, peer, tag)
        : search(pattern, context, peer, tag);
  }

  private Unexpected search(int pattern, long context, int peer, int tag) {
    Unexpected m = orderHead;
    for (int passed = 0; m != null; passed++) {
      if (m.context == context && (tag < 0 || m.tag == tag) && (peer < 0 || m.peer == peer)) {
        return m;
      }
      if (passed == FAR) {
        index(pattern);
        return indexes[pattern].first(context, peer, tag);
      }
      m = m.nextInOrder;
    }
    return null;
  }

  private void index(int pattern) {
    for (Unexpected m = orderHead; m != null; m = m.nextInOrder) {
      append(m, pattern);
    }
    indexed[pattern] = true;
    isIndexed = true;
  }

  private void append(Unexpected m, int pattern) {
    if (m.places == null) {
      m.places = new UnexpectedPlace[ALL_PATTERNS];
    }
    if (m.places[pattern] == null) {
      m.places[pattern] = new UnexpectedPlace.OfWildcard(m);
    }
    indexes[pattern].append(m.places[pattern]);
  }

  /**
   * Dequeues a message that {@link #findUnexpected} returned.
   *
   * @param m the message
   */
  public void remove(Unexpected m) {
    exact.remove(m);
    if (m.previousInOrder == null) {
      orderHead = m.nextInOrder;
    } else {
      m.previousInOrder.nextInOrder = m.nextInOrder;
    }
    if (m.nextInOrder == null) {
      orderTail = m.previousInOrder;
    } else {
      m.nextInOrder.previousInOrder = m.previousInOrder;
    }
    m.previousInOrder = null;
    m.nextInOrder = null;
    unexpectedCount--;
    if (isIndexed) {
      removeFromIndexes(m);
    }
  }

  private void removeFromIndexes(Unexpected m) {
    for (int pattern = 1; pattern < ALL_PATTERNS; pattern++) {
      if (indexed[pattern]) {
        indexes[pattern].remove(m.places[pattern]);
        indexed[pattern] = unexpectedCount != 0;
      }
    }
    isIndexed = unexpectedCount != 0;
  }

  /**
   * Passes on every accepted unexpected message, in the order in which they came. They stay queued, but the consumer
   * may dequeue the one that it receives.
   *
   * @param which accepts messages
   * @param to receives them
   */
  public void eachUnexpected(Predicate<Unexpected> which, Consumer<Unexpected> to) {
    for (Unexpected m = orderHead; m != null; ) {
      Unexpected next = m.nextInOrder;
      if (which.test(m)) {
        to.accept(m);
      }
      m = next;
    }
  }

  /**
   * Returns whether receives are posted.
   *
   * @return false when there is none
   */
  public boolean hasPosted() {
    return postedCount != 0;
  }

  /**
   * Returns the number of unexpected messages. Racy without the lock.
   *
   * @return their number
   */
  public int unexpectedCount() {
    return unexpectedCount;
  }

  /**
   * Returns the marks of observers at the number of unexpected messages.
   *
   * @return the marks
   */
  public Watermarks marks() {
    return marks;
  }

  /**
   * Returns whether both queues are empty.
   *
   * @return true when nothing is posted and nothing unexpected
   */
  public boolean isEmpty() {
    return (postedCount | unexpectedCount) == 0;
  }
}
