// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The two queues of MPI's matching rules (MPI-4.1 section 3.5): posted receives and unexpected messages. A pure data
 * structure: no memory, no threads, no time. The engine calls it with its lock held.
 *
 * <p>Both queues are hashed by (context, peer, tag), so that a match costs the same however long they are; a run of
 * equal receives at the young end of the queue is not even hashed. Receives with
 * a wildcard wait in one list in posting order; sequence numbers settle which of an exact and a wild receive came
 * first. Unexpected messages also stand in one list in arrival order, which receives and probes with a wildcard search.
 * The order of messages from one peer in one context is the order in which the engine offers them, and is never changed
 * here.
 */
final class Matcher {
  private static final int FIRST_BINS = 64;

  /** In place of a bin: among the wildcards, or in the run of the youngest. */
  private static final int WILD = -1;

  private static final int RUN = -2;
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private Posted[] postedHeads = new Posted[FIRST_BINS];
  private Posted[] postedTails = new Posted[FIRST_BINS];
  private Arrived[] arrivedHeads = new Arrived[FIRST_BINS];
  private Arrived[] arrivedTails = new Arrived[FIRST_BINS];

  /** The receives posted last, as long as they are all alike: the youngest of all, found without hashing. */
  private Posted runHead;

  private Posted runTail;
  private int runCount;

  private Posted wildHead;
  private Posted wildTail;
  private Arrived orderHead;
  private Arrived orderTail;
  private int exactCount;
  private int wildCount;
  private int arrivedCount;
  private long sequence;

  /** Queues a receive for which nothing has arrived. */
  void post(Posted p) {
    p.sequence = sequence++;
    p.linked = true;
    p.bin = RUN;
    p.next = null;
    Posted last = runTail;
    if (last == null) {
      runHead = p;
    } else if (last.tag == p.tag && last.peer == p.peer && last.context == p.context) {
      last.next = p;
    } else {
      fileRun();
      last = null;
      runHead = p;
    }
    p.previous = last;
    runTail = p;
    runCount++;
  }

  private void fileRun() {
    for (Posted p = runHead; p != null; ) {
      Posted following = p.next;
      file(p);
      p = following;
    }
    runHead = null;
    runTail = null;
    runCount = 0;
  }

  /** Puts a receive where it is found by key. */
  private void file(Posted p) {
    if (p.isWild()) {
      p.previous = wildTail;
      p.next = null;
      if (wildTail == null) {
        wildHead = p;
      } else {
        wildTail.next = p;
      }
      wildTail = p;
      wildCount++;
      p.bin = WILD;
      return;
    }
    if (exactCount >= 2 * postedHeads.length) {
      growPosted();
    }
    append(p, bin(p.context, p.peer, p.tag, postedHeads.length));
    exactCount++;
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
    Posted exact = null;
    if (exactCount != 0) {
      exact = postedHeads[bin(context, peer, tag, postedHeads.length)];
      while (exact != null && (exact.tag != tag || exact.peer != peer || exact.context != context)) {
        exact = exact.next;
      }
    }
    Posted wild = null;
    if (wildCount != 0) {
      wild = wildHead;
      while (wild != null && !fits(wild.context, wild.peer, wild.tag, context, peer, tag)) {
        wild = wild.next;
      }
    }
    Posted found = exact == null || wild != null && wild.sequence < exact.sequence ? wild : exact;
    Posted run = runHead;
    return found == null && run != null && fits(run.context, run.peer, run.tag, context, peer, tag) ? run : found;
  }

  /** Withdraws a receive; false when it is not queued any more. */
  boolean withdraw(Posted p) {
    if (!p.linked) {
      return false;
    }
    unlink(p);
    return true;
  }

  /** Queues a message for which no receive is posted. */
  void arrive(Arrived a) {
    if (arrivedCount >= 2 * arrivedHeads.length) {
      growArrived();
    }
    append(a, bin(a.context, a.peer, a.tag, arrivedHeads.length));
    a.previousInOrder = orderTail;
    a.nextInOrder = null;
    if (orderTail == null) {
      orderHead = a;
    } else {
      orderTail.nextInOrder = a;
    }
    orderTail = a;
    arrivedCount++;
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
    if (peer >= 0 && tag >= 0) {
      Arrived a = arrivedHeads[bin(context, peer, tag, arrivedHeads.length)];
      while (a != null && (a.tag != tag || a.peer != peer || a.context != context)) {
        a = a.nextInBin;
      }
      return a;
    }
    Arrived a = orderHead;
    while (a != null && !fits(context, peer, tag, a.context, a.peer, a.tag)) {
      a = a.nextInOrder;
    }
    return a;
  }

