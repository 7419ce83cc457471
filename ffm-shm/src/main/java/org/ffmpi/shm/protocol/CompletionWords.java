// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.progress.EngineLock;
import org.ffmpi.shm.segment.JobSegment;

/**
 * The pool of a rank's completion words, and the sends whose word a receiver is going to change. Guarded by a lock of
 * its own.
 *
 * <p>Polling reads a bounded number of words a call, in turn: unchanged words lie in this core's own cache, so that a
 * read costs about a nanosecond.
 */
final class CompletionWords {
  private static final int SCAN = 64;
  private static final int WORDS_PER_SLAB = 64;

  private final EngineLock lock = new EngineLock();
  private final JobSegment segment;
  private SendOp[] pending = new SendOp[16];
  private int count;
  private int cursor;
  private long[] freeWords = new long[16];
  private int freeCount;
  private int generation;

  /** By word, the sends whose peer, on another node, is asked to cancel. */
  private final Map<Long, SendOp> asked = new HashMap<>();

  /**
   * Creates an empty pool.
   *
   * @param segment the job's segment
   */
  public CompletionWords(JobSegment segment) {
    this.segment = segment;
  }

  /** Returns whether no word is watched. Racy; it decides whether polling is worth the lock. */
  boolean isEmpty() {
    return count == 0;
  }

  /** Returns the number of scans that read every word once. */
  int rounds() {
    return count / SCAN + 1;
  }

  /** Claims a word in state PENDING for the operation and watches it. The envelope is published afterwards. */
  void claim(SendOp op) {
    lock.lock();
    try {
      if (freeCount == 0) {
        refill();
      }
      op.word = freeWords[--freeCount];
      op.generation = ++generation;
      CompletionWordLayout.setReleasePending(op.word, op.generation);
      if (count == pending.length) {
        pending = Arrays.copyOf(pending, 2 * count);
      }
      op.watchedAt = count;
      pending[count++] = op;
    } finally {
      lock.unlock();
    }
  }

  private void refill() {
    long slab = segment.claim(WORDS_PER_SLAB * CompletionWordLayout.BYTES);
    for (int i = WORDS_PER_SLAB - 1; i >= 0; i--) {
      putFree(slab + i * CompletionWordLayout.BYTES);
    }
  }

  private void putFree(long word) {
    if (freeCount == freeWords.length) {
      freeWords = Arrays.copyOf(freeWords, 2 * freeCount);
    }
    freeWords[freeCount++] = word;
    if (!asked.isEmpty()) {
      asked.remove(word);
    }
  }

