// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ffmpi.shm.segment.JobSegment;

/**
 * The sends whose completion word somebody else will change, and the pool of such words. The lock is this object
 * itself.
 *
 * <p>Polling looks at a bounded number of words a call, going round: words that nobody has touched lie in this core's
 * own cache, so that looking costs about a nanosecond each.
 */
final class Offers extends EngineLock {
  private static final int SCAN = 64;
  private static final int WORDS_PER_SLAB = 64;

  private final JobSegment segment;
  private SendOp[] pending = new SendOp[16];
  private int count;
  private int cursor;
  private long[] freeWords = new long[16];
  private int freeCount;
  private int generation;

  Offers(JobSegment segment) {
    this.segment = segment;
  }

  /** Racy: for deciding whether polling is worth the lock. */
  boolean isEmpty() {
    return count == 0;
  }

  /** How many scans look at every word once, if none of them goes. */
  int rounds() {
    return count / SCAN + 1;
  }

  /** Gives the operation a word in state OFFERED and starts watching it. The envelope is published afterwards. */
  void offer(SendOp op) {
    lock();
    try {
      if (freeCount == 0) {
        refill();
      }
      op.word = freeWords[--freeCount];
      op.generation = ++generation;
      WordLayout.setReleaseOffered(op.word, op.generation);
      if (count == pending.length) {
        pending = Arrays.copyOf(pending, 2 * count);
      }
      pending[count++] = op;
    } finally {
      unlock();
    }
  }

  private void refill() {
    long slab = segment.take(WORDS_PER_SLAB * WordLayout.BYTES);
    for (int i = WORDS_PER_SLAB - 1; i >= 0; i--) {
      putFree(slab + i * WordLayout.BYTES);
    }
  }

  private void putFree(long word) {
    if (freeCount == freeWords.length) {
      freeWords = Arrays.copyOf(freeWords, 2 * freeCount);
    }
    freeWords[freeCount++] = word;
  }

  /** Ends the word's generation; the operation is no longer watched. */
  void retire(SendOp op) {
    lock();
    try {
      putFree(op.word);
      op.word = 0;
    } finally {
      unlock();
    }
  }

  /**
   * Looks at some words and hands on the operations whose peer has moved. Called with the engine's lock held.
   *
   * @param onMatched gets piped sends whose word is MATCHED; they are no longer watched but keep their word
   * @param onDone gets sends whose word is DONE; they are no longer watched and have no word
   * @return how many operations moved
   */
  int scan(Consumer<SendOp> onMatched, Consumer<SendOp> onDone) {
    int moved = 0;
    if (!lock()) {
      return 0;
    }
    try {
      int looks = Math.min(SCAN, count);
      for (int i = 0; i < looks && count > 0; i++) {
        if (cursor >= count) {
          cursor = 0;
        }
        SendOp op = pending[cursor];
        int state = WordLayout.getAcquireState(op.word, op.generation);
        if (state == WordLayout.DONE) {
          drop(cursor);
          putFree(op.word);
          op.word = 0;
          moved++;
          if (op.allSent || op.protocol.compareTo(Protocol.EAGER) > 0) {
            onDone.accept(op);
          }
        } else if (state == WordLayout.MATCHED && op.protocol == Protocol.PIPED) {
          drop(cursor);
          moved++;
          onMatched.accept(op);
        } else {
          cursor++;
        }
      }
      return moved;
    } finally {
      unlock();
    }
  }

  /**
   * Says that all chunks of a synchronous eager message are out.
   *
   * @return true when it has been matched, so that the send is over; otherwise {@link #scan} will find out
   */
  boolean isMatchedNowAllIsSent(SendOp op) {
    lock();
    try {
      op.allSent = true;
      return op.word == 0;
    } finally {
      unlock();
    }
  }

  private void drop(int index) {
    pending[index] = pending[--count];
    pending[count] = null;
  }

  /**
   * Cancels the operation if its peer has not matched it: after this the word is free and the operation not watched.
   */
  boolean cancel(SendOp op) {
    lock();
    try {
      if (op.word == 0 || !WordLayout.cas(op.word, op.generation, WordLayout.OFFERED, WordLayout.CANCELLED)) {
        return false;
      }
      for (int i = 0; i < count; i++) {
        if (pending[i] == op) {
          drop(i);
          break;
        }
      }
      putFree(op.word);
      op.word = 0;
      return true;
    } finally {
      unlock();
    }
  }

  /** Stops watching all operations that the predicate accepts, and hands them on. Their words are not used again. */
  void dropIf(Predicate<SendOp> which, Consumer<SendOp> to) {
    SendOp[] dropped = new SendOp[0];
    lock();
    try {
      for (int i = count - 1; i >= 0; i--) {
        if (which.test(pending[i])) {
          dropped = Arrays.copyOf(dropped, dropped.length + 1);
          dropped[dropped.length - 1] = pending[i];
          drop(i);
        }
      }
    } finally {
      unlock();
    }
    for (SendOp op : dropped) {
      to.accept(op);
    }
  }
}