  /** Takes a message that {@link #findArrived} returned out of the queue. */
  void remove(Arrived a) {
    int bin = bin(a.context, a.peer, a.tag, arrivedHeads.length);
    if (a.previousInBin == null) {
      arrivedHeads[bin] = a.nextInBin;
    } else {
      a.previousInBin.nextInBin = a.nextInBin;
    }
    if (a.nextInBin == null) {
      arrivedTails[bin] = a.previousInBin;
    } else {
      a.nextInBin.previousInBin = a.previousInBin;
    }
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
    a.previousInBin = null;
    a.nextInBin = null;
    a.previousInOrder = null;
    a.nextInOrder = null;
    arrivedCount--;
  }

  boolean isEmpty() {
    return (runCount | exactCount | wildCount | arrivedCount) == 0;
  }

  int postedCount() {
    return exactCount + wildCount + runCount;
  }

  int arrivedCount() {
    return arrivedCount;
  }

  /** Withdraws every receive that the predicate accepts and hands it on, in no particular order. */
  void withdrawIf(Predicate<Posted> which, Consumer<Posted> to) {
    for (Posted head : postedHeads.clone()) {
      withdrawChain(head, which, to);
    }
    withdrawChain(wildHead, which, to);
    withdrawChain(runHead, which, to);
  }

  private void withdrawChain(Posted head, Predicate<Posted> which, Consumer<Posted> to) {
    for (Posted p = head; p != null; ) {
      Posted following = p.next;
      if (which.test(p)) {
        unlink(p);
        to.accept(p);
      }
      p = following;
    }
  }

  private static boolean fits(long wantContext, int wantPeer, int wantTag, long context, int peer, int tag) {
    return wantContext == context && (wantPeer < 0 || wantPeer == peer) && (wantTag < 0 || wantTag == tag);
  }

  /** One multiplication over all three: tags and contexts grow by small steps, which it spreads over the high bits. */
  private static int bin(long context, int peer, int tag, int bins) {
    long h = ((context << 40) + ((long) peer << 20) + tag) * MIX;
    return (int) (h >>> 44) & (bins - 1);
  }

  private void append(Posted p, int bin) {
    Posted tail = postedTails[bin];
    p.bin = bin;
    p.previous = tail;
    p.next = null;
    if (tail == null) {
      postedHeads[bin] = p;
    } else {
      tail.next = p;
    }
    postedTails[bin] = p;
  }

  private void append(Arrived a, int bin) {
    Arrived tail = arrivedTails[bin];
    a.previousInBin = tail;
    a.nextInBin = null;
    if (tail == null) {
      arrivedHeads[bin] = a;
    } else {
      tail.nextInBin = a;
    }
    arrivedTails[bin] = a;
  }

  private void unlink(Posted p) {
    if (p.bin == RUN && p == runHead) {
      Posted following = p.next;
      runHead = following;
      if (following == null) {
        runTail = null;
      } else {
        following.previous = null;
        p.next = null;
      }
      p.linked = false;
      runCount--;
    } else if (p.bin == RUN) {
      p.previous.next = p.next;
      if (p.next == null) {
        runTail = p.previous;
      } else {
        p.next.previous = p.previous;
      }
      p.previous = null;
      p.next = null;
      p.linked = false;
      runCount--;
    } else {
      unlinkFiled(p);
    }
  }

  private void unlinkFiled(Posted p) {
    int bin = p.bin;
    boolean wild = bin == WILD;
    if (p.previous != null) {
      p.previous.next = p.next;
    } else if (wild) {
      wildHead = p.next;
    } else {
      postedHeads[bin] = p.next;
    }
    if (p.next != null) {
      p.next.previous = p.previous;
    } else if (wild) {
      wildTail = p.previous;
    } else {
      postedTails[bin] = p.previous;
    }
    p.previous = null;
    p.next = null;
    p.linked = false;
    if (wild) {
      wildCount--;
    } else {
      exactCount--;
    }
  }

  /** Twice the bins; walking each chain from its head keeps the order of equal keys. */
  private void growPosted() {
    Posted[] old = postedHeads;
    postedHeads = new Posted[2 * old.length];
    postedTails = new Posted[2 * old.length];
    for (Posted head : old) {
      for (Posted p = head; p != null; ) {
        Posted following = p.next;
        append(p, bin(p.context, p.peer, p.tag, postedHeads.length));
        p = following;
      }
    }
  }

  private void growArrived() {
    Arrived[] old = arrivedHeads;
    arrivedHeads = new Arrived[2 * old.length];
    arrivedTails = new Arrived[2 * old.length];
    for (Arrived head : old) {
      for (Arrived a = head; a != null; ) {
        Arrived following = a.nextInBin;
        append(a, bin(a.context, a.peer, a.tag, arrivedHeads.length));
        a = following;
      }
    }
  }
}
