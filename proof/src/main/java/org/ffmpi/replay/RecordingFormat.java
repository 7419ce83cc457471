// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

/**
 * The format of a recording, which is a folder with files {@code rank-R.S}, one for each rank R and stream S of it. A
 * stream is the choices of one thread in their order, or those of the library for one window. A file is a header and
 * records.
 *
 * <pre>
 * header   "FFMPIREC" version rank ranks window program thread check
 * CALL     kind channel context peer tag site check               the next call number
 * event    call+FIRST_CALL (or MORE_CALLS call) outcome [tag] [indices] check
 * LATER    entries-back outcome [tag] check                        the outcome of an earlier POSTED_RECEIVE
 * AGAIN    period check count                                      the last polls once more, count calls in all
 * END      entries check                                           the rank has left its job in good order
 * </pre>
 *
 * Numbers are of variable length, seven bits a byte, the lowest first; signed ones alternate between 0, -1, 1, -2.
 * Strings are their length and UTF-8. {@code count} has four bytes, the lowest first, and grows in place. A check is
 * one byte of a hash of all bytes before it, so that a changed byte shows soon after it. The hash goes by words. Those
 * of a record begin at its first byte, and the last one has its number of bytes in the highest byte. The first byte of
 * a record is written last: the file of a killed rank ends with zeros, after its last whole record.
 */
final class RecordingFormat {
  static final String MAGIC = "FFMPIREC";
  static final int VERSION = 2;

  static final int CALL = 1;
  static final int LATER = 2;
  static final int AGAIN = 3;
  static final int END = 4;
  static final int MORE_CALLS = 5;
  static final int FIRST_CALL = 16;
  /** Calls whose number fits into the first byte of their events. */
  static final int SHORT_CALLS = 256 - FIRST_CALL;

  /** Outcome: nothing there, or not yet known. */
  static final int NONE = 0;
  /** Outcome: an exception. */
  static final int FAILED = 1;
  /** Outcome: a receive that was cancelled. */
  static final int CANCELLED = 2;
  /** Outcome: this plus a peer, an index or a length; or this alone for true. */
  static final int VALUE = 3;

  /** Longest period of polls that are written once. */
  static final int LONGEST_PERIOD = 8;

  /** Longest string. */
  static final int LONGEST_STRING = 4096;

  static final long HASH_BEGIN = 0xCBF29CE484222325L;

  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

  /** Highest bits of a word that has fewer than eight bytes of a record. */
  private static final int LENGTH_SHIFT = 56;

  private RecordingFormat() {}

  /** Returns the hash of some bytes and up to seven after them, the first one in the lowest bits of a word. */
  static long hash(long before, long word, int n) {
    return hash(before, word | (long) n << LENGTH_SHIFT);
  }

  private static long hash(long before, long word) {
    long product = (before ^ word) * HASH_FACTOR;
    return product ^ product >>> Integer.SIZE;
  }

  /** Returns the hash of some bytes and a record after them. */
  static long hash(long before, byte[] bytes, int from, int to) {
    long h = before;
    int at = from;
    for (; to - at >= Long.BYTES; at += Long.BYTES) {
      h = hash(h, word(bytes, at, Long.BYTES));
    }
    return hash(h, word(bytes, at, to - at), to - at);
  }

  private static long word(byte[] bytes, int from, int n) {
    long word = 0;
    for (int i = 0; i < n; i++) {
      word |= (bytes[from + i] & 0xFFL) << Byte.SIZE * i;
    }
    return word;
  }

  /** Returns the byte that is written of a hash. */
  static byte check(long hash) {
    return (byte) (hash >>> LENGTH_SHIFT);
  }

  static String fileName(int rank, int stream) {
    return "rank-" + rank + "." + stream;
  }

  static int zigzag(int signed) {
    return signed << 1 ^ signed >> 31;
  }

  static int unzigzag(int unsigned) {
    return unsigned >>> 1 ^ -(unsigned & 1);
  }
}
