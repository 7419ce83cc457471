// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * A pipe, the byte stream that carries the payload of matched large messages from one rank to another.
 *
 * <pre>
 *    0 | tail  | spoiled |        line 0: written by the sender: bytes written; 1 once a transfer was spoiled
 *  128 | head  |                  line 1: written by the receiver: bytes consumed
 *  256 | capacity |               line 2: written once
 *  384 | data, capacity bytes, used as a ring
 *
 *  the stream:  | transfer id (8) | bytes (8) | pad to 64 | payload, padded to 64 | transfer id …
 * </pre>
 *
 * <p>Transfers follow one another whole; each begins with a mark, which has the receiver's transfer id from the
 * completion word and the message's length. The sender writes the mark and the payload, then the tail with release
 * order; the receiver checks the tail, the id and the length before it uses them. A transfer whose buffer becomes
 * unusable at its sender continues with zeros, and its completion word is SPOILED before the tail shows its end.
 */
final class PipeLayout {
  static final long LINE_PAIR = 128;
  static final long TAIL_OFFSET = 0;
  static final long SPOILED_OFFSET = TAIL_OFFSET + 8;
  static final long HEAD_OFFSET = LINE_PAIR;
  static final long CAPACITY_OFFSET = 2 * LINE_PAIR;
  static final long DATA_OFFSET = 3 * LINE_PAIR;

  /** Bytes of the mark that begins a transfer; payload stays aligned to lines behind it. */
  static final int MARK_BYTES = 64;

  private static final long MARK_ID_AT = 0;
  private static final long MARK_LENGTH_AT = 8;

  static final int MIN_CAPACITY = 256;
  static final int MAX_CAPACITY = 1 << 30;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout LAYOUT =
        structLayout(
            JAVA_LONG.withName("tail"),
            JAVA_LONG.withName("spoiled"),
            paddingLayout(LINE_PAIR - 16),
            JAVA_LONG.withName("head"),
            paddingLayout(LINE_PAIR - 8),
            JAVA_LONG.withName("capacity"),
            paddingLayout(LINE_PAIR - 8));

    private Shape() {}
  }

  private PipeLayout() {}

  static long bytes(int capacity) {
    return DATA_OFFSET + capacity;
  }

  static boolean isCapacity(long capacity) {
    return Long.bitCount(capacity) == 1 && capacity >= MIN_CAPACITY && capacity <= MAX_CAPACITY;
  }

  static long padded(long bytes) {
    return (bytes + MARK_BYTES - 1) & -MARK_BYTES;
  }

  static void format(long pipe, int capacity) {
    Raw.putLong(pipe + CAPACITY_OFFSET, capacity);
  }

  static long getPlainCapacity(long pipe) {
    return Raw.getLong(pipe + CAPACITY_OFFSET);
  }

  static long getAcquireTail(long pipe) {
    return Raw.getAcquireLong(pipe + TAIL_OFFSET);
  }

  static long getPlainSpoiled(long pipe) {
    return Raw.getLong(pipe + SPOILED_OFFSET);
  }

  static void setPlainSpoiled(long pipe) {
    Raw.putLong(pipe + SPOILED_OFFSET, 1);
  }

  static void setReleaseTail(long pipe, long tail) {
    Raw.putReleaseLong(pipe + TAIL_OFFSET, tail);
  }

  static long getAcquireHead(long pipe) {
    return Raw.getAcquireLong(pipe + HEAD_OFFSET);
  }

  static void setReleaseHead(long pipe, long head) {
    Raw.putReleaseLong(pipe + HEAD_OFFSET, head);
  }

  static void setPlainMark(long at, long id, long bytes) {
    Raw.putLong(at + MARK_ID_AT, id);
    Raw.putLong(at + MARK_LENGTH_AT, bytes);
  }

  static long getPlainMarkId(long at) {
    return Raw.getLong(at + MARK_ID_AT);
  }

  static long getPlainMarkBytes(long at) {
    return Raw.getLong(at + MARK_LENGTH_AT);
  }
}
