// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which receive of a rank got which message, and when it was asked for, against the rules of MPI-4.1 §3.5:
 *
 * <ul>
 *   <li>Of two messages that one thread sent to this rank one after the other, and that both fit a receive, the later
 *       does not get it as long as the earlier has not been received: the earlier one's receive was not asked for after
 *       this one.
 *   <li>Of two receives that one message fits, the one asked for later does not get it while the other waits.
 * </ul>
 *
 * Times are tickets, taken before and after each call. Of calls that several threads made at the same time neither was
 * first, and nothing is demanded.
 */
final class MatchLog {
  private final AtomicLong clock = new AtomicLong();
  private final ConcurrentLinkedQueue<Entry> entries = new ConcurrentLinkedQueue<>();

  /** One receive. */
  static final class Entry {
    final int source;
    final int tag;
    private final long before;
    private long after = Long.MAX_VALUE;
    private long cancelled = Long.MAX_VALUE;
    private long taken = Long.MAX_VALUE;
    private int fromRank = -1;
    private int fromThread;
    private int number;
    private int messageTag;

    private Entry(int source, int tag, long before) {
      this.source = source;
      this.tag = tag;
      this.before = before;
    }

    private boolean fits(int rank, int sentTag) {
      return (source < 0 || source == rank) && (tag < 0 || tag == sentTag);
    }

    private boolean isSurelyBefore(Entry other) {
      return after < other.before;
    }

    @Override
    public String toString() {
      return "receive (" + source + ", " + tag + ") at " + before + ".." + after
          + (fromRank < 0
              ? " of nothing"
              : " of message " + number + " of thread " + fromThread + " of rank " + fromRank + " with tag "
                  + messageTag + " at " + taken);
    }
  }

  /** Notes that something is about to be asked for. */
  Entry entry(int source, int tag) {
    Entry entry = new Entry(source, tag, clock.incrementAndGet());
    entries.add(entry);
    return entry;
  }

  /** Notes that the call that asked has returned. */
  void asked(Entry entry) {
    entry.after = clock.incrementAndGet();
  }

  /** Nothing was asked for after all. */
  void forget(Entry entry) {
    entries.remove(entry);
  }

  /** Notes that it may be withdrawn from now on. */
  void cancelling(Entry entry) {
    entry.cancelled = clock.incrementAndGet();
  }

  /** Notes what came. */
  void took(Entry entry, int rank, int thread, int number, int tag) {
    entry.fromRank = rank;
    entry.fromThread = thread;
    entry.number = number;
    entry.messageTag = tag;
    entry.taken = clock.incrementAndGet();
  }

  /** Checks the rules, and returns how many messages came. */
  int check() {
    List<Entry> all = List.copyOf(entries);
    int messages = 0;
    for (Entry one : all) {
      messages += one.fromRank >= 0 ? 1 : 0;
      for (Entry other : all) {
        if (one == other || other.fromRank < 0 || !one.fits(other.fromRank, other.messageTag)
            || !one.isSurelyBefore(other)) {
          continue;
        }
        // The other was asked for later, and got what this one could have had.
        if (one.fromRank == other.fromRank && one.fromThread == other.fromThread && one.number >= other.number) {
          fail((one.number == other.number ? "received twice: " : "overtaken: ") + one + ", " + other);
        }
        if (one.fromRank < 0 && other.taken < one.cancelled) {
          fail("passed over: " + one + ", " + other);
        }
      }
    }
    return messages;
  }
}
