// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import org.ffmpi.base.raw.Raw;

/**
 * A list of numbers in the segment that only grows. Any rank appends, without a lock that a dead rank could hold; each
 * rank reads at its own pace with a {@link Reader}.
 *
 * <pre>
 *  a chunk, one page
 *   0         8                   4096
 *  +---------+---------+---------+
 *  | next    | number + 1, or 0  |    offset of the next chunk, 0: none
 *  +---------+---------+---------+
 * </pre>
 */
public final class NumberLog {
  private static final long FIRST_ENTRY_OFFSET = 8;
  private static final long CHUNK_BYTES = JobLayout.PAGE;

  private final JobSegment segment;
  private final long head;

  /**
   * Creates the view of the list that begins at a word of the segment.
   *
   * @param segment the segment
   * @param head address of the word that holds the offset of the first chunk
   */
  NumberLog(JobSegment segment, long head) {
    this.segment = segment;
    this.head = head;
  }

  /**
   * Returns whether the list is empty.
   *
   * @return true before the first number
   */
  public boolean isEmpty() {
    return Raw.getAcquireLong(head) == 0;
  }

  /**
   * Appends a number, unless it is in the list.
   *
   * @param number not negative
   */
  public void append(long number) {
    long word = head;
    while (true) {
      long chunk = Raw.getAcquireLong(word);
      if (chunk == 0) {
        long fresh = segment.claim(CHUNK_BYTES);
        Raw.compareAndSetLong(word, 0, fresh - segment.base()); // where another rank has won, this chunk is lost
        chunk = Raw.getAcquireLong(word);
      }
      long address = segment.line(chunk, CHUNK_BYTES);
      for (long at = FIRST_ENTRY_OFFSET; at < CHUNK_BYTES; at += Long.BYTES) {
        if (Raw.compareAndSetLong(address + at, 0, number + 1) || Raw.getAcquireLong(address + at) == number + 1) {
          return;
        }
      }
      word = address;
    }
  }

  /**
   * Returns a reader that begins with the first number.
   *
   * @return a reader for one thread at a time
   */
  public Reader reader() {
    return new Reader();
  }

  /** Reads the numbers in their order. */
  public final class Reader {
    private long word = head;
    private long at = CHUNK_BYTES;

    private Reader() {}

    /**
     * Reads the next number.
     *
     * @return the number, or -1 while there is none
     */
    public long next() {
      if (at == CHUNK_BYTES) {
        long chunk = Raw.getAcquireLong(word);
        if (chunk == 0) {
          return -1;
        }
        word = segment.line(chunk, CHUNK_BYTES);
        at = FIRST_ENTRY_OFFSET;
      }
      long entry = Raw.getAcquireLong(word + at);
      if (entry == 0) {
        return -1;
      }
      at += Long.BYTES;
      return entry - 1;
    }
  }
}