  /** Releases the word of a send that is no longer watched. */
  void release(SendOp op) {
    lock.lock();
    try {
      putFree(op.word);
      op.word = 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads some words and passes on the sends whose peer has changed the word. Called with the rank's lock held.
   *
   * @param onMatched receives piped sends whose word is MATCHED; they are no longer watched but keep their word
   * @param onDone receives sends whose word is DONE; they are no longer watched and have no word
   * @return number of operations moved
   */
  int scan(Consumer<SendOp> onMatched, Consumer<SendOp> onDone) {
    int moved = 0;
    if (!lock.lock()) {
      return 0;
    }
    try {
      int looks = Math.min(SCAN, count);
      for (int i = 0; i < looks && count > 0; i++) {
        if (cursor >= count) {
          cursor = 0;
        }
        SendOp op = pending[cursor];
        int state = CompletionWordLayout.getAcquireState(op.word, op.generation);
        if (state == CompletionWordLayout.PENDING) {
          cursor++;
        } else if (state == CompletionWordLayout.DONE) {
          unwatch(cursor);
          putFree(op.word);
          op.word = 0;
          moved++;
          if (op.allSent || !op.protocol.isEager()) {
            onDone.accept(op);
          }
        } else if (state == CompletionWordLayout.MATCHED && op.protocol.mayUsePipe()) {
          unwatch(cursor);
          moved++;
          onMatched.accept(op);
        } else if (state == CompletionWordLayout.CLAIMED && op.cancellable || op.protocol.isEager() && !op.allSent) {
          cursor++; // a send that is partly in the ring ends with its last chunk
        } else {
          unwatch(cursor);
          op.word = 0; // not reused: another writer stores there
          moved++;
          op.finish(new MpiException(
              ErrorClass.ERR_INTERN,
              "the completion word of a message to rank " + op.peer + " holds the impossible state " + state));
        }
      }
      return moved;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records that all chunks of a synchronous eager message are in the ring.
   *
   * @return true when it is matched, so that the send is over; otherwise {@link #scan} ends it
   */
  boolean markAllSent(SendOp op) {
    lock.lock();
    try {
      op.allSent = true;
      return op.word == 0;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether a send of some contexts waits for its peer. */
  boolean any(LongPredicate contexts) {
    if (!lock.lock()) {
      return false;
    }
    try {
      for (int i = 0; i < count; i++) {
        if (contexts.test(pending[i].context)) {
          return true;
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Passes every send that waits for its peer to a consumer. */
  void forEach(Consumer<SendOp> to) {
    if (!lock.lock()) {
      return;
    }
    try {
      for (int i = 0; i < count; i++) {
        to.accept(pending[i]);
      }
    } finally {
      lock.unlock();
    }
  }

  private void unwatch(int index) {
    SendOp last = pending[--count];
    pending[index] = last;
    last.watchedAt = index;
    pending[count] = null;
  }

  private boolean isWatched(SendOp op) {
    return op.watchedAt < count && pending[op.watchedAt] == op;
  }

  /**
   * Cancels the operation if its peer has not matched it. The word is free afterwards and the operation is not watched.
   */
  boolean cancel(SendOp op) {
    lock.lock();
    try {
      if (op.word == 0
          || !CompletionWordLayout.cas(
              op.word, op.generation, CompletionWordLayout.PENDING, CompletionWordLayout.CANCELLED)) {
        return false;
      }
      if (isWatched(op)) {
        unwatch(op.watchedAt);
      }
      putFree(op.word);
      op.word = 0;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records that the send's peer, on another node, is going to be asked to cancel it.
   *
   * @return false when the peer has matched it
   */
  boolean ask(SendOp op) {
    if (!lock.lock()) {
      return false;
    }
    try {
      boolean isOpen = op.word != 0
          && CompletionWordLayout.getAcquireState(op.word, op.generation) == CompletionWordLayout.PENDING;
      if (isOpen) {
        asked.put(op.word, op);
      }
      return isOpen;
    } finally {
      lock.unlock();
    }
  }

  /** Removes a send that its peer, on another node, has cancelled; returns it, or null when it is not watched. */
  SendOp cancelled(long word, int generation) {
    if (!lock.lock()) {
      return null;
    }
    try {
      SendOp op = asked.get(word);
      if (op == null || op.word != word || op.generation != generation || !isWatched(op)) {
        return null;
      }
      unwatch(op.watchedAt);
      putFree(word);
      op.word = 0;
      return op;
    } finally {
      lock.unlock();
    }
  }

  /** Cancels all accepted operations that have left as a whole and that no peer has matched. */
  List<SendOp> cancelIf(Predicate<SendOp> which) {
    List<SendOp> cancelled = new ArrayList<>();
    if (!lock.lock()) {
      return cancelled;
    }
    try {
      for (int i = count - 1; i >= 0; i--) {
        SendOp op = pending[i];
        if (op.cancellable && (op.allSent || !op.protocol.isEager()) && which.test(op)
            && CompletionWordLayout.cas(
                op.word, op.generation, CompletionWordLayout.PENDING, CompletionWordLayout.CANCELLED)) {
          unwatch(i);
          putFree(op.word);
          op.word = 0;
          cancelled.add(op);
        }
      }
      return cancelled;
    } finally {
      lock.unlock();
    }
  }

  /** Stops watching all accepted operations and passes them on. Their words are not reused. */
  void unwatchIf(Predicate<SendOp> which, Consumer<SendOp> to) {
    SendOp[] dropped = new SendOp[0];
    lock.lock();
    try {
      for (int i = count - 1; i >= 0; i--) {
        if (which.test(pending[i])) {
          dropped = Arrays.copyOf(dropped, dropped.length + 1);
          dropped[dropped.length - 1] = pending[i];
          unwatch(i);
        }
      }
    } finally {
      lock.unlock();
    }
    for (SendOp op : dropped) {
      to.accept(op);
    }
  }

  /** Closes the lock after its holder has left; no word is touched afterwards. */
  void close() {
    lock.close();
  }
}
